import { type KeyRules, RULES } from './key-rules.ts'
import { RULE_FORMS, type RulesDescription } from './key-rules-input.ts'

/** A key's rules for people and programs: each text is one that `parseKeyRules` takes. */
export function describeRules(rules: KeyRules): RulesDescription {
  return describeSomeRules(rules) as RulesDescription
}

/** The same for those rules that are given. */
export function describeSomeRules(rules: Partial<KeyRules>): Partial<RulesDescription> {
  const given = RULES.filter((rule) => rules[rule] !== undefined)
  return Object.fromEntries(
    given.map((rule) => [RULE_FORMS[rule].name, RULE_FORMS[rule].describe(rules[rule] as never)]),
  )
}
