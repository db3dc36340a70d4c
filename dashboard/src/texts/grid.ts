import type { PreviewValue } from '../data/rows/preview-row.ts'
import { counted, localTime } from '../texts.ts'

const MARKS: Readonly<Record<PreviewValue['kind'], string>> = {
  text: 'Ab',
  number: '12',
  boolean: 'T/F',
  null: '∅',
  object: '{ }',
  array: '[ ]',
}

const KINDS: Readonly<Record<PreviewValue['kind'], string>> = {
  text: 'text',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
  array: 'array',
}

/** The words of the table of documents, and of the other ways in which they are listed. */
export const GRID_TEXTS = {
  documents: 'Documents',
  marks: MARKS,
  headOf: (name: string, kinds: readonly PreviewValue['kind'][]) =>
    [name, ...kinds.map((kind) => KINDS[kind])].join(', '),
  choose: 'Choose',
  chooseOne: (id: string) => `Choose ${id}`,
  chooseAll: 'Choose all that are loaded',
  left: 'More',
  leftOf: (count: number) => counted(count, 'field'),
  leftMore: (count: number) => counted(count, 'more field'),
  more: (count: number) => `${count.toLocaleString()} more`,
  length: (length: number) => `${counted(length, 'character')} in all`,
  asTime: (time: string) => `As a time: ${localTime(time)} (${time})`,
  columnMenu: (name: string) => `Column ${name}`,
  moveLeft: 'Move left',
  moveRight: 'Move right',
  moveFirst: 'Move to the front',
  wider: 'Wider',
  narrower: 'Narrower',
  hide: 'Hide',
  hideOthers: 'Hide all others',
  asFound: 'All columns as they were found',
  hidden: 'Hidden',
  show: (name: string) => `Show ${name}`,
  copyChosen: (documents: number) => `Copy ${counted(documents, 'document')}`,
  copied: (documents: number) => `Copied from ${counted(documents, 'document')}`,
  notCopied: 'Not copied: the browser did not let it.',
  tooMany: (most: number) => `Not copied: ${most.toLocaleString()} documents at most.`,
} as const
