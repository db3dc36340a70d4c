import { KEY_RULES, type KeyRules, RULES, storedRules } from '../../domain/key-rules.ts'

/** How a key's rules are written down. */
export function rulesToText(rules: KeyRules): string {
  return JSON.stringify(storedRules(rules))
}

/** Entries of one list in a line of the audit trail, of which a thousand are read at once. */
const AUDITED_ENTRIES = 20

/** How rules stand in the audit trail: as they are kept, but for long lists, which end with how many more there are. */
export function auditedRules(rules: Partial<KeyRules>): Readonly<Record<string, unknown>> {
  return audited(storedRules(rules))
}

/** The same of what was set otherwise. */
export function audited(set: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(set).map(([name, value]) => [name, shortened(value)]))
}

function shortened(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= AUDITED_ENTRIES) return value
  return [...value.slice(0, AUDITED_ENTRIES), `… and ${value.length - AUDITED_ENTRIES} more`]
}

/** What could be read of a key's rules. */
export interface StoredRules {
  /** All of them, where none is damaged. */
  readonly rules: Partial<KeyRules>
  /** Those that are missing or have not their form. */
  readonly damaged: readonly (keyof KeyRules)[]
}

/**
 * Reads rules back. One that is missing is damaged, lest a rule that was lost let somebody in: a rule that comes into
 * being later is given to the keys that there are by a step of `migrations.ts`.
 */
export function rulesFromText(text: string): StoredRules {
  const stored = objectFrom(text)
  const storedOf = (rule: keyof KeyRules): unknown => stored[KEY_RULES[rule].storedAs]
  const damaged = RULES.filter((rule) => !KEY_RULES[rule].isValid(storedOf(rule)))
  const whole = RULES.filter((rule) => !damaged.includes(rule))
  return { rules: Object.fromEntries(whole.map((rule) => [rule, storedOf(rule)])), damaged }
}

/** Names rules for people. */
export function ruleWords(rules: readonly (keyof KeyRules)[]): string {
  return rules.map((rule) => KEY_RULES[rule].option).join(', ')
}

function objectFrom(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(JSON.parse(text) as object) } as Record<string, unknown>
  } catch {
    return {}
  }
}
