import type { AppSettings } from '../domain/app-settings.ts'
import type { KeyRules } from '../domain/key-rules.ts'
import type { Quotas } from '../domain/quota.ts'

export interface AppRecord {
  /** Internal and never used again, also when the slug is. */
  readonly id: string
  readonly slug: string
  /** The account whose it is, by its id; null for the operator's. */
  readonly owner: string | null
  /** Milliseconds since the Unix epoch, here and below. */
  readonly createdAt: number
  /** What holds for all of its keys; missing where nothing was set. */
  readonly settings?: AppSettings
  /** What of the settings can't be read, in words. Then no key is let in. */
  readonly damage?: string
}

/** One secret of a key; the key itself is stored nowhere. */
export interface KeySecret {
  /** SHA-256 of the key in hexadecimal. */
  readonly hash: string
  /** When it stops working, where it was rotated out; null for the newest. */
  readonly until: number | null
}

export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** As an app's. */
  readonly owner: string | null
  readonly rules: KeyRules
  /** The newest first. */
  readonly secrets: readonly KeySecret[]
  readonly createdAt: number
  /** As exact as the store writes it down: about a minute. */
  readonly lastUsedAt: number | null
  /** How often its tokens were ended; a token carries the number of when it was made. 0 where it is missing. */
  readonly tokenGeneration?: number
  /** Published with a site, to whose pages alone it is good: its own rule on websites names none. */
  readonly isSiteKey?: true
  /** What of it can't be read, in words. Then its rules are none that were ever given, and it lets nobody in. */
  readonly damage?: string
}

/** A secret that tokens are signed with: HS256, 32 bytes. */
export interface TokenSecret {
  /** Named in a token's header, so that it is clear which one to check it by. */
  readonly kid: string
  readonly secret: Uint8Array
  /** When the last token signed with it ends, where it was rotated out; null for the one in use. */
  readonly until: number | null
}

/** What an app shows the world, where anything was ever deployed to it. */
export interface SiteRecord {
  /** By its id. */
  readonly app: string
  readonly slug: string
  /** The version that is served; null where none is. */
  readonly live: number | null
  /** Every version that is kept, with the SHA-256 of its manifest in hexadecimal. */
  readonly manifests: ReadonlyMap<number, string>
  /** What pages ask the API with; null where none was made. */
  readonly key: { readonly id: string; readonly secret: string } | null
  /** That were shown to be its owner's, in lower case. */
  readonly domains: readonly string[]
}

/** The apps, keys and sites at one moment, small enough to be kept in memory. */
export interface Directory {
  readonly apps: ReadonlyMap<string, AppRecord>
  /** By the hash of every secret that is kept; whether one has ended is for its `until` to say. */
  readonly keysByHash: ReadonlyMap<string, KeyRecord>
  readonly keysById: ReadonlyMap<string, KeyRecord>
  /** By the app's slug. */
  readonly sites: ReadonlyMap<string, SiteRecord>
  /** The newest first; that in use has no end, and may be missing where it was damaged. */
  readonly tokenSecrets: readonly TokenSecret[]
  /** Missing where nothing is limited. */
  readonly quotas?: Quotas
  /** What can't be read and is therefore closed or passed over, each in a line for the log. */
  readonly damages: readonly string[]
}
