import { nearestName } from '../../domain/nearest-name.ts'
import { AppError } from '../../errors.ts'
import { DEFAULT_LIMIT } from '../../operations/find-documents.ts'
import type { QueryParameters } from './request-target.ts'

/** What a parameter takes, and what it is where it is not there. */
type Parameter =
  | { readonly kind: 'text' | 'json' }
  /** JSON that is as if absent where it is empty. */
  | { readonly kind: 'filled' }
  | { readonly kind: 'flag'; readonly absent: boolean }
  | { readonly kind: 'integer'; readonly absent: number | undefined }

type Parameters = Readonly<Record<string, Parameter>>

/** A parameter of a list. */
type ListParameter = Parameter & {
  /** Whether the next page's link has it, because without it that would be a page of something else. */
  readonly inLink: boolean
}

const TEXT = { kind: 'text' } as const satisfies Parameter
const JSON_TEXT = { kind: 'json' } as const satisfies Parameter
const EXPECTED = { kind: 'integer', absent: undefined } as const satisfies Parameter

/** The parameters of each request, in the order in which they are read; what is not here is passed over. */
export const FIND = {
  q: { kind: 'filled', inLink: true },
  f: { kind: 'filled', inLink: true },
  s: { kind: 'filled', inLink: true },
  // What skips documents has done so on the first page, and each link has a cursor of its own.
  sk: { kind: 'integer', absent: 0, inLink: false },
  l: { kind: 'integer', absent: DEFAULT_LIMIT, inLink: true },
  after: { kind: 'text', inLink: false },
  // What these answer has no pages.
  c: { kind: 'flag', absent: false, inLink: false },
  fo: { kind: 'flag', absent: false, inLink: false },
} as const satisfies Readonly<Record<string, ListParameter>>

export const READ_ONE = { f: { kind: 'filled' } } as const satisfies Parameters

export const UPDATE_MANY = {
  q: JSON_TEXT,
  m: { kind: 'flag', absent: true },
  u: { kind: 'flag', absent: false },
  expect: EXPECTED,
} as const satisfies Parameters

export const DELETE_MANY = {
  q: JSON_TEXT,
  m: { kind: 'flag', absent: true },
  drop: { kind: 'flag', absent: false },
  expect: EXPECTED,
} as const satisfies Parameters

/** Every request that takes parameters, as the reference's table names it. */
export const PARAMETERS = {
  'GET of a collection': FIND,
  'GET of a document': READ_ONE,
  'PUT of a collection': UPDATE_MANY,
  'DELETE of a collection': DELETE_MANY,
} satisfies Readonly<Record<string, Parameters>>

/** Of every request; they stand in no link and no message. */
export const CREDENTIALS = { jwttoken: TEXT, apiKey: TEXT } as const satisfies Parameters

const BY_QUERY = 'PUT ?q= of the collection changes the documents that match, and DELETE ?q= deletes them'
const BY_ID = 'find their _ids with GET, and write to each of them'

/**
 * What to do instead, by the parameters that say which documents are meant or what is done to them. A write passes none
 * of them over, for it would then change more than was asked for. `f` says neither.
 */
const INSTEAD: Readonly<Record<string, string>> = Object.freeze({
  q: BY_QUERY,
  s: BY_ID,
  sk: BY_ID,
  l: `m=false limits PUT ?q= to the first document that matches; for others ${BY_ID}`,
  after: BY_ID,
  c: 'GET ?c=true counts documents',
  fo: 'm=false limits PUT ?q= to the first document that matches',
  m: BY_QUERY,
  u: BY_QUERY,
  expect: BY_QUERY,
  drop: 'DELETE ?drop=true of the collection drops it',
})

type Value<Described extends Parameter> = Described extends { kind: 'flag' }
  ? boolean
  : Described extends { kind: 'integer' }
    ? number | Described['absent']
    : string | undefined

const DECIMAL = /^\d+$/
/** Of a name that nobody knows. */
const SHOWN_CHARACTERS = 40

/**
 * All parameters of a request, each of which is read before one of them decides: a mistake in any of them is 400.
 * @throws AppError `duplicate_parameter`, `invalid_parameter`
 */
export function readParameters<Described extends Parameters>(
  given: QueryParameters,
  described: Described,
): { readonly [Name in keyof Described]: Value<Described[Name]> } {
  const values: Record<string, string | number | boolean | undefined> = {}
  for (const name in described) values[name] = readParameter(given, name, described[name]!)
  return values as { [Name in keyof Described]: Value<Described[Name]> }
}

/**
 * The parameters of a write, which refuses those of other requests.
 * @throws AppError `duplicate_parameter`, `invalid_parameter`
 */
export function readWriteParameters<Described extends Parameters>(
  given: QueryParameters,
  described: Described,
): { readonly [Name in keyof Described]: Value<Described[Name]> } {
  const values = readParameters(given, described)
  for (const name of given.values.keys()) {
    if (Object.hasOwn(described, name) || !Object.hasOwn(INSTEAD, name)) continue
    throw new AppError(
      'invalid_parameter',
      `the parameter ${name} does not go with this write; leave it out: ${INSTEAD[name]}`,
    )
  }
  return values
}

/**
 * Refuses what is not one of these: a parameter that is passed over because of a slip may be the one that says to save nothing.
 * @throws AppError `invalid_parameter`
 */
export function refuseUnknownParameters({ values }: QueryParameters, names: readonly string[]): void {
  const unknown = values.keys().find((name) => !names.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, names)
  const known = names.length === 0 ? 'there are none here' : `those here are ${names.join(', ')}`
  throw new AppError(
    'invalid_parameter',
    `unknown parameter ${JSON.stringify(unknown.slice(0, SHOWN_CHARACTERS))}; ${nearest === undefined ? known : `did you mean ${nearest}?`}`,
  )
}

function readParameter(
  given: QueryParameters,
  name: string,
  parameter: Parameter,
): string | number | boolean | undefined {
  switch (parameter.kind) {
    case 'text':
    case 'json':
      return textParameter(given, name)
    case 'filled':
      return filledParameter(given, name)
    case 'flag':
      return flagParameter(given, name, parameter.absent)
    case 'integer':
      return integerParameter(given, name, parameter.absent)
    default:
      return parameter satisfies never
  }
}

/**
 * A parameter's text, or undefined where it isn't there.
 * @throws AppError `duplicate_parameter`
 */
export function textParameter({ values, repeated }: QueryParameters, name: string): string | undefined {
  if (repeated.has(name))
    throw new AppError('duplicate_parameter', `the parameter ${name} stands there twice; keep one of them`)
  return values.get(name)
}

/**
 * A parameter of a read, which is as if absent where it is empty: forms and old clients send the fields that nobody has
 * filled in.
 * @throws AppError `duplicate_parameter`
 */
export function filledParameter(parameters: QueryParameters, name: string): string | undefined {
  return textParameter(parameters, name) || undefined
}

/**
 * A parameter that is `true`, `1`, `false` or `0`, in any letter case.
 * @throws AppError `duplicate_parameter`, `invalid_parameter`
 */
export function flagParameter(parameters: QueryParameters, name: string, absent: boolean): boolean {
  const text = textParameter(parameters, name)?.toLowerCase()
  if (text === undefined) return absent
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw new AppError('invalid_parameter', `the parameter ${name} should be true or false`)
}

/**
 * A parameter that is an integer from 0, in decimal digits; the greatest that can be told apart where it is more.
 * @throws AppError `duplicate_parameter`, `invalid_parameter`
 */
export function integerParameter<Absent extends number | undefined>(
  parameters: QueryParameters,
  name: string,
  absent: Absent,
): number | Absent {
  const text = textParameter(parameters, name)
  if (text === undefined) return absent
  if (DECIMAL.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  throw new AppError(
    'invalid_parameter',
    `the parameter ${name} should be an integer from 0, in decimal digits`,
  )
}
