import { AppError } from '../errors.ts'
import type { QueryParameters } from './request-target.ts'

const DECIMAL = /^\d+$/

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
export function integerParameter(parameters: QueryParameters, name: string, absent: number): number {
  const text = textParameter(parameters, name)
  if (text === undefined) return absent
  if (DECIMAL.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  throw new AppError(
    'invalid_parameter',
    `the parameter ${name} should be an integer from 0, in decimal digits`,
  )
}
