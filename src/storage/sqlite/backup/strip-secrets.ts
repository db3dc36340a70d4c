import { DatabaseSync } from 'node:sqlite'
import { SETTING_KINDS } from '../../setting-names.ts'

const TABLES = [
  ...['token_secrets', 'recovery_codes', 'sessions', 'account_tokens', 'links'],
  // No secrets, but whoever has theirs would be let in.
  ...['passkeys', 'identities'],
]
const PLAIN_SETTINGS = Object.entries(SETTING_KINDS).flatMap(([name, kind]) =>
  kind === 'plain' ? [name] : [],
)

/**
 * Takes out of a copy of the control file what accounts sign in by, what tokens are signed with, and each setting that is not
 * known to be plain, so that not a byte of it is left. The hashes of API keys stay: a key has 200 random bits, so that its hash opens nothing.
 */
export function stripSecrets(path: string): void {
  const db = new DatabaseSync(path)
  try {
    db.exec('PRAGMA secure_delete = ON; BEGIN')
    for (const table of TABLES) db.exec(`DELETE FROM ${table}`)
    // No password has an empty hash, so that nobody gets in before another one was set.
    db.exec("UPDATE accounts SET password = '', totp_secret = NULL, totp_step = NULL")
    db.prepare('DELETE FROM settings WHERE name NOT IN (SELECT value FROM json_each(?))').run(
      JSON.stringify(PLAIN_SETTINGS),
    )
    db.exec('COMMIT')
    // What was overwritten or deleted is left in pages that are free now, and in the log.
    db.exec('PRAGMA journal_mode = DELETE; VACUUM')
  } finally {
    db.close()
  }
}
