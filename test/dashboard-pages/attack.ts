import { readdirSync } from 'node:fs'

const ASSETS = readdirSync(new URL('../../dashboard/dist/assets/', import.meta.url))
const assetOf = (pattern: RegExp): string => `/_/assets/${ASSETS.find((name) => pattern.test(name))}`
/** Of the dashboard, as it was built. */
export const FILES = { script: assetOf(/^index-.*\.js$/), style: assetOf(/\.css$/), image: assetOf(/\.svg$/) }

/** What somebody else's page has a browser try, and what it came to there; `refused` where it got nothing. */
export async function attack({
  target,
  files,
}: {
  target: string
  files: typeof FILES
}): Promise<Record<string, string>> {
  const got: Record<string, string> = {}
  const attempt = async (name: string, act: () => Promise<unknown>): Promise<void> => {
    got[name] = await act().then(
      () => 'got',
      () => 'refused',
    )
  }
  const json = JSON.stringify({ slug: 'evil' })
  const ask = async (path: string, init: RequestInit): Promise<void> => {
    await fetch(`${target}${path}`, { credentials: 'include', ...init })
  }
  const settled = (element: HTMLElement): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers()
    element.onload = resolve
    element.onerror = reject
    document.body.append(element)
    return promise
  }
  await attempt('read', () => ask('/_/api/apps', {}))
  for (const method of ['POST', 'PUT', 'DELETE'])
    await attempt(`${method} of JSON`, () =>
      ask('/_/api/apps', { method, headers: { 'Content-Type': 'application/json' }, body: json }),
    )
  await attempt('script', () =>
    settled(Object.assign(document.createElement('script'), { src: target + files.script })),
  )
  await attempt('script of data', () =>
    settled(Object.assign(document.createElement('script'), { src: `${target}/_/api/apps` })),
  )
  await attempt('style', () =>
    settled(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: target + files.style })),
  )
  await attempt('image', () =>
    settled(Object.assign(document.createElement('img'), { src: target + files.image })),
  )
  // What nobody hears of; whether it did something is looked up afterwards.
  await ask('/_/api/apps', { method: 'POST', mode: 'no-cors', body: json }).catch(() => undefined)
  navigator.sendBeacon(`${target}/_/api/apps`, json)
  for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
    const frame = Object.assign(document.createElement('iframe'), { name: enctype })
    await settled(frame)
    const form = document.createElement('form')
    Object.assign(form, { action: `${target}/_/api/apps`, method: 'POST', enctype, target: enctype })
    const input = Object.assign(document.createElement('input'), {
      name: '{"slug":"evil","x":"',
      value: '"}',
    })
    form.append(input)
    document.body.append(form)
    form.submit()
    // The page of another origin, or the browser's own that says why it isn't shown.
    while (frame.contentDocument !== null) await new Promise(requestAnimationFrame)
  }
  return got
}
