import type { DatabaseSync } from 'node:sqlite'
import type { Directory } from '../../store.ts'
import { selectApps } from './control-apps.ts'
import { selectKeys } from './control-keys.ts'
import { selectTokenSecrets } from './control-token-secrets.ts'

/** A part of its caller's transaction, without which it could be of two moments. */
export function selectDirectory(db: DatabaseSync): Directory {
  const keys = selectKeys(db)
  return {
    apps: new Map(selectApps(db).map((app) => [app.slug, app])),
    keysByHash: new Map(keys.flatMap((key) => key.secrets.map(({ hash }) => [hash, key]))),
    keysById: new Map(keys.map((key) => [key.id, key])),
    tokenSecrets: selectTokenSecrets(db),
  }
}
