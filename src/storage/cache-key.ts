import type { CountCommand, FindCommand } from './store.ts'

/**
 * What a read was read from: where a text is the same, so is what was made of it. A command with them may be answered
 * from memory, under a key that is made of the whole command.
 */
export interface FindTexts {
  readonly filter: string | undefined
  readonly sort: string | undefined
  readonly projection: string | undefined
  readonly after: string | undefined
}

export type CountTexts = Pick<FindTexts, 'filter'>

/**
 * What a field of a command is to the key under which its answer is cached:
 * - `text`: it was read from a text, which stands for it;
 * - `value`: it stands for itself;
 * - `address`: the cache is told by itself which collection an answer is about;
 * - `apart`: no answer depends on it.
 */
type Part<Command, Field extends keyof Command, Texts> = Field extends keyof Texts
  ? 'text'
  : NonNullable<Command[Field]> extends string | number | boolean
    ? 'value' | 'address' | 'apart'
    : Field extends 'texts'
      ? 'apart'
      : NonNullable<Command[Field]> extends (...parameters: never) => unknown
        ? 'apart'
        : never

type Parts<Command extends { readonly texts?: object }> = {
  readonly [Field in keyof Required<Command>]: Part<Command, Field, NonNullable<Command['texts']>>
}

/** A field that is missing here does not compile. One that is no plain value needs a text in `FindTexts`. */
const FIND_PARTS = {
  app: 'address',
  collection: 'address',
  filter: 'text',
  sort: 'text',
  projection: 'text',
  after: 'text',
  skip: 'value',
  limit: 'value',
  wantsPreviews: 'value',
  wantsEnd: 'value',
  partialAfterMs: 'value',
  isCancelled: 'apart',
  onReport: 'apart',
  texts: 'apart',
} as const satisfies Parts<FindCommand>

const COUNT_PARTS = {
  app: 'address',
  collection: 'address',
  filter: 'text',
  isCancelled: 'apart',
  onReport: 'apart',
  texts: 'apart',
} as const satisfies Parts<CountCommand>

type Named<Table, Kind> = { [Field in keyof Table]: Table[Field] extends Kind ? Field : never }[keyof Table]

const FIND_TEXTS = fieldsOf(FIND_PARTS, 'text')
const FIND_VALUES = fieldsOf(FIND_PARTS, 'value')
const COUNT_TEXTS = fieldsOf(COUNT_PARTS, 'text')

/** All that the answer to a find depends on beside the data and the collection; undefined without its texts. */
export function findKey(command: FindCommand): string | undefined {
  const { texts } = command
  if (texts === undefined) return undefined
  let key = ''
  for (const field of FIND_VALUES) key += `${command[field]},`
  for (const field of FIND_TEXTS) key += keyOfText(texts[field])
  return key
}

/** The same for a count. */
export function countKey({ texts }: CountCommand): string | undefined {
  if (texts === undefined) return undefined
  let key = ''
  for (const field of COUNT_TEXTS) key += keyOfText(texts[field])
  return key
}

/** The length says where a text ends, whatever it holds. */
function keyOfText(text: string | undefined): string {
  return text === undefined ? '-' : `${text.length}:${text}`
}

function fieldsOf<Table extends Readonly<Record<string, string>>, Kind extends string>(
  table: Table,
  kind: Kind,
): readonly Named<Table, Kind>[] {
  return Object.keys(table).filter((field) => table[field] === kind) as unknown as Named<Table, Kind>[]
}
