import type { IncomingMessage } from 'node:http'
import type { Reply } from './reply.ts'

interface Words {
  readonly title: string
  readonly text: string
}

const BY_STATUS: Readonly<Record<number, Words>> = {
  400: { title: 'Bad request', text: 'The address, or how it was asked for, can not be read.' },
  404: { title: 'Not found', text: 'There is no page at this address.' },
  405: { title: 'Method not allowed', text: 'What is here can be read, by GET and HEAD, and nothing else.' },
  416: { title: 'Range not satisfiable', text: 'The file has no such part.' },
  429: {
    title: 'Too many requests',
    text: 'This site was asked for as often as it may be for now. Try again later.',
  },
  503: { title: 'Not available', text: 'This can not be shown right now. Try again in a moment.' },
}

const FAULT: Words = { title: 'Something went wrong', text: 'Try again in a moment.' }

/** Such a page tells of this site, so that it has nothing of this service, and nothing that came with the request. */
const STYLE =
  ':root{color-scheme:light dark}' +
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem}' +
  'h1{font-size:1.5rem;margin:0 0 .5rem}p{margin:0}'

const ACCEPTS_HTML = /\btext\/html\b/i

/** Whether a request is for a page that people look at, and not for a part of one. */
export function acceptsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept !== undefined && ACCEPTS_HTML.test(headers.accept)
}

/** What a site answers instead of `reply`, to people as a page and to programs as a line. */
export function errorPage(request: IncomingMessage, { status, errorCode, headers }: Reply): Reply {
  const { title, text } = BY_STATUS[status] ?? FAULT
  const isPage = acceptsHtml(request)
  return {
    status,
    ...(errorCode !== undefined && { errorCode }),
    body: isPage ? page({ title, text }) : `${title}. ${text}\n`,
    file: { type: `text/${isPage ? 'html' : 'plain'}; charset=utf-8`, caching: 'no-store' },
    ...(headers !== undefined && { headers }),
  }
}

function page({ title, text }: Words): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
<p>${text}</p>
`
}
