import type { DiskFacts } from './disk-level.ts'

/** The process that serves. */
export interface ProcessFacts {
  /** Of Sheaf, and of Node.js. */
  readonly version: string
  readonly nodeVersion: string
  /** Such as `linux x64`. */
  readonly system: string
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number
  /** That serve HTTP, and that read documents. */
  readonly threads: { readonly http: number; readonly readers: number }
  readonly memory: {
    /** What of the process is in memory, of all its threads. */
    readonly usedBytes: number
    /** What it may use: of its container, or all that the machine has. */
    readonly mostBytes: number
  }
}

/** A certificate that is served. */
export interface CertificateFacts {
  /** Made here, given by the operator as files, or got from an authority by ACME. */
  readonly source: 'self-made' | 'files' | 'acme'
  /** Whether it is for hosts of sites alone, so that its names are none of the server's own. */
  readonly isOfSites?: true
  /** DNS names and addresses that it is good for. */
  readonly names: readonly string[]
  readonly issuer: string
  /** Milliseconds since the Unix epoch, here and below. */
  readonly validFrom: number
  readonly validTo: number
  /** SHA-256 of it, as pairs of hexadecimal digits between colons. */
  readonly fingerprint: string
}

/** A database file and its write-ahead log. */
export interface DatabaseBytes {
  readonly bytes: number
  readonly walBytes: number
}

export interface StorageFacts extends DiskFacts {
  /** Accounts, apps, keys, the audit trail. */
  readonly control: DatabaseBytes
  /** By the ids of apps, deleted ones among them. */
  readonly apps: ReadonlyMap<string, DatabaseBytes>
}

/** What is known of the server beside its accounts, at the moment of the call. */
export interface ServerFacts {
  readonly process: () => ProcessFacts
  readonly certificates: () => readonly CertificateFacts[]
  /** @throws SystemError of Node.js */
  readonly disk: () => Promise<DiskFacts>
  /** By the sizes of files alone. @throws AppError `store_unavailable` */
  readonly storage: () => Promise<StorageFacts>
}
