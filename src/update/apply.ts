import type { Limits } from '../domain/limits.ts'
import { AppError } from '../errors.ts'
import { equalValues } from '../json/compare.ts'
import { documentId } from '../json/document-id.ts'
import type { Path } from '../json/path.ts'
import type { ExactNumber, JsonArray, JsonObject, JsonValue } from '../json/value.ts'
import type { Modifier, PlaceholderSource, Update } from './ast.ts'
import { checkDepth } from './check-depth.ts'
import { shownPath } from './describe.ts'
import { blocked, Draft, leadsThroughArray, targetAt } from './draft.ts'
import { immutableId } from './immutable-id.ts'
import { removesValue, setsId } from './modifier-traits.ts'
import { addToSet } from './modifiers/add-to-set.ts'
import { increment, multiply } from './modifiers/arithmetic.ts'
import { bitwise } from './modifiers/bit.ts'
import { currentDate } from './modifiers/current-date.ts'
import { greater, lesser } from './modifiers/min-max.ts'
import { filledNumber } from './modifiers/numbers.ts'
import { pop } from './modifiers/pop.ts'
import { pull, pullAll } from './modifiers/pull.ts'
import { push } from './modifiers/push.ts'
import { fillPlaceholders } from './placeholders.ts'

interface UpdateContext {
  readonly update: Update
  readonly placeholders: PlaceholderSource
  readonly limits: Limits
}

export interface Application extends UpdateContext {
  /** As it is stored, with its `_id`. */
  readonly document: JsonObject
}

export interface Insertion extends UpdateContext {
  /** What is known of the new document: its `_id` at most, or the equalities of a query. */
  readonly seed: JsonObject
}

/**
 * The document after an update. Nothing that comes in is changed; what the update doesn't touch is shared.
 * The very same document comes back where nothing had to be done; another one may still have the same text.
 * @throws AppError `update_not_applicable`, `invalid_update` (a text that is no placeholder in the place of a number),
 * `immutable_id`, `number_out_of_range`, `nesting_too_deep`, `document_too_large` (where an array is padded; the whole size is the store's to check)
 */
export function applyUpdate({ document, update, placeholders, limits }: Application): JsonObject {
  if (update.kind === 'modify')
    return modify(document, update.modifiers, { placeholders, limits, inserting: false })
  const replacement = fillPlaceholders(update.document, placeholders) as JsonObject
  const id = document.get('_id')!
  const given = replacement.get('_id')
  if (given === undefined) return withIdFirst(replacement, id)
  if (!equalValues(given, id)) throw immutableId()
  return given === id ? replacement : new Map(replacement).set('_id', id)
}

/**
 * The new document of an update that found none. It may come without an `_id`, which the store then assigns;
 * an `_id` that the update gives stays as the update writes it. A replacement takes only the `_id` of a seed.
 * @throws AppError what `applyUpdate` throws, and `invalid_id`, `null_character`
 */
export function insertFromUpdate({ seed, update, placeholders, limits }: Insertion): JsonObject {
  if (update.kind === 'replace')
    return insertReplacement(fillPlaceholders(update.document, placeholders) as JsonObject, seed.get('_id'))
  const document = modify(seed, update.modifiers, { placeholders, limits, inserting: true })
  checkDepth(document, limits.nestingLevels)
  const id = document.get('_id')
  if (id === undefined) return document
  documentId(id)
  return withIdFirst(document, id)
}

function insertReplacement(document: JsonObject, known: JsonValue | undefined): JsonObject {
  const given = document.get('_id')
  if (given !== undefined && known !== undefined && !equalValues(given, known)) throw immutableId()
  const id = given === undefined ? known : given
  if (id === undefined) return document
  documentId(id)
  return given === undefined ? withIdFirst(document, id) : document
}

interface Modification {
  readonly placeholders: PlaceholderSource
  readonly limits: Limits
  readonly inserting: boolean
}

function modify(
  document: JsonObject,
  modifiers: readonly Modifier[],
  modification: Modification,
): JsonObject {
  const draft = new Draft(document, modification.limits)
  for (const modifier of modifiers) applyModifier(draft, modifier, modification)
  return draft.root
}

function applyModifier(draft: Draft, modifier: Modifier, modification: Modification): void {
  const { path } = modifier
  if (modifier.kind === 'setOnInsert' && !modification.inserting) return
  if (path[0] === '_id') {
    setId(draft, modifier, modification)
    return
  }
  if (modifier.kind === 'rename') {
    rename(draft, path, modifier.to)
    return
  }
  const target = targetAt(draft.root, path)
  if (target.kind === 'blocked') {
    if (removesValue(modifier.kind)) return
    throw blocked(path, target)
  }
  const before = target.kind === 'present' ? target.value : undefined
  const after = newValue(before, modifier, modification)
  if (after === before) return
  if (after === undefined) draft.remove(path)
  else draft.set(path, after)
}

/** What a modifier makes of a value; undefined stands for none, before and after. */
function newValue(
  value: JsonValue | undefined,
  modifier: Exclude<Modifier, { kind: 'rename' }>,
  { placeholders }: Modification,
): JsonValue | undefined {
  const { path } = modifier
  const operandOf = (operand: JsonValue, name: string): number | ExactNumber =>
    filledNumber(fillPlaceholders(operand, placeholders), name, path)
  switch (modifier.kind) {
    case 'set':
    case 'setOnInsert':
      return fillPlaceholders(modifier.value, placeholders)
    case 'unset':
      return undefined
    case 'inc':
      return increment(value, operandOf(modifier.value, '$inc'), path)
    case 'mul':
      return multiply(value, operandOf(modifier.value, '$mul'), path)
    case 'min':
      return lesser(value, fillPlaceholders(modifier.value, placeholders))
    case 'max':
      return greater(value, fillPlaceholders(modifier.value, placeholders))
    case 'currentDate':
      return currentDate(modifier.type, placeholders.now)
    case 'bit':
      return bitwise(value, modifier.operations, path)
    case 'push':
      return push(value, { ...modifier, values: fillValues(modifier.values, placeholders) }, path)
    case 'addToSet':
      return addToSet(value, fillValues(modifier.values, placeholders), path)
    case 'pop':
      return value === undefined ? undefined : pop(value, modifier.end, path)
    case 'pull':
      return value === undefined ? undefined : pull(value, modifier.condition, path)
    case 'pullAll':
      return value === undefined ? undefined : pullAll(value, modifier.values, path)
    default:
      return modifier satisfies never
  }
}

function fillValues(values: readonly JsonValue[], placeholders: PlaceholderSource): JsonArray {
  return fillPlaceholders(values as JsonArray, placeholders) as JsonArray
}

function setId(draft: Draft, modifier: Modifier, { placeholders, inserting }: Modification): void {
  if (!setsId(modifier)) throw immutableId()
  const id = fillPlaceholders(modifier.value, placeholders)
  const known = draft.root.get('_id')
  if (known !== undefined && !equalValues(id, known)) throw immutableId()
  if (inserting) draft.set(modifier.path, id)
}

/** Moves a value as it is. Elements of arrays have no names, neither to give up nor to take. */
function rename(draft: Draft, from: Path, to: Path): void {
  if (leadsThroughArray(draft.root, from)) throw throughArray(from)
  const source = targetAt(draft.root, from)
  if (source.kind === 'blocked') throw blocked(from, source)
  if (source.kind === 'missing') return
  if (leadsThroughArray(draft.root, to)) throw throughArray(to)
  const target = targetAt(draft.root, to)
  if (target.kind === 'blocked') throw blocked(to, target)
  draft.remove(from)
  draft.set(to, source.value)
}

function throughArray(path: Path): AppError {
  return new AppError(
    'update_not_applicable',
    `$rename can't reach ${shownPath(path)}: it leads through an array, whose elements have no names`,
  )
}

function withIdFirst(document: JsonObject, id: JsonValue): JsonObject {
  const [first] = document.keys()
  return first === '_id' ? document : new Map([['_id', id], ...document])
}
