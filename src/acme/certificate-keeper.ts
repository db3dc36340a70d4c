import type { CertificateLog, CertificatePair } from '../certificates/load-or-create-certificate.ts'
import { AcmeError, oneLine } from './acme-error.ts'
import { AcmeFolder, type Journal } from './acme-folder.ts'
import { ACME_LIMITS, DAY_MS, HOUR_MS } from './acme-limits.ts'
import { AcmeSession } from './acme-session.ts'
import { ChallengeResponder } from './challenge-responder.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import type { InTurn } from './in-turn.ts'
import { obtainCertificate } from './obtain-certificate.ts'
import { nextOrderAt, recentTimes, renewalAt, retryMs } from './renewal-schedule.ts'
import type { StoredCertificate } from './stored-certificate.ts'

/** Who gives certificates, and how it is asked. */
export interface AcmeAuthority {
  readonly email?: string | undefined
  /** The https address of an authority's directory. */
  readonly directory: string
  /** Where the challenges are answered. */
  readonly httpPort: number
}

export interface AcmeSettings extends AcmeAuthority {
  /** DNS names in lower case, at least one. */
  readonly domains: readonly string[]
}

export interface CertificateKeeperOptions {
  readonly dataDir: string
  readonly acme: AcmeSettings
  readonly log: CertificateLog
  readonly clock?: Clock
  /** Whose it is, where it is the certificate of the host of a site. */
  readonly host?: string
  /** Lets one order be placed at a time, for all answer at one port; without it at once. */
  readonly inTurn?: InTurn
  /** Told of an order that failed, and how long the authority wants to be left alone. */
  readonly onFailed?: (retryAfterMs: number) => void
}

/**
 * Keeps a certificate for public names fresh, by ACME (RFC 8555). Whatever fails, it says so in one line, leaves
 * what is served alone, and tries again.
 */
export class CertificateKeeper {
  private readonly options: CertificateKeeperOptions
  private readonly clock: Clock
  private readonly folder: AcmeFolder
  private readonly stopping = new AbortController()
  private kept: StoredCertificate | undefined
  private failures = 0
  private onFailure: ((line: string, failures: number) => void) | undefined
  private running: Promise<void> | undefined

  constructor(options: CertificateKeeperOptions) {
    this.options = options
    this.clock = options.clock ?? SYSTEM_CLOCK
    this.folder = new AcmeFolder(options.dataDir, options.host)
    try {
      this.kept = this.folder.certificate()
    } catch (error) {
      options.log.warn((error as Error).message)
    }
  }

  /** What a server can start with: the last certificate, while it is valid. */
  current(): CertificatePair | undefined {
    const { kept } = this
    return kept === undefined || kept.validTo <= this.clock.now() ? undefined : pairOf(kept)
  }

  /**
   * Begins to look after the certificate; `use` is handed each new one.
   * @param onFailure told of each order that failed in words, and how many did one after the other
   */
  start(use: (pair: CertificatePair) => void, onFailure?: (line: string, failures: number) => void): void {
    this.onFailure = onFailure
    this.running ??= this.run(use)
  }

  /** Gives up an order that is under way. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  /**
   * Gets a new certificate where one is due and the limits allow it.
   * @returns after how many milliseconds to look again
   */
  async check(use: (pair: CertificatePair) => void): Promise<number> {
    const now = this.clock.now()
    try {
      const journal = this.folder.journal()
      const due = this.dueAt(journal)
      if (due > now) return this.untilNextLook(due, now)
      const allowed = nextOrderAt(journal, now)
      if (allowed > now) {
        this.options.log.info(
          `${this.orderName()} waits until ${time(allowed)}: there were too many orders lately`,
        )
        return allowed - now
      }
      const { inTurn = (work) => work() } = this.options
      const certificate = await inTurn(() => this.order(journal, now)).catch(this.tellFailed)
      this.kept = certificate
      use(pairOf(certificate))
      this.failures = 0
      this.options.log.info(`${this.orderName()} has come and is valid until ${time(certificate.validTo)}`)
      return this.untilNextLook(this.dueAt(this.folder.journal()), this.clock.now())
    } catch (error) {
      return this.stopping.signal.aborted ? 0 : this.failed(error)
    }
  }

  private async run(use: (pair: CertificatePair) => void): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      const pauseMs = await this.check(use)
      // Stopping rejects it, and then the loop ends.
      if (!signal.aborted) await this.clock.wait(pauseMs, signal).catch(() => {})
    }
  }

  private async order(journal: Journal, now: number): Promise<StoredCertificate> {
    const { domains, directory, email, httpPort } = this.options.acme
    const { clock, folder } = this
    const accountKey = folder.accountKey()
    let written: Journal = { ...journal, orders: [...recentTimes(journal.orders, HOUR_MS, now), now] }
    const responder = new ChallengeResponder()
    await responder.listen(httpPort)
    try {
      // Before the authority hears of it: when this fails, it isn't asked.
      folder.saveJournal(written)
      const session = new AcmeSession({
        directory,
        accountKey,
        email,
        clock,
        signal: this.stopping.signal,
      })
      const beforeIssue = (): void => {
        written = { ...written, lost: [...recentTimes(journal.lost, 7 * DAY_MS, now), now] }
        folder.saveJournal(written)
      }
      const certificate = await obtainCertificate({ session, responder, domains, now, beforeIssue })
      const kept = { directory, domains: [...domains], at: clock.now() }
      folder.keep(certificate, { ...written, lost: [], kept })
      return certificate
    } finally {
      await responder.close()
    }
  }

  /** 0 is at once: there is none, or it is of another authority or for other names. */
  private dueAt({ kept }: Journal): number {
    const { domains, directory } = this.options.acme
    if (this.kept === undefined || kept === undefined || kept.directory !== directory) return 0
    if ([...kept.domains].sort().join() !== [...domains].sort().join()) return 0
    return renewalAt({ validFrom: this.kept.validFrom, validTo: this.kept.validTo, keptAt: kept.at })
  }

  private untilNextLook(due: number, now: number): number {
    const lifetime = this.kept === undefined ? 0 : this.kept.validTo - this.kept.validFrom
    const jitterMs = this.clock.random() * Math.min(ACME_LIMITS.jitterMs, lifetime / 50)
    return Math.min(Math.max(0, due - now), ACME_LIMITS.checkMs) + jitterMs
  }

  private readonly tellFailed = (error: unknown): never => {
    if (!this.stopping.signal.aborted) this.options.onFailed?.(retryAfterOf(error))
    throw error
  }

  private failed(error: unknown): number {
    this.failures += 1
    const asked = retryAfterOf(error)
    const pauseMs = Math.max(asked, retryMs(this.failures, this.clock.random()))
    const now = this.clock.now()
    const reason = error instanceof Error ? error.message : String(error)
    const next = `what is served stays, and the next try is at ${time(now + pauseMs)}`
    const line = `${this.orderName()} did not come: ${oneLine(reason)}`
    this.options.log.warn(`${line}; ${next}`)
    this.onFailure?.(line, this.failures)
    return pauseMs
  }

  private orderName(): string {
    const { domains, directory } = this.options.acme
    return `the certificate for ${domains.join(', ')} from ${new URL(directory).host}`
  }
}

function retryAfterOf(error: unknown): number {
  return error instanceof AcmeError ? error.retryAfterMs : 0
}

function pairOf({ cert, key }: StoredCertificate): CertificatePair {
  return { cert, key }
}

function time(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}
