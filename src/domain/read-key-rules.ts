import { AppError } from '../errors.ts'
import type { KeyRulesInput, RulesDescription } from './key-rules-input.ts'

type Rule = keyof RulesDescription

const isText = (value: unknown): boolean => typeof value === 'string'
const isList = (value: unknown): boolean =>
  value === 'all' || (Array.isArray(value) && value.every((each) => typeof each === 'string'))

const TEXT = ['a text', isText] as const
const LIST = ['"all" or a list of texts', isList] as const

/** What each rule is as JSON; one that is missing does not compile. */
const JSON_FORMS: {
  readonly [Name in Rule]: readonly [form: string, isOfForm: (value: unknown) => boolean]
} = {
  permission: TEXT,
  apps: LIST,
  collections: LIST,
  addresses: LIST,
  websites: LIST,
  localhost: ['true or false', (value) => typeof value === 'boolean'],
  rate: TEXT,
  expires: TEXT,
  tokenLifetime: TEXT,
}

/**
 * Reads the rules of a key as they come in JSON; what the texts say is for `parseKeyRules` to check.
 * @throws AppError `invalid_rule`, also where a name is none of a rule: it could be a limit that was misspelt
 */
export function readKeyRules(json: unknown = {}): KeyRulesInput {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new AppError('invalid_rule', 'the rules must be an object, such as {"permission":"read"}')
  for (const [name, value] of Object.entries(json)) {
    if (!isRule(name))
      throw new AppError(
        'invalid_rule',
        `${JSON.stringify(name.slice(0, 100))} is no rule; the rules are ${Object.keys(JSON_FORMS).join(', ')}`,
      )
    const [form, isOfForm] = JSON_FORMS[name]
    if (!isOfForm(value)) throw new AppError('invalid_rule', `${name} must be ${form}`)
  }
  return { ...json }
}

function isRule(name: string): name is Rule {
  return Object.hasOwn(JSON_FORMS, name)
}
