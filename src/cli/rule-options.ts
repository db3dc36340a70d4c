import { type Command, Option } from 'commander'
import { KEY_RULES, type KeyRules, RULES } from '../domain/key-rules.ts'
import { type KeyRulesInput, RULE_FORMS } from '../domain/key-rules-input.ts'

/** The options of `key create` and `key update` as they were given, those that make up a key's rules among them. */
export type RuleOptions = Readonly<Record<string, unknown>>

interface RuleOption {
  readonly description: string
  /** Of a list it is given once for each entry; without an argument there is a `--no-…`. */
  readonly argument?: string
  readonly isList?: true
}

/** Every rule in the order of the help; one that is missing does not compile. */
const OPTIONS: Readonly<Record<keyof KeyRules, RuleOption>> = {
  apps: {
    argument: '<slug>',
    description: 'an app that the key may use, made or yet to be made',
    isList: true,
  },
  collections: { argument: '<name>', description: 'a collection that it may use', isList: true },
  permission: {
    argument: '<permissions>',
    description: 'full, or some of read,create,update,delete with commas between',
  },
  addresses: {
    argument: '<cidr>',
    description: 'an address or a network that it may be used from',
    isList: true,
  },
  websites: {
    argument: '<pattern>',
    description: 'a website whose pages may use it: host, https://host, *.host',
    isList: true,
  },
  localhost: { description: 'let pages on localhost and 127.0.0.1 pass the rule on websites (default)' },
  rate: { argument: '<rate>', description: 'requests that it may make: 100/min, 5/s, none' },
  expiresAt: {
    argument: '<when>',
    description: 'when it ends: 30d, 12h, 90m, 2s from now, 2027-01-31, never',
  },
  tokenLifetimeMs: { argument: '<time>', description: 'how long its tokens live: 10d, 12h, 90m, 2s' },
}

const IN_ORDER = Object.keys(OPTIONS) as (keyof KeyRules)[]

/** @param rules those that the command has, all where it is not given */
export function addRuleOptions(command: Command, rules: readonly (keyof KeyRules)[] = IN_ORDER): Command {
  for (const option of rules.flatMap(optionsOf)) command.addOption(option)
  return command
}

/**
 * For `key update` and `app update`: what lifts a rule that is a list. Not a word such as `all`, which could be the name of an app or
 * a collection, and would then open what it was meant to close.
 */
export function addLiftingOptions(command: Command, rules: readonly (keyof KeyRules)[] = IN_ORDER): Command {
  for (const rule of rules.filter((rule) => OPTIONS[rule].isList)) command.addOption(liftingOption(rule))
  return command
}

export function rulesInput(options: RuleOptions): KeyRulesInput {
  const written = (rule: keyof KeyRules): unknown => {
    const isLifted = OPTIONS[rule].isList && options[liftingOption(rule).attributeName()]
    return isLifted ? 'all' : options[attributeOf(rule)]
  }
  return Object.fromEntries(RULES.map((rule) => [RULE_FORMS[rule].name, written(rule)]))
}

function optionsOf(rule: keyof KeyRules): Option[] {
  const { description, argument, isList } = OPTIONS[rule]
  const { option } = KEY_RULES[rule]
  if (argument === undefined)
    return [new Option(option, description), new Option(option.replace('--', '--no-'), 'do not')]
  if (!isList) return [new Option(`${option} ${argument}`, description)]
  return [
    new Option(`${option} ${argument}`, `${description}; may be repeated`).argParser(
      (value: string, values: readonly string[] | undefined) => [...(values ?? []), value],
    ),
  ]
}

/** `--all-apps` */
function liftingOption(rule: keyof KeyRules): Option {
  const { option } = KEY_RULES[rule]
  return new Option(`--all-${rule}`, `lift the rule of ${option}`).conflicts(attributeOf(rule))
}

function attributeOf(rule: keyof KeyRules): string {
  return new Option(KEY_RULES[rule].option).attributeName()
}
