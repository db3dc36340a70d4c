import type { Path } from '../json/path.ts'
import type { JsonValue } from '../json/value.ts'

/** A query in its one canonical form: no sugar is left, and each path is taken apart. */
export type Filter =
  | AndFilter
  | { readonly kind: 'not'; readonly filter: Filter }
  | CompareFilter
  | InFilter
  | HasFilter
  | RegexFilter

/** Holds when every part does; without parts it holds for every document. */
export interface AndFilter {
  readonly kind: 'and'
  readonly filters: readonly Filter[]
}

export type CompareOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

export interface CompareFilter {
  readonly kind: 'compare'
  readonly operator: CompareOperator
  readonly path: Path
  readonly value: JsonValue
}

export interface InFilter {
  readonly kind: 'in'
  readonly path: Path
  readonly values: readonly JsonValue[]
}

/** The field is an array with an element equal to the value. */
export interface HasFilter {
  readonly kind: 'has'
  readonly path: Path
  readonly value: JsonValue
}

/** `pattern` is in RE2's syntax and is known to compile. */
export interface RegexFilter {
  readonly kind: 'regex'
  readonly path: Path
  readonly pattern: string
}

/** A condition on one path: what is left when `and` and `not` are taken away. */
export type Condition = CompareFilter | InFilter | HasFilter | RegexFilter

export const EVERY_DOCUMENT: AndFilter = Object.freeze({ kind: 'and', filters: Object.freeze([]) })

export interface SortField {
  readonly path: Path
  readonly direction: 1 | -1
}

/** Which fields of each document are answered; `includesId` is apart from the rest. */
export interface Projection {
  readonly mode: 'include' | 'exclude'
  readonly paths: readonly Path[]
  readonly includesId: boolean
}
