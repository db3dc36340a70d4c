import type { Kysely } from 'kysely'
import { AppError } from '../../errors.ts'
import type { NewSiteKey } from '../account-changes.ts'
import type { Actor } from '../account-store.ts'
import type { SiteKeyStore } from '../site-key-store.ts'
import type { AppRecord, KeyRecord } from '../store.ts'
import { appAt } from './apps.ts'
import { deleteKeyById, insertKey, selectKeyNames, selectKeys } from './keys.ts'
import { KyselyTrafficStore } from './kysely-traffic-store.ts'
import { freeName } from './restored-keys.ts'
import { putSiteKey, SITE_KEY_REACH, selectSiteKeyId } from './site-keys.ts'
import { auditedRules } from './stored-rules.ts'
import type { Tables } from './tables.ts'

/** Keys of sites over a query builder, for every database. */
export class KyselySiteKeyStore extends KyselyTrafficStore implements SiteKeyStore {
  createSiteKey({ app: address, hash, secret, rules: wanted }: NewSiteKey, actor: Actor): Promise<KeyRecord> {
    return this.log.change(actor, async (db) => {
      const { id: app, slug, owner } = await appAt(db, address)
      if ((await selectSiteKeyId(db, app)) !== undefined)
        throw new AppError('key_exists', 'the site has a key already; revoke it, or rotate it')
      const rules = { ...wanted, ...SITE_KEY_REACH, apps: [slug] }
      const name = await freeSiteKeyName(db, { owner, slug })
      const key = await insertKey(
        db,
        { owner, name, hash, rules },
        { now: this.now(), most: this.limits.keys },
      )
      await putSiteKey(db, { app, id: key.id, secret })
      return {
        ...{ result: { ...key, isSiteKey: true }, isOfDirectory: true },
        ...{ action: 'key.create', subject: name, app, details: { ...auditedRules(rules), site: slug } },
      }
    })
  }

  revokeSiteKey(address: AppRecord, actor: Actor): Promise<void> {
    return this.log.change(actor, async (db) => {
      const { id: app, owner } = await appAt(db, address)
      const id = await selectSiteKeyId(db, app)
      const key = (await selectKeys(db, { owner })).find((each) => each.id === id)
      if (key === undefined) throw new AppError('key_not_found', 'the site has no key')
      await deleteKeyById(db, key.id)
      return { result: undefined, action: 'key.revoke', subject: key.name, app, isOfDirectory: true }
    })
  }
}

/** @throws AppError `key_exists` where the owner has called very many keys so */
async function freeSiteKeyName(
  db: Kysely<Tables>,
  { owner, slug }: { owner: string | null; slug: string },
): Promise<string> {
  const name = freeName(await selectKeyNames(db, owner), `site ${slug}`)
  if (name !== undefined) return name
  throw new AppError('key_exists', `too many keys are called "site ${slug}" already; revoke those not used`)
}
