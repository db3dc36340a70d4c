import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { OPERATORS } from '../../../../src/query/operators.ts'
import { MODIFIER_NAMES } from '../../../../src/update/modifier-traits.ts'
import { DATA_TEXTS } from '../../texts/data.ts'

const LITERALS = ['true', 'false', 'null']

/** What is offered where something of a query or of an update is being typed. */
type Completing = (context: CompletionContext) => CompletionResult | null

/** Completes the names of fields that were seen, the operators, and what JSON has of words. */
export function queryCompletions(names: readonly string[]): Completing {
  return completing([
    ...names.map((name) => quoted(name)),
    ...OPERATORS.map((operator) => quoted(operator, DATA_TEXTS.operators[operator])),
  ])
}

/** Completes the modifiers, the names of fields, and what JSON has of words. */
export function updateCompletions(names: readonly string[]): Completing {
  return completing([...MODIFIER_NAMES, ...names].map((name) => quoted(name)))
}

function quoted(text: string, detail?: string): Completion {
  return { label: JSON.stringify(text), ...(detail !== undefined && { detail }) }
}

function completing(choices: readonly Completion[]): Completing {
  const options = [...choices, ...LITERALS.map((label) => ({ label }))]
  return (context) => {
    const typed = context.matchBefore(/"?[\w$.]*/)
    if (typed === null || (typed.text === '' && !context.explicit)) return null
    // The closing quote that the editor has put there is taken along.
    const behind = context.state.sliceDoc(context.pos, context.pos + 1)
    const { from } = typed
    return { from, ...(behind === '"' && typed.text.startsWith('"') && { to: context.pos + 1 }), options }
  }
}
