import type { DatabaseSync } from 'node:sqlite'
import type { AppRecord, Directory, KeyRecord } from '../../store.ts'
import { isWholeApp, selectApps } from './control-apps.ts'
import { selectKeys } from './control-keys.ts'
import { selectTokenSecrets } from './control-token-secrets.ts'

/** A part of its caller's transaction, without which it could be of two moments. */
export function selectDirectory(db: DatabaseSync): Directory {
  const keys = selectKeys(db)
  const apps = selectApps(db)
  const tokenSecrets = selectTokenSecrets(db)
  return {
    apps: new Map(apps.filter(isWholeApp).map((app) => [app.slug, app])),
    keysByHash: new Map(keys.flatMap((key) => key.secrets.map(({ hash }) => [hash, key]))),
    keysById: new Map(keys.map((key) => [key.id, key])),
    tokenSecrets,
    damages: [
      ...keys.filter(({ damage }) => damage !== undefined).map(keyDamage),
      ...apps.filter((app) => !isWholeApp(app)).map(appDamage),
      ...(tokenSecrets.some(({ until }) => until === null) ? [] : [NO_SECRET]),
    ],
  }
}

const NO_SECRET =
  'the secret that signs tokens can\'t be read: no token is made; "sheaf token rotate-secret" makes another one'

function keyDamage({ name, damage }: KeyRecord): string {
  return `the key ${JSON.stringify(name)} lets nobody in: ${damage}; "sheaf key update" or "sheaf key revoke" mends that`
}

function appDamage({ slug }: AppRecord): string {
  return `the app ${JSON.stringify(slug)} is passed over: its row in control.sqlite is damaged; restore it from a backup`
}
