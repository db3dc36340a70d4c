import { badDeploy } from './deploy-refusals.ts'

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d]
const WHITESPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d])
const HEAD = /^\s*\{\s*"files"\s*:\s*\[/
const TAIL = /^\s*\}\s*$/
/** What the head is looked for in. */
const HEAD_BYTES = 64
/** Of what stands in the list of one file: its path as JSON, its hash, its length. */
export const LISTED_BYTES = 8 * 1024

/**
 * The entries of `{"files":[{…},{…}]}`, each as its JSON, one by one: parsed as a whole, a list that is made for it takes
 * 60 times its length of memory before anything of it can be looked at.
 * @throws AppError `invalid_deploy`, in the loop
 */
export function* splitFileList(line: Buffer): Generator<Buffer> {
  const [head] = HEAD.exec(line.toString('latin1', 0, HEAD_BYTES)) ?? []
  if (head === undefined) throw noList()
  let at = skipWhitespace(line, head.length)
  while (line[at] !== CLOSE_LIST) {
    const end = endOfObject(line, at)
    yield line.subarray(at, end)
    at = skipWhitespace(line, end)
    if (line[at] === CLOSE_LIST) break
    if (line[at] !== COMMA) throw noList()
    at = skipWhitespace(line, at + 1)
    if (line[at] !== OPEN_OBJECT) throw noList()
  }
  const tail = line.subarray(at + 1)
  if (tail.length > HEAD_BYTES || !TAIL.test(tail.toString('latin1'))) throw noList()
}

export function noList(cause?: unknown): Error {
  return badDeploy('the first line should be {"files":[{"path":…},…]}, in JSON and UTF-8', cause)
}

/** Where it ends; there are no lists and no objects in it. */
function endOfObject(line: Buffer, start: number): number {
  if (line[start] !== OPEN_OBJECT) throw noList()
  const most = Math.min(line.length, start + LISTED_BYTES)
  let isText = false
  for (let at = start + 1; at < most; at++) {
    const byte = line[at]
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === CLOSE_OBJECT) return at + 1
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) throw noList()
  }
  throw noList()
}

function skipWhitespace(line: Buffer, start: number): number {
  let at = start
  while (WHITESPACE.has(line[at])) at++
  return at
}
