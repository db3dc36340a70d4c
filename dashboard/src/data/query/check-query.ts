import { DEFAULT_LIMITS } from '../../../../src/domain/limits.ts'
import { readFilter } from '../../../../src/query/read-query.ts'
import type { EditorProblem } from '../../editor/code-editor.tsx'
import { sentence } from '../../texts.ts'

const POSITION = / at position (\d+)/
/** A name that a message quotes. */
const QUOTED = /"[^"]+"|\$\w+/

/** What the API would say of a query, and of which place in it; nothing where it would take it. */
export function checkQuery(text: string): readonly EditorProblem[] {
  try {
    readFilter(text.trim() === '' ? undefined : text, DEFAULT_LIMITS)
    return []
  } catch (error) {
    // Of which parameter it is about stands before it.
    const message = (error as Error).message.replace(/^q: /, '')
    return [{ ...placeOf(text, message), message: sentence(message) }]
  }
}

function placeOf(text: string, message: string): Pick<EditorProblem, 'from' | 'to'> {
  const position = POSITION.exec(message)?.[1]
  if (position !== undefined) return { from: Number(position), to: Number(position) + 1 }
  if (message.includes('ends too early')) return { from: text.length - 1, to: text.length }
  const named = QUOTED.exec(message)?.[0]
  const from = named === undefined ? -1 : text.indexOf(named)
  return from < 0 ? { from: 0, to: text.length } : { from, to: from + named!.length }
}
