import { AppError } from '../errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Range {
  readonly least: number
  readonly most: number
}

/** An empty variable counts as not set, as shells and containers leave them; an empty option is a mistake. */
export function setting(
  option: string | undefined,
  name: string,
  variable: string | undefined,
): string | undefined {
  if (option === '') throw invalid(`${name} is empty; give it a value or leave it out`)
  return option ?? (variable === '' ? undefined : variable)
}

/** Names of an option that may be repeated, or of its variable with commas between. */
export function listSetting(
  options: readonly string[] | undefined,
  name: string,
  variable: string | undefined,
): readonly string[] {
  const texts = (options ?? variable?.split(',') ?? []).map((text) => text.trim())
  if (options !== undefined && texts.includes(''))
    throw invalid(`${name} is empty; give it a value or leave it out`)
  return texts.filter((text) => text !== '')
}

export function integer(name: string, text: string, { least, most }: Range): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalid(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`)
}

/** On where it is left out. */
export function switchFrom(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'on') return true
  if (text === 'off') return false
  throw invalid(`${name} takes on or off, not ${JSON.stringify(text)}`)
}

export function invalid(message: string): AppError {
  return new AppError('invalid_configuration', message)
}
