import { Command, Option } from 'commander'
import { isoTime } from '../../domain/iso-time.ts'
import type { KeyRulesInput } from '../../domain/key-rules-input.ts'
import { SAFE_BITS, secretBits } from '../../domain/secret-strength.ts'
import type { OwnerContext } from '../../operations/context.ts'
import { type CreatedKey, createKey } from '../../operations/create-key.ts'
import { describeKey } from '../../operations/describe-key.ts'
import { endKeyTokens } from '../../operations/end-key-tokens.ts'
import { revokeKey } from '../../operations/revoke-key.ts'
import { type RotatedKey, rotateKey } from '../../operations/rotate-key.ts'
import { updateKey } from '../../operations/update-key.ts'
import { KEY_COLUMNS, keyRow, keySentences } from '../key-output.ts'
import {
  type CommandResult,
  dataOption,
  jsonOption,
  makeAndShow,
  type OutputOptions,
  report,
  reportDone,
  table,
} from '../output.ts'
import { ownerEmails, tableWithOwners } from '../owner-emails.ts'
import type { Terminal } from '../program.ts'
import { readSecret } from '../read-secret.ts'
import { addLiftingOptions, addRuleOptions, type RuleOptions, rulesInput } from '../rule-options.ts'
import { withControl } from '../with-control.ts'

/** `sheaf key …`: works on the data folder itself, beside a running server or without one. */
export function keyCommand(terminal: Terminal): Command {
  return new Command('key')
    .description('make, list, change, rotate and revoke API keys')
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(updateCommand(terminal))
    .addCommand(rotateCommand(terminal))
    .addCommand(endTokensCommand(terminal))
    .addCommand(revokeCommand(terminal))
}

function createCommand({ env, print, printError, input }: Terminal): Command {
  return addRuleOptions(
    new Command('create')
      .description('make an API key; it is printed this once and can not be shown again')
      .option('--name <name>', 'what to call it (required)')
      .addOption(secretOption()),
  )
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(
      async (options: OutputOptions & RuleOptions & SecretOptions & { name?: string }, command: Command) => {
        // Not `requiredOption`, which would complain of the missing name where `--nmae` was written.
        const wanted = options.name ?? command.error("required option '--name <name>' not specified")
        const secret = options.secretStdin ? await readSecret({ input, printError }) : undefined
        const rules = rulesInput(options)
        const unreached = await withControl({ env, options }, async (account) => {
          const key = { name: wanted, rules, secret }
          await makeAndShow(print, options, resultOf(secret, 'made'), (show) => createKey(account, key, show))
          return unreachedApps(account, rules)
        })
        note(printError, unreached, rules)
        warnOfFewBits(printError, secret)
      },
    )
}

interface SecretOptions {
  readonly secretStdin?: true
}

function secretOption(): Option {
  return new Option(
    '--secret-stdin',
    'take the secret from standard input: 24 to 128 of A-Z, a-z, 0-9, _ and -',
  )
}

/** The one time that a secret is shown; one that was given is not. */
function resultOf(given: string | undefined, what: string): (made: CreatedKey) => CommandResult {
  return ({ record, apiKey }) => {
    const { name, ...rest } = describeKey(record)
    if (given === undefined) return { text: apiKey, json: { name, key: apiKey, ...rest } }
    return { text: `Key ${name} is ${what}, with the secret that was given.`, json: { name, ...rest } }
  }
}

function warnOfFewBits(printError: Terminal['printError'], secret: string | undefined): void {
  const bits = secret === undefined ? SAFE_BITS : secretBits(secret)
  if (bits < SAFE_BITS)
    printError(
      `sheaf: this secret has at most about ${bits} bits of possible values, fewer than ${SAFE_BITS}, and may be ` +
        'guessed; limit the key by --address, --rate and --expires, and rotate it as soon as you can',
    )
}

function listCommand({ env, print }: Terminal): Command {
  return new Command('list')
    .description("list the operator's API keys by name; the keys themselves are stored nowhere")
    .option('--accounts', 'list those of accounts, too, which only their owners can change')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (options: OutputOptions & { accounts?: true }) => {
      const { records, owners, now } = await withControl({ env, options }, async (account) => {
        const { control, owner, now } = account
        const records = await control.listKeys(options.accounts ? undefined : { owner })
        return { records, owners: await ownerEmails(account, records), now: now() }
      })
      const rows = records.map((record) => keyRow(record, now))
      report(print, options, {
        text: tableWithOwners(KEY_COLUMNS, rows, owners) + keySentences(records),
        json: records.map((record, index) => ({ ...describeKey(record), owner: owners[index] })),
      })
    })
}

function updateCommand({ env, print, printError }: Terminal): Command {
  return addLiftingOptions(
    addRuleOptions(
      new Command('update')
        .description("change some of an API key's rules, for its tokens too")
        .argument('<name>'),
    ),
  )
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (name: string, options: OutputOptions & RuleOptions) => {
      const rules = rulesInput(options)
      const { record, unreached, now } = await withControl({ env, options }, async (account) => ({
        record: await updateKey(account, { name, rules }),
        unreached: await unreachedApps(account, rules),
        now: account.now(),
      }))
      reportDone(print, options, {
        text: table(KEY_COLUMNS, [keyRow(record, now)]),
        json: describeKey(record),
      })
      note(printError, unreached, rules)
    })
}

function rotateCommand({ env, print, printError, input }: Terminal): Command {
  return new Command('rotate')
    .description('give a key a new secret; it is printed this once, and the old one works for a while')
    .argument('<name>')
    .option('--overlap <time>', 'how long the old one works: 24h, 90m, 2s, 0 (24h)')
    .addOption(secretOption())
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (name: string, options: OutputOptions & SecretOptions & { overlap?: string }) => {
      const secret = options.secretStdin ? await readSecret({ input, printError }) : undefined
      const { rotated, now } = await withControl({ env, options }, async (account) => ({
        rotated: await makeAndShow<RotatedKey>(print, options, resultOf(secret, 'rotated'), (show) =>
          rotateKey(account, { name, overlap: options.overlap, secret }, show),
        ),
        now: account.now(),
      }))
      if (options.json !== true) printError(afterRotation(rotated, now))
      warnOfFewBits(printError, secret)
    })
}

function afterRotation({ record, oldUntil }: RotatedKey, now: number): string {
  const { name, rules, secrets } = record
  const { expiresAt } = rules
  if (expiresAt !== null && expiresAt <= now)
    return (
      `${name} expired ${isoTime(expiresAt)}, with its new secret, too; ` +
      '"sheaf key update NAME --expires …" lets it go on.'
    )
  const isOver = secrets.length === 1
  const until = Math.min(oldUntil, expiresAt ?? Number.POSITIVE_INFINITY)
  const end = isOver
    ? 'has ended'
    : `works until ${isoTime(until)}${until === expiresAt ? ', when the key expires' : ''}`
  return `The old key of ${name} ${end}. Tokens of this key go on; "sheaf key end-tokens NAME" ends them.`
}

function endTokensCommand({ env, print }: Terminal): Command {
  return new Command('end-tokens')
    .description('end every token that was made from an API key; the key itself goes on')
    .argument('<name>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (name: string, options: OutputOptions) => {
      await withControl({ env, options }, (account) => endKeyTokens(account, name))
      reportDone(print, options, {
        text: `Every token of the key ${name} is void.`,
        json: { name, tokensEnded: true },
      })
    })
}

function revokeCommand({ env, print }: Terminal): Command {
  return new Command('revoke')
    .description('end an API key and every token made from it')
    .argument('<name>')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (name: string, options: OutputOptions) => {
      await withControl({ env, options }, (account) => revokeKey(account, name))
      reportDone(print, options, { text: `Key ${name} is revoked.`, json: { name, revoked: true } })
    })
}

/** Apps that a key was given and can't reach: those that there are not, or not yet, and those of others. */
interface UnreachedApps {
  readonly missing: readonly string[]
  readonly others: readonly string[]
}

async function unreachedApps(
  { control, owner }: OwnerContext,
  { apps = [] }: KeyRulesInput,
): Promise<UnreachedApps> {
  if (apps === 'all') return { missing: [], others: [] }
  const ownerOf = new Map((await control.listApps()).map((app) => [app.slug, app.owner]))
  const slugs = [...new Set(apps)]
  return {
    missing: slugs.filter((slug) => !ownerOf.has(slug)),
    others: slugs.filter((slug) => ownerOf.has(slug) && ownerOf.get(slug) !== owner),
  }
}

/** What may not have been meant. */
function note(
  printError: Terminal['printError'],
  { missing, others }: UnreachedApps,
  { collections = [] }: KeyRulesInput,
): void {
  if (missing.length > 0)
    printError(`sheaf: there is no app ${missing.join(', ')} yet; the key may use it once it is made`)
  if (others.length > 0)
    printError(`sheaf: ${others.join(', ')} belongs to an account; only a key of that account may use it`)
  if (collections === 'all') return
  for (const name of collections.filter((each) => each.includes(',')))
    printError(`sheaf: ${JSON.stringify(name)} is one collection; for several, repeat --collection`)
}
