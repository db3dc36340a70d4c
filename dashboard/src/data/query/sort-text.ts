import { parseJson } from '../../../../src/json/exact.ts'
import { stringify } from '../../../../src/json/stringify.ts'
import { isJsonNumber, isJsonObject, type JsonValue, quantity } from '../../../../src/json/value.ts'

const LIMITS = { nestingLevels: 4 }

export interface SortEntry {
  readonly name: string
  readonly isAscending: boolean
}

/** The fields of a sort, in order; undefined where the text is none that a list of fields can stand for. */
export function parseSortText(text: string): readonly SortEntry[] | undefined {
  const flags = flagsOf(text)
  return flags?.every(([, flag]) => flag === 1 || flag === -1)
    ? flags.map(([name, flag]) => ({ name, isAscending: flag === 1 }))
    : undefined
}

export function formatSortText(entries: readonly SortEntry[]): string {
  if (entries.length === 0) return ''
  return stringify(new Map(entries.map(({ name, isAscending }) => [name, isAscending ? 1 : -1])))
}

/** The fields that are chosen; undefined where the text is none that a list of fields can stand for. */
export function parseFieldsText(text: string): readonly string[] | undefined {
  const flags = flagsOf(text)
  return flags?.every(([, flag]) => flag === 1) ? flags.map(([name]) => name) : undefined
}

export function formatFieldsText(names: readonly string[]): string {
  return names.length === 0 ? '' : stringify(new Map(names.map((name) => [name, 1])))
}

function flagsOf(text: string): readonly (readonly [string, number | bigint | undefined])[] | undefined {
  if (text.trim() === '') return []
  const value = parsed(text)
  if (!isJsonObject(value)) return undefined
  return [...value].map(([name, flag]) => [name, isJsonNumber(flag) ? quantity(flag) : undefined])
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text, LIMITS)
  } catch {
    // Whoever typed it is told when it is sent.
    return undefined
  }
}
