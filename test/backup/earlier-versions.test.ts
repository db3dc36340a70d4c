import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { restoreFolder } from '../../src/storage/sqlite/backup/restore-folder.ts'
import { openAccounts } from '../../src/storage/sqlite/control/open-accounts.ts'
import { appFile, controlFile } from '../../src/storage/sqlite/files/data-folder.ts'
import {
  APP_FILE_APPLICATION_ID,
  collectionTable,
  createAppTables,
} from '../../src/storage/sqlite/files/schema.ts'
import {
  backupOf,
  contentsOf,
  dataFolder,
  LIMITS,
  partOf,
  temporary,
  unzipped,
  zipped,
} from './backup-folder.ts'

/** An app's file as the first version wrote it. */
function firstAppFile(path: string): Buffer {
  const db = new DatabaseSync(path)
  createAppTables(db, 1)
  db.exec(`
    INSERT INTO collections (name) VALUES ('notes');
    ${collectionTable('c1')};
    INSERT INTO c1 VALUES (3, 'a', jsonb('{"_id":"a","n":1.0}')), (7, 2, jsonb('{"_id":2}'));
    PRAGMA application_id = ${APP_FILE_APPLICATION_ID};
    PRAGMA user_version = 1`)
  db.close()
  return readFileSync(path)
}

/** A control file as it was before keys counted how often their tokens were ended. */
function fourthControlFile(path: string): Buffer {
  const db = new DatabaseSync(path)
  db.exec(`
    PRAGMA journal_mode = DELETE;
    ALTER TABLE keys DROP COLUMN token_generation;
    ALTER TABLE apps DROP COLUMN settings;
    DROP TABLE passkeys;
    DROP TABLE identities;
    DROP TABLE site_domains;
    DROP TABLE traffic;
    DROP TABLE alerts;
    DROP TABLE account_quotas;
    DROP TABLE deploys;
    DROP TABLE sites;
    DELETE FROM kysely_migration WHERE name >= '005';
    PRAGMA user_version = 4`)
  db.close()
  return readFileSync(path)
}

it('a backup of an earlier Sheaf becomes a data folder of this one', async (t) => {
  let id = ''
  const dataDir = await dataFolder(t, async (accounts) => {
    ;({ id } = await accounts.createApp({ slug: 'demo', owner: null }, 'test'))
  })
  const parts = await unzipped(await backupOf(t, dataDir))
  parts.set(`apps/${id}.sqlite`, firstAppFile(join(temporary(t), 'first.sqlite')))
  parts.set('control.sqlite', fourthControlFile(controlFile(dataDir)))
  const manifest = JSON.parse(String(parts.get('manifest.json')))
  manifest.parts = [...parts]
    .filter(([name]) => name !== 'manifest.json')
    .map(([name, bytes]) => partOf(name, bytes))
  parts.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  const path = join(temporary(t), 'earlier.zip')
  await zipped(path, parts)
  const restored = join(temporary(t), 'restored')
  assert.equal((await restoreFolder({ source: path, dataDir: restored, limits: LIMITS })).documents, 2)
  assert.deepEqual(contentsOf(appFile(restored, id)), {
    notes: {
      documents: [
        [3, '{"_id":"a","n":1.0}'],
        [7, '{"_id":2}'],
      ],
      ...{ indexes: [], lastRowId: 7 },
    },
  })
  const accounts = await openAccounts({ dataDir: restored })
  assert.deepEqual(
    (await accounts.listApps()).map(({ slug }) => slug),
    ['demo'],
  )
  await accounts.close()
})
