import { type Command, Option } from 'commander'
import type { KeyRulesInput } from '../operations/key-rules-input.ts'

/** The options of `key create` and `key update` that make up a key's rules. */
export interface RuleOptions {
  readonly app?: readonly string[]
  readonly collection?: readonly string[]
  readonly ip?: readonly string[]
  readonly website?: readonly string[]
  readonly allApps?: true
  readonly allCollections?: true
  readonly allIps?: true
  readonly allWebsites?: true
  readonly localhost?: boolean
  readonly permission?: string
  readonly rate?: string
  readonly expires?: string
  readonly tokenLifetime?: string
}

export function addRuleOptions(command: Command): Command {
  return command
    .addOption(listOption('--app <slug>', 'an app that the key may use, made or yet to be made'))
    .addOption(listOption('--collection <name>', 'a collection that it may use'))
    .option('--permission <verbs>', 'full, or some of read,create,update,delete with commas between')
    .addOption(listOption('--ip <cidr>', 'an address or a network that it may be used from'))
    .addOption(
      listOption('--website <pattern>', 'a website whose pages may use it: host, https://host, *.host'),
    )
    .option('--localhost', 'let pages on localhost and 127.0.0.1 pass the rule on websites (default)')
    .option('--no-localhost', 'do not')
    .option('--rate <rate>', 'requests that it may make: 100/min, 5/s, none')
    .option('--expires <when>', 'when it ends: 30d, 12h, 90m, 2s from now, 2027-01-31, never')
    .option('--token-lifetime <time>', 'how long its tokens live: 10d, 12h, 90m, 2s')
}

/**
 * For `key update`: what lifts a rule that is a list. Not a word such as `all`, which could be the name of an app or
 * a collection, and would then open what it was meant to close.
 */
export function addLiftingOptions(command: Command): Command {
  return command
    .addOption(liftingOption('--all-apps', 'app'))
    .addOption(liftingOption('--all-collections', 'collection'))
    .addOption(liftingOption('--all-ips', 'ip'))
    .addOption(liftingOption('--all-websites', 'website'))
}

export function rulesInput(options: RuleOptions): KeyRulesInput {
  return {
    apps: options.allApps ? 'all' : options.app,
    collections: options.allCollections ? 'all' : options.collection,
    addresses: options.allIps ? 'all' : options.ip,
    websites: options.allWebsites ? 'all' : options.website,
    permission: options.permission,
    localhost: options.localhost,
    rate: options.rate,
    expires: options.expires,
    tokenLifetime: options.tokenLifetime,
  }
}

function listOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; may be repeated`).argParser(
    (value: string, values: readonly string[] | undefined) => [...(values ?? []), value],
  )
}

function liftingOption(flag: string, list: string): Option {
  return new Option(flag, `lift the rule of --${list}`).conflicts(list)
}
