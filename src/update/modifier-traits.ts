import type { JsonValue } from '../json/value.ts'
import type { Modifier, ModifierAction } from './ast.ts'

/** A modifier whose operand can be the value of a field as it is. */
type ValueAction = Extract<ModifierAction, { readonly value: JsonValue }>

interface ModifierTraits<Kind extends ModifierAction['kind']> {
  /** Whether it may name `_id`, if only to say what it is already, and give one to a document that has none yet. */
  readonly mayNameId: Kind extends ValueAction['kind'] ? boolean : false
  /** Whether it finds nothing where its path can't lead, as in MongoDB, so that this is no error. */
  readonly removesValue: boolean
}

const PLAIN = { mayNameId: false, removesValue: false } as const
const TAKES_OUT = { mayNameId: false, removesValue: true } as const
const MAY_NAME_ID = { mayNameId: true, removesValue: false } as const

/** What is to be known of each modifier beside how it is parsed and applied; one that is missing does not compile. */
const TRAITS: { readonly [Kind in ModifierAction['kind']]: ModifierTraits<Kind> } = {
  set: MAY_NAME_ID,
  setOnInsert: MAY_NAME_ID,
  unset: TAKES_OUT,
  inc: PLAIN,
  mul: PLAIN,
  min: PLAIN,
  max: PLAIN,
  rename: PLAIN,
  currentDate: PLAIN,
  push: PLAIN,
  addToSet: PLAIN,
  pop: PLAIN,
  pull: TAKES_OUT,
  pullAll: TAKES_OUT,
  bit: PLAIN,
}

/** As they stand in an update: `$set` and the others. */
export const MODIFIER_NAMES = Object.keys(TRAITS).map((kind) => `$${kind}`)

export function mayNameId(kind: ModifierAction['kind']): boolean {
  return TRAITS[kind].mayNameId
}

/** Whether a modifier gives the `_id`: a value as it is written, placeholders still in place. */
export function setsId(modifier: Modifier): modifier is Modifier & ValueAction {
  return modifier.path.length === 1 && modifier.path[0] === '_id' && mayNameId(modifier.kind)
}

export function removesValue(kind: ModifierAction['kind']): boolean {
  return TRAITS[kind].removesValue
}
