import type { Path } from '../json/path.ts'
import type { ExactNumber, JsonObject, JsonValue } from '../json/value.ts'
import type { Filter, SortField } from '../query/ast.ts'

/**
 * What a PUT does to a document, checked as far as it can be without one. Placeholders are still in place.
 */
export type Update =
  | { readonly kind: 'replace'; readonly document: JsonObject }
  | { readonly kind: 'modify'; readonly modifiers: readonly Modifier[] }

/** One modifier on one path. Two of one update never touch the same path, nor a path and its parent. */
export type Modifier = { readonly path: Path } & ModifierAction

export type ModifierAction =
  | { readonly kind: 'set'; readonly value: JsonValue }
  | { readonly kind: 'setOnInsert'; readonly value: JsonValue }
  | { readonly kind: 'unset' }
  /** A text is a placeholder that stands for a number. */
  | { readonly kind: 'inc' | 'mul'; readonly value: number | ExactNumber | string }
  | { readonly kind: 'min' | 'max'; readonly value: JsonValue }
  | { readonly kind: 'rename'; readonly to: Path }
  | { readonly kind: 'currentDate'; readonly type: 'date' | 'timestamp' }
  | PushAction
  | { readonly kind: 'addToSet'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'pop'; readonly end: 'first' | 'last' }
  | { readonly kind: 'pull'; readonly condition: PullCondition }
  | { readonly kind: 'pullAll'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'bit'; readonly operations: readonly BitOperation[] }

export interface PushAction {
  readonly kind: 'push'
  readonly values: readonly JsonValue[]
  /** Where the values go in, counted from the end where it is negative. */
  readonly position?: number
  /** How many elements are kept: the first ones, or the last ones where it is negative. */
  readonly slice?: number
  /** A direction compares whole elements, fields compare what stands in them. */
  readonly sort?: 1 | -1 | readonly SortField[]
}

/** Which elements `$pull` takes out: those equal to a value, or those for which a query holds. */
export type PullCondition =
  | { readonly kind: 'equals'; readonly value: JsonValue }
  /** Operators on the element itself; every path in the filter is empty. */
  | { readonly kind: 'element'; readonly filter: Filter }
  /** A query on elements that are objects. */
  | { readonly kind: 'document'; readonly filter: Filter }

export interface BitOperation {
  readonly operator: 'and' | 'or' | 'xor'
  readonly operand: bigint
}

/** What stays the same for a whole request: its instant, and where fresh ids come from. */
export interface PlaceholderSource {
  /** Milliseconds since the Unix epoch. */
  readonly now: number
  readonly unique: () => string
  readonly uuid: () => string
  /** Names accepted before `.ServerValue.`, `Service` among them. */
  readonly serviceNames: readonly string[]
}
