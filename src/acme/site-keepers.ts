import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CertificateLog, CertificatePair } from '../certificates/load-or-create-certificate.ts'
import { hostFolder, hostFolders } from './acme-folder.ts'
import { ACME_LIMITS } from './acme-limits.ts'
import { type AcmeAuthority, CertificateKeeper } from './certificate-keeper.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import type { InTurn } from './in-turn.ts'
import { SiteJournal } from './site-journal.ts'

export interface SiteKeepersOptions {
  readonly dataDir: string
  readonly authority: AcmeAuthority
  readonly log: CertificateLog
  readonly inTurn: InTurn
  /** Hosts that are to have a certificate. */
  readonly wanted: () => Iterable<string>
  /** What an authority counts the certificates of a host by. */
  readonly groupOf: (host: string) => string
  readonly clock?: Clock
}

interface Kept {
  readonly keeper: CertificateKeeper
  /** When to look again. */
  nextAt: number
}

const JOURNAL = 'journal.json'
const FOLDER = /^[0-9a-f]{64}$/

/** Keeps a certificate for each host of a site, by ACME, one order at a time, and all within what one account may ask. */
export class SiteKeepers {
  private readonly options: SiteKeepersOptions
  private readonly clock: Clock
  private readonly folder: string
  private readonly journal: SiteJournal
  private readonly stopping = new AbortController()
  private readonly kept = new Map<string, Kept>()
  private running: Promise<void> | undefined

  /** @param known hosts whose certificates are served if there are some, those of sites that are off among them */
  constructor(options: SiteKeepersOptions, known: Iterable<string>) {
    this.options = options
    this.clock = options.clock ?? SYSTEM_CLOCK
    this.folder = hostFolders(options.dataDir)
    const path = join(this.folder, JOURNAL)
    this.journal = new SiteJournal({ path, clock: this.clock, log: options.log })
    const folders = new Set(foldersIn(this.folder))
    for (const host of known) if (folders.has(hostFolder(host))) this.keep(host)
  }

  /** The certificate of a host, while it is valid. */
  current(host: string): CertificatePair | undefined {
    return this.kept.get(host)?.keeper.current()
  }

  /** Begins to look after certificates; `onNew` is told of each new one. */
  start(onNew: () => void): void {
    this.running ??= this.run(onNew)
  }

  /** Gives up an order that is under way. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all([...this.kept.values()].map(({ keeper }) => keeper.stop()))
    await this.running
  }

  /** Looks at every host that is to have a certificate, and orders where that is due. */
  async check(onNew: () => void): Promise<void> {
    for (const host of this.options.wanted()) {
      if (this.stopping.signal.aborted) return
      const kept = this.kept.get(host) ?? this.keep(host)
      if (kept.nextAt > this.clock.now()) continue
      if (this.journal.nextOrderAt() > this.clock.now()) return
      const isNew = kept.keeper.current() === undefined
      const group = isNew ? this.options.groupOf(host) : undefined
      const waitsUntil = group === undefined ? 0 : this.waitsUntil(host, group)
      if (waitsUntil > this.clock.now()) {
        kept.nextAt = waitsUntil
        continue
      }
      const pauseMs = await kept.keeper.check(() => {
        this.journal.noteIssued(group)
        onNew()
      })
      kept.nextAt = this.clock.now() + pauseMs
    }
  }

  /** Removes certificates that have ended, of all other hosts. */
  async keepOnly(hosts: Iterable<string>): Promise<void> {
    const known = new Set([...hosts].map(hostFolder))
    for (const host of this.kept.keys()) if (!known.has(hostFolder(host))) this.kept.delete(host)
    for (const folder of foldersIn(this.folder))
      if (!known.has(folder) && endOf(join(this.folder, folder)) <= this.clock.now())
        await rm(join(this.folder, folder), { recursive: true, force: true })
  }

  private async run(onNew: () => void): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      await this.check(onNew).catch((error: Error) =>
        this.options.log.warn(`certificates of sites can't be looked after: ${error.message}`),
      )
      // Stopping rejects it, and then the loop ends.
      if (!signal.aborted) await this.clock.wait(ACME_LIMITS.siteLookMs, signal).catch(() => {})
    }
  }

  private keep(host: string): Kept {
    const { dataDir, authority, log, inTurn } = this.options
    const acme = { ...authority, domains: [host] }
    const onFailed = (retryAfterMs: number): void => this.journal.noteFailed(retryAfterMs)
    const keeper = new CertificateKeeper({ dataDir, acme, log, clock: this.clock, host, inTurn, onFailed })
    const kept = { keeper, nextAt: 0 }
    this.kept.set(host, kept)
    return kept
  }

  /** When a new certificate may be ordered for a host; a time that has passed where it may be at once. */
  private waitsUntil(host: string, group: string): number {
    const at = this.journal.nextNewAt(group)
    if (at > this.clock.now())
      this.options.log.warn(
        `the certificate for ${host} waits until ${new Date(at).toISOString()}: there may be no more new ones of ${group} in a week`,
      )
    return at
  }
}

/** 0 where there is none that can be read. */
function endOf(folder: string): number {
  try {
    return Date.parse(new X509Certificate(readFileSync(join(folder, 'certificate.pem'))).validTo)
  } catch {
    return 0
  }
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => FOLDER.test(name))
  } catch {
    return []
  }
}
