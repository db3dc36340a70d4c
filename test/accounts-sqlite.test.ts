import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { DEFAULT_LIMITS } from '../src/domain/limits.ts'
import type { AccountStore } from '../src/storage/account-store.ts'
import { openAccounts } from '../src/storage/sqlite/control/open-accounts.ts'
import { controlFile, openDataFolder } from '../src/storage/sqlite/files/data-folder.ts'
import { accountsAndLinks } from './account-contract/accounts.ts'
import { alerts } from './account-contract/alerts.ts'
import { appSettings } from './account-contract/app-settings.ts'
import { appsAndKeys } from './account-contract/apps-and-keys.ts'
import { auditSearch } from './account-contract/audit-search.ts'
import { damagedRows } from './account-contract/damaged-rows.ts'
import { deletedApps } from './account-contract/deleted-apps.ts'
import { guards } from './account-contract/guards.ts'
import { NOW, type TestAccounts } from './account-contract/harness.ts'
import { identities } from './account-contract/identities.ts'
import { ownerBounds } from './account-contract/owner-bounds.ts'
import { quotas } from './account-contract/quotas.ts'
import { restoredApps } from './account-contract/restored-apps.ts'
import { runs } from './account-contract/runs.ts'
import { signIn } from './account-contract/sign-in.ts'
import { siteDomains } from './account-contract/site-domains.ts'
import { siteKeys } from './account-contract/site-keys.ts'
import { sites } from './account-contract/sites.ts'
import { traffic } from './account-contract/traffic.ts'
import { trafficAdditions } from './account-contract/traffic-additions.ts'
import { upkeep } from './account-contract/upkeep.ts'
import { waysIn } from './account-contract/ways-in.ts'

async function openSqlite(t: TestContext): Promise<TestAccounts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sheaf-'))
  openDataFolder(dataDir)
  const clock = { now: NOW }
  const stores: AccountStore[] = []
  const open = async (limits = DEFAULT_LIMITS) => {
    const store = await openAccounts({ dataDir, now: () => clock.now, limits })
    stores.push(store)
    return store
  }
  t.after(async () => {
    for (const store of stores) await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    store: await open(),
    clock,
    open: (limits) => open({ ...DEFAULT_LIMITS, ...limits }),
    async run(sql) {
      const db = new DatabaseSync(controlFile(dataDir))
      db.exec(sql)
      db.close()
    },
    documents: () =>
      readdirSync(join(dataDir, 'apps'))
        .filter((name) => name.endsWith('.sqlite'))
        .map((name) => name.slice(0, -'.sqlite'.length)),
  }
}

for (const suite of [
  alerts,
  appsAndKeys,
  auditSearch,
  appSettings,
  damagedRows,
  accountsAndLinks,
  signIn,
  sites,
  siteKeys,
  guards,
  identities,
  siteDomains,
  deletedApps,
  ownerBounds,
  quotas,
  restoredApps,
  runs,
  traffic,
  trafficAdditions,
  upkeep,
  waysIn,
])
  suite('SQLite', openSqlite)
