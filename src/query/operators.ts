import { editDistance } from '../domain/nearest-name.ts'
import { AppError } from '../errors.ts'

/** Every operator that a query can use, as spec.md lists them. */
export const OPERATORS = [
  '$eq',
  '$not',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$regex',
  '$has',
  '$nhas',
  '$in',
  '$and',
] as const

export type Operator = (typeof OPERATORS)[number]

/** What to write in place of operators that MongoDB has, and of some that are often guessed. */
const INSTEAD = new Map([
  ['$ne', 'write {"$not": value}'],
  ['$nin', 'write {"$not": {"$in": [value, …]}}'],
  ['$or', 'for values of one field write {"$in": [value, …]}, else send one query for each alternative'],
  ['$nor', 'write {"$not": value} for each field'],
  ['$exists', 'write {"$not": null} for fields that are there, null for those that are not'],
  ['$all', 'write {"$and": [{"field": {"$has": value}}, …]}'],
  ['$elemMatch', 'write {"$has": value} for an element equal to a value'],
  ['$contains', 'write {"$has": value} for an array, {"$regex": "part"} for a text'],
  ['$options', 'write the flags into the pattern, such as {"$regex": "(?i)part"}'],
  ['$like', 'write {"$regex": "part"}'],
  ['$text', 'write {"field": {"$regex": "word"}}'],
  ['$oid', 'write the id as a text: {"_id": "…"}'],
  ['$ge', 'did you mean $gte?'],
  ['$le', 'did you mean $lte?'],
])

const FARTHEST_SUGGESTION = 2
/** Mistakes are few for what is left right: $ref is not a mistaken $eq. */
const KEPT_PER_MISTAKE = 3
const SHOWN_CHARACTERS = 40

/** The operator that a key names. @throws AppError `unknown_operator`, with what may have been meant */
export function operatorOf(key: string): Operator {
  const operator = OPERATORS.find((name) => name === key)
  if (operator !== undefined) return operator
  const name = key.length > SHOWN_CHARACTERS ? `${key.slice(0, SHOWN_CHARACTERS)}…` : key
  throw new AppError('unknown_operator', `unknown operator ${name}; ${adviceFor(key)}`)
}

function adviceFor(key: string): string {
  const instead = INSTEAD.get(key)
  if (instead !== undefined) return instead
  const nearest = key.length > SHOWN_CHARACTERS ? undefined : nearestOperator(key.toLowerCase())
  if (nearest !== undefined) return `did you mean ${nearest}?`
  return `the operators are ${OPERATORS.join(', ')}; an object with such a key is found by {"$eq": object}`
}

function nearestOperator(key: string): Operator | undefined {
  const distances = OPERATORS.map((name) => ({ name, distance: editDistance(key, name) }))
  const nearest = distances.reduce((best, other) => (other.distance < best.distance ? other : best))
  return nearest.distance <= Math.min(FARTHEST_SUGGESTION, key.length / KEPT_PER_MISTAKE)
    ? nearest.name
    : undefined
}
