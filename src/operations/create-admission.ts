import { createTokenBuckets } from '../credentials/token-buckets.ts'
import { isForApp, type KeyRules } from '../domain/key-rules.ts'
import type { Network } from '../domain/network.ts'
import { addressMatches, parseNetwork } from '../domain/network.ts'
import type { Principal } from '../domain/principal.ts'
import type { PageHeaders, WebsitePattern } from '../domain/website.ts'
import { parseWebsite, websiteMatches } from '../domain/website.ts'
import { AppError } from '../errors.ts'
import type { TableMemory } from '../shared-memory/table.ts'
import { PreviewFinder } from '../sites/preview-finder.ts'
import type { Directory } from '../storage/store.ts'
import { type SiteAddresses, siteOfPreview, siteOrigins } from './site-origins.ts'

/** Where a request comes from. */
export interface ClientFacts extends PageHeaders {
  /** The client's address, forwarding by trusted proxies undone. */
  readonly address: string
}

/**
 * Holds a request to those of its key's rules that ask where it comes from and how often. A refusal names the rule,
 * never what it says.
 * @throws AppError `address_not_allowed`, `website_not_allowed`, `rate_limited` with `retryAfterSeconds`
 */
export type Admit = (principal: Principal, facts: ClientFacts) => void

/** What lets requests in by keys; accounts are bound by none of it. */
export interface Admission {
  readonly admit: Admit
  /**
   * Holds a request at an app, by its slug, to what the app has for all of its keys; asked behind `admit`. An app that the
   * key may not reach refuses nothing here, so that it tells nothing of itself.
   * @throws AppError `app_not_allowed` where the settings can't be read, and as `admit` does
   */
  readonly admitToApp: (principal: Principal, app: string, facts: ClientFacts) => void
}

/** Addresses whose verdict is kept with a key's rules, for to read one costs more than all other checks together. */
const KEPT_VERDICTS = 256

/** The rules that ask for that, of a key or of an app. */
type EntryRules = Pick<KeyRules, 'addresses' | 'websites' | 'localhost' | 'rate'>

interface PreparedRules {
  readonly networks: readonly Network[]
  readonly websites: readonly WebsitePattern[]
  readonly verdicts: Map<string, boolean>
}

/**
 * Makes the admission of one thread: the rate of a key is shared by all of its tokens, that of an app by all keys, and
 * both by all threads that are given the same memory for them. What comes from the wrong place uses up nothing of the rate, so that a key that
 * leaked can't be used to block its owner.
 * @param rates as `createBuckets` makes it
 */
export function createAdmission({ directory, sites, now, rates }: AdmissionParts): Admission {
  const prepared = new WeakMap<EntryRules, PreparedRules>()
  const takeRequest = createTokenBuckets(now, rates)
  const pagesOfSites = siteKeyWebsites(sites)
  const ofPreviews = { addresses: sites, previews: new PreviewFinder() }

  function preparedOf(rules: EntryRules): PreparedRules {
    const known = prepared.get(rules)
    if (known !== undefined) return known
    const made = {
      networks: parsed(rules.addresses, parseNetwork),
      websites: parsed(rules.websites, parseWebsite),
      verdicts: new Map<string, boolean>(),
    }
    prepared.set(rules, made)
    return made
  }

  /** A preview of a site is a page of it. */
  function isPageIn(patterns: readonly WebsitePattern[], facts: ClientFacts, localhost: boolean): boolean {
    if (websiteMatches(patterns, facts, localhost)) return true
    const site = facts.origin === undefined ? undefined : siteOfPreview(facts.origin, directory(), ofPreviews)
    return site !== undefined && websiteMatches(patterns, { origin: site }, false)
  }

  function hold(rules: EntryRules, { id, what, facts, pages }: Held): void {
    const { addresses, websites, rate } = rules
    if (addresses !== 'all' && !isAddressIn(facts.address, preparedOf(rules)))
      throw new AppError('address_not_allowed', `${what} may not be used from this address`)
    if (websites !== 'all' && !isPageIn(pages ?? preparedOf(rules).websites, facts, rules.localhost))
      throw new AppError('website_not_allowed', `${what} may only be used by pages of certain websites`)
    if (rate === null) return
    const waitMs = takeRequest(id, rate)
    if (waitMs > 0) throw rateLimited(what, waitMs)
  }

  return {
    admit: ({ keyId, rules }, facts) => {
      const pages = rules.websites === 'all' ? undefined : pagesOfSites(directory()).get(keyId)
      hold(rules, { id: keyId, what: 'this API key', facts, pages })
    },
    admitToApp: ({ owner, rules }, slug, facts) => {
      const app = directory().apps.get(slug)
      if (app?.settings === undefined || app.owner !== owner || !isForApp(rules, slug)) return
      if (app.damage !== undefined) throw settingsDamaged()
      hold(app.settings, { id: app.id, what: 'this app', facts })
    },
  }
}

interface AdmissionParts {
  readonly directory: () => Pick<Directory, 'apps' | 'sites'>
  readonly sites: SiteAddresses
  readonly now: () => number
  readonly rates?: TableMemory
}

interface Held {
  /** Of whose rate it is. */
  readonly id: string
  readonly what: string
  readonly facts: ClientFacts
  /** The websites of a key whose rules name none, for it is a site's. */
  readonly pages?: readonly WebsitePattern[] | undefined
}

type KeyWebsites = ReadonlyMap<string, readonly WebsitePattern[]>

/** Where the site is whose key it is, by the ids of keys; read once from a directory. */
function siteKeyWebsites(addresses: SiteAddresses): (directory: Pick<Directory, 'sites'>) => KeyWebsites {
  let known: { readonly sites: Directory['sites']; readonly websites: KeyWebsites } | undefined
  return ({ sites }) => {
    if (known?.sites !== sites) {
      const keyed = [...sites.values()].filter((site) => site.key !== null)
      const websites = keyed.map(
        (site) => [site.key!.id, parsed(siteOrigins(site, addresses), parseWebsite)] as const,
      )
      known = { sites, websites: new Map(websites) }
    }
    return known.websites
  }
}

function settingsDamaged(): AppError {
  return new AppError(
    'app_not_allowed',
    "no API key may use this app, for its settings can't be read; its owner can mend them on its page Security",
  )
}

function isAddressIn(address: string, { networks, verdicts }: PreparedRules): boolean {
  const known = verdicts.get(address)
  if (known !== undefined) return known
  const verdict = addressMatches(address, networks)
  if (verdicts.size >= KEPT_VERDICTS) verdicts.clear()
  verdicts.set(address, verdict)
  return verdict
}

/** What can't be read lets nobody in. */
function parsed<T>(texts: 'all' | readonly string[], parse: (text: string) => T | undefined): readonly T[] {
  if (texts === 'all') return []
  return texts.map(parse).filter((each) => each !== undefined)
}

function rateLimited(what: string, waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const message = `${what} is used more often than its rate allows; wait, and send fewer requests`
  return new AppError('rate_limited', message, { retryAfterSeconds })
}
