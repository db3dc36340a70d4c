import { AppError } from '../errors.ts'

/** What a field of a body takes, with what a message calls it; a `?` behind the kind says that it may be left out. */
const KINDS = {
  text: { what: 'a text', is: (value: unknown) => typeof value === 'string' },
  flag: { what: 'true or false', is: (value: unknown) => typeof value === 'boolean' },
  texts: { what: 'a list of texts', is: isTexts },
  list: { what: '"all" or a list of texts', is: (value: unknown) => value === 'all' || isTexts(value) },
  count: {
    what: 'a whole number or null',
    is: (value: unknown) => value === null || Number.isSafeInteger(value),
  },
  // What is nested deeper than rules are crosses to no other thread: a request could be lost on its way.
  rules: {
    what: 'an object of texts, flags and lists of texts',
    is: (value: unknown) =>
      isObject(value) && Object.values(value).every((each) => !isObject(each) && !isNested(each)),
  },
} as const

interface Values {
  text: string
  flag: boolean
  texts: string[]
  list: 'all' | string[]
  count: number | null
  rules: Record<string, unknown>
}

type Kind = keyof typeof KINDS
type Field = Kind | `${Kind}?`
export type Fields = Readonly<Record<string, Field>>

export type FieldValues<Described extends Fields> = {
  readonly [Name in keyof Described as Described[Name] extends Kind ? Name : never]: Values[Described[Name] &
    Kind]
} & {
  readonly [Name in keyof Described as Described[Name] extends `${Kind}?` ? Name : never]?:
    | (Described[Name] extends `${infer Base extends Kind}?` ? Values[Base] : never)
    | undefined
}

/**
 * The fields of a body, and no others: what is misspelt would change nothing, or let more be done than was meant.
 * @throws AppError `invalid_request`
 */
export function readFields<const Described extends Fields>(
  body: unknown,
  described: Described,
): FieldValues<Described> {
  if (!isObject(body)) throw wrong('the body should be a JSON object')
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(described, name))
  if (unknown !== undefined)
    throw wrong(
      `the body has a field ${JSON.stringify(unknown.slice(0, 50))}, which does not go with this request; ` +
        `it takes ${Object.keys(described).join(', ') || 'none'}`,
    )
  for (const [name, field] of Object.entries(described)) {
    const kind = field.replace('?', '') as Kind
    const isThere = Object.hasOwn(body, name)
    if (!isThere && field.endsWith('?')) continue
    if (!isThere || !KINDS[kind].is(body[name]))
      throw wrong(`the field ${name} should be ${KINDS[kind].what}`)
  }
  return body as FieldValues<Described>
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) && value.some((each) => typeof each === 'object')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(message: string): AppError {
  return new AppError('invalid_request', message)
}
