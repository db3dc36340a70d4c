import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { OPERATORS } from '../../../src/query/operators.ts'
import { DATA_TEXTS } from '../texts/data.ts'

const LITERALS = ['true', 'false', 'null']

/** Completes the names of fields that were seen, the operators, and what JSON has of words. */
export function queryCompletions(
  names: readonly string[],
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const typed = context.matchBefore(/"?[\w$.]*/)
    if (typed === null || (typed.text === '' && !context.explicit)) return null
    // The closing quote that the editor has put there is taken along.
    const behind = context.state.sliceDoc(context.pos, context.pos + 1)
    const quoted = (text: string, detail?: string): Completion => ({
      label: JSON.stringify(text),
      ...(detail !== undefined && { detail }),
    })
    const options = [
      ...names.map((name) => quoted(name)),
      ...OPERATORS.map((operator) => quoted(operator, DATA_TEXTS.operators[operator])),
      ...LITERALS.map((label) => ({ label })),
    ]
    const from = typed.from
    return { from, ...(behind === '"' && typed.text.startsWith('"') && { to: context.pos + 1 }), options }
  }
}
