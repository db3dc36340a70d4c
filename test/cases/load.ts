import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseJson } from '../../src/json/exact.ts'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts'

export type CaseRoom = 'query' | 'update'

/** One case as it was written, its numbers with all of their digits. */
export interface Case {
  /** Where it stands, relative to the project's root. */
  readonly file: string
  readonly name: string
  readonly fields: JsonObject
}

const ROOT = join(import.meta.dirname, '../..')
/** Cases carry documents and queries at the service's own bound of nesting, inside an array of objects. */
const LIMITS = { nestingLevels: 1000 }
/** A case a line: those with a NUL are refused by the parser (decisions.md), whose own tests cover it. */
const WITH_NUL = /^.*\\u0000.*\n/gm

/**
 * The cases of one room: our own from `test/cases/<room>/`, and those shared beside the project where that
 * folder exists. Cases named in `test/cases/skipped-<room>.json` contradict decisions.md and are left out.
 */
export function loadCases(room: CaseRoom): Case[] {
  const folder = join(import.meta.dirname, room)
  const own = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  const files = own.sort().map((name) => join(folder, name))
  const shared = join(ROOT, '../shared/cases', `${room}.json`)
  if (existsSync(shared)) files.push(shared)
  const skipped = skippedNames(room)
  return files.flatMap(readCases).filter(({ name }) => !skipped.has(name))
}

function skippedNames(room: CaseRoom): ReadonlySet<string> {
  const file = join(import.meta.dirname, `skipped-${room}.json`)
  return new Set(existsSync(file) ? readCases(file).map(({ name }) => name) : [])
}

function readCases(path: string): Case[] {
  const value = parseJson(readFileSync(path, 'utf8').replace(WITH_NUL, ''), LIMITS)
  const file = relative(ROOT, path)
  if (!isJsonArray(value)) throw new Error(`${file} should hold an array of cases`)
  return value.map((element) => toCase(file, element))
}

function toCase(file: string, fields: JsonValue): Case {
  const name = isJsonObject(fields) ? fields.get('name') : undefined
  if (!isJsonObject(fields) || typeof name !== 'string')
    throw new Error(`${file} holds a case without a name`)
  return { file, name, fields }
}
