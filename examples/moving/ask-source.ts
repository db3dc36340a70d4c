import { isJsonObject, type JsonObject } from '../../src/json/value.ts'
import { Problem } from './problem.ts'
import { decode, parse } from './read-documents.ts'

/** Reads one JSON object from another service; credentials in the address go into a header. @throws Problem */
export async function askSource(address: URL, init: RequestInit = {}): Promise<JsonObject> {
  const url = new URL(address)
  const headers = new Headers(init.headers)
  if (url.username !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.set('Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
    url.username = url.password = ''
  }
  const shown = `${url.origin}${url.pathname}`
  const response = await fetch(url, { ...init, headers }).catch((error: Error) => {
    const { cause } = error
    throw new Problem(`${shown} can't be reached: ${cause instanceof Error ? cause.message : error.message}`)
  })
  const text = decode(Buffer.from(await response.arrayBuffer()), `the answer of ${shown}`)
  if (!response.ok) throw new Problem(`${shown} answered ${response.status}: ${text.slice(0, 300)}`)
  const answer = parse(text, `the answer of ${shown}`)
  if (!isJsonObject(answer)) throw new Problem(`the answer of ${shown} should be an object`)
  return answer
}

/** An array of objects in an answer. @throws Problem */
export function objectsIn(answer: JsonObject, key: string): JsonObject[] {
  const list = answer.get(key)
  if (!Array.isArray(list) || !list.every(isJsonObject))
    throw new Problem(`the answer should have an array of objects in "${key}"; is it the right address?`)
  return list
}
