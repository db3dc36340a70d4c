import type { Limits } from '../domain/limits.ts'
import { nearestName } from '../domain/nearest-name.ts'
import { AppError } from '../errors.ts'
import type { Path } from '../json/path.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts'
import type { Modifier, ModifierAction, Update } from './ast.ts'
import { describe, invalidUpdate, shown, shownPath } from './describe.ts'
import { immutableId } from './immutable-id.ts'
import { mayNameId } from './modifier-traits.ts'
import { parseAddToSet } from './modifiers/add-to-set.ts'
import { parseBit } from './modifiers/bit.ts'
import { parseCurrentDate } from './modifiers/current-date.ts'
import { numberOperand } from './modifiers/numbers.ts'
import { parsePop } from './modifiers/pop.ts'
import { parsePull, parsePullAll } from './modifiers/pull.ts'
import { parsePush } from './modifiers/push.ts'
import { parseUpdatePath } from './parse-path.ts'
import { refuseConflicts } from './refuse-conflicts.ts'

type ParseAction = (operand: JsonValue, path: Path, limits: Limits) => ModifierAction

/** How each modifier is read; one that is missing does not compile. */
const PARSERS: { readonly [Kind in ModifierAction['kind'] as `$${Kind}`]: ParseAction } = {
  $set: (value) => ({ kind: 'set', value }),
  $unset: () => ({ kind: 'unset' }),
  $inc: (value, path) => ({ kind: 'inc', value: numberOperand(value, '$inc', path) }),
  $mul: (value, path) => ({ kind: 'mul', value: numberOperand(value, '$mul', path) }),
  $min: (value) => ({ kind: 'min', value }),
  $max: (value) => ({ kind: 'max', value }),
  $rename: parseRename,
  $currentDate: parseCurrentDate,
  $setOnInsert: (value) => ({ kind: 'setOnInsert', value }),
  $push: parsePush,
  $addToSet: parseAddToSet,
  $pop: parsePop,
  $pull: (operand, _path, limits) => parsePull(operand, limits),
  $pullAll: parsePullAll,
  $bit: parseBit,
}

const MODIFIERS: ReadonlyMap<string, ParseAction> = new Map(Object.entries(PARSERS))

/** Every modifier that an update can use. */
export const MODIFIER_NAMES = Object.keys(PARSERS) as readonly (keyof typeof PARSERS)[]

/**
 * Takes the body of a PUT apart: modifiers where its first key starts with `$`, else a replacement.
 * @throws AppError `invalid_update`, `unknown_modifier`, `conflicting_paths`, `immutable_id`,
 * `nesting_too_deep`; for `$pull` also what `parseFilter` throws
 */
export function parseUpdate(body: JsonValue, limits: Limits): Update {
  if (isJsonArray(body))
    throw invalidUpdate(
      'pipelines are not supported: send one object, of modifiers or a replacement document',
    )
  if (!isJsonObject(body))
    throw invalidUpdate(
      `an update is an object of modifiers or a replacement document, not ${describe(body)}`,
    )
  const [first] = body.keys()
  if (first?.startsWith('$')) return { kind: 'modify', modifiers: parseModifiers(body, limits) }
  for (const key of body.keys()) if (key.startsWith('$')) throw mixture(key, first!)
  return { kind: 'replace', document: body }
}

function parseModifiers(body: JsonObject, limits: Limits): Modifier[] {
  const modifiers: Modifier[] = []
  for (const [name, operand] of body) {
    if (!name.startsWith('$')) throw mixture(body.keys().next().value!, name)
    const parseAction = MODIFIERS.get(name)
    if (parseAction === undefined) throw unknownModifier(name)
    if (!isJsonObject(operand))
      throw invalidUpdate(`${name} takes an object of fields, such as {"${name}":{"field":…}}`)
    for (const [field, value] of operand) {
      const path = parseUpdatePath(field, limits)
      if (path[0] === '_id' && !(path.length === 1 && mayNameId(kindOf(name)))) throw immutableId()
      modifiers.push({ path, ...parseAction(value, path, limits) })
    }
  }
  refuseConflicts(modifiers.flatMap((one) => (one.kind === 'rename' ? [one.path, one.to] : [one.path])))
  return modifiers
}

/** @param name of a modifier that there is */
function kindOf(name: string): ModifierAction['kind'] {
  return name.slice(1) as ModifierAction['kind']
}

function parseRename(operand: JsonValue, path: Path, limits: Limits): ModifierAction {
  if (typeof operand !== 'string')
    throw invalidUpdate(`$rename takes the new path, as text, for ${shownPath(path)}`)
  const to = parseUpdatePath(operand, limits)
  if (to[0] === '_id') throw immutableId()
  return { kind: 'rename', to }
}

function mixture(modifier: string, key: string): AppError {
  return invalidUpdate(
    `an update holds only modifiers or none, not both ${shown(modifier)} and ${shown(key)}; ` +
      `to change one field, write {"$set":{${shown(key)}:…}}`,
  )
}

function unknownModifier(name: string): AppError {
  const meant = nearestName(name, MODIFIERS.keys())
  const advice =
    meant === undefined ? `the modifiers are ${[...MODIFIERS.keys()].join(', ')}` : `did you mean ${meant}?`
  return new AppError('unknown_modifier', `unknown modifier ${shown(name)}; ${advice}`)
}
