import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { RANK, rankOf } from '../../../json/compare.ts'
import { orderKey } from '../../../json/order-key.ts'
import { storedValue } from '../../../json/stored.ts'
import type { ExactNumber, JsonValue } from '../../../json/value.ts'
import { quantity } from '../../../json/value.ts'
import type { Condition, RegexFilter, SortField } from '../../../query/ast.ts'
import { type Predicate, prepareFilter } from '../../../query/match.ts'
import { patternCache } from '../../../query/regex.ts'
import { sortKey } from '../../../query/sort.ts'

/** Compiled patterns that a connection keeps; each can come to hold some mebibytes. */
const PATTERNS = 32
const NOTHING_BOUND: Bindings = { conditions: [], sort: [] }

/** What statements name by its number. */
export interface Bindings {
  readonly conditions: readonly Condition[]
  readonly sort: readonly SortField[]
}

/**
 * The parts of a query that SQL can't say, as SQL functions in plain code. A statement's conditions are bound before
 * it runs and looked up by number. The last argument of each function is when the statement has to give up.
 */
export class QueryFunctions {
  private bindings = NOTHING_BOUND
  /** What each condition says, prepared when first asked. */
  private predicates: Predicate[] = []
  private readonly compile = patternCache(PATTERNS)
  private cancelled: Int32Array | undefined

  constructor(db: DatabaseSync) {
    const options = { deterministic: true, directOnly: true }
    db.function('sheaf_matches', options, (text, number, deadline) => {
      this.check(deadline as number)
      return this.holds(text as MemberText, number as number)
    })
    db.function('sheaf_regex', options, (text, number, deadline) => {
      this.check(deadline as number)
      return this.regex(text as string, number as number)
    })
    db.function('sheaf_sort_rank', options, (text, number, deadline) => {
      this.check(deadline as number)
      return rankOf(this.sorted(text as MemberText, number as number))
    })
    db.function('sheaf_sort_value', options, (text, number, deadline) => {
      this.check(deadline as number)
      return sqlSortValue(this.sorted(text as MemberText, number as number))
    })
    db.function('sheaf_check_deadline', { directOnly: true }, (deadline) => {
      this.check(deadline as number)
      return 1
    })
  }

  bind(bindings: Bindings): void {
    this.bindings = bindings
    this.predicates = []
  }

  /**
   * Ends the statements from here on when somebody puts something else there than 0.
   * @throws AppError `deadline_exceeded` where that is so already
   */
  endWith(cancelled: Int32Array | undefined): void {
    this.cancelled = cancelled
    this.checkWanted()
  }

  release(): void {
    this.bind(NOTHING_BOUND)
    this.cancelled = undefined
  }

  private check(deadline: number): void {
    checkReadDeadline(deadline)
    this.checkWanted()
  }

  private checkWanted(): void {
    if (this.cancelled === undefined || Atomics.load(this.cancelled, 0) === 0) return
    throw new AppError('deadline_exceeded', 'nobody waits for the answer any more')
  }

  private holds(memberText: MemberText, number: number): number {
    this.predicates[number] ??= this.prepare(this.bindings.conditions[number]!)
    return Number(this.predicates[number](memberValue(memberText)))
  }

  /** The functions are given the value of a path's first part, so what is left of the path starts there. */
  private prepare(condition: Condition): Predicate {
    return prepareFilter({ ...condition, path: condition.path.slice(1) }, this.compile)
  }

  private regex(text: string, number: number): number {
    return Number(this.compile((this.bindings.conditions[number] as RegexFilter).pattern).test(text))
  }

  private sorted(memberText: MemberText, number: number): JsonValue | undefined {
    const { path, direction } = this.bindings.sort[number]!
    return sortKey(memberValue(memberText), { path: path.slice(1), direction })
  }
}

/**
 * @param deadline in milliseconds of `performance.now()`
 * @throws AppError `deadline_exceeded`, also where a statement was given none
 */
export function checkReadDeadline(deadline: number): void {
  if (performance.now() <= deadline) return
  throw new AppError(
    'deadline_exceeded',
    'the request took too long in the store; narrow it or page through it',
  )
}

/** The JSON text of the member that a path begins with, NULL where there is none. */
type MemberText = string | null

/** What is not there is as null to whatever goes further into it. */
function memberValue(text: MemberText): JsonValue {
  return text === null ? null : storedValue(text)
}

/** A value that SQLite puts in the right position among others of the same rank. */
function sqlSortValue(value: JsonValue | undefined): null | string | number | bigint | Uint8Array {
  switch (rankOf(value)) {
    case RANK.number:
      return quantity(value as number | ExactNumber)
    case RANK.text:
      return value as string
    case RANK.object:
    case RANK.array:
      return orderKey(value)
    default:
      return null
  }
}
