import { type MessagePort, Worker } from 'node:worker_threads'
import type { TrafficDelta } from '../analytics/traffic-delta.ts'
import type { Alert, AlertCondition } from '../domain/alerts.ts'
import type { HeapLimits } from '../domain/memory.ts'
import type { CertificateFacts } from '../domain/server-facts.ts'
import { AppError } from '../errors.ts'
import { errorOf, type Failure, failureOf } from '../storage/sqlite/protocol/failures.ts'
import type {
  AccountsThreadReport,
  AccountsThreadRequest,
  AccountsThreadSettings,
} from './accounts-thread-protocol.ts'

export interface AccountsWorkerOptions {
  /** Asked for when the thread starts. */
  readonly settings: () => AccountsThreadSettings
  readonly heap?: HeapLimits | undefined
  /** Told of a thread that ended by itself, and of work for nobody that failed, for the log. */
  readonly onFailure: (error: unknown) => void
  /** Told of a backup by the clock that failed, for the log. */
  readonly onFailedBackup: (error: AppError) => void
  /** Told of what is wrong with the backups by the clock, after each look at them. */
  readonly onBackups: (conditions: readonly AlertCondition[]) => void
  /** Told of what an operator has to mend, sign-ins or mail, in a line for the log. */
  readonly onProblem: (line: string) => void
}

const ENDED = failureOf(new AppError('outcome_unknown', 'the thread of accounts ended meanwhile'))

/**
 * The thread of accounts, as the thread keeps it that started it. It starts with the first call, for where nobody signs in
 * it would be memory for nothing, and anew after it has failed.
 */
export class AccountsWorker {
  private readonly options: AccountsWorkerOptions
  private worker: Worker | undefined
  private certificates: readonly CertificateFacts[] = []
  private closing = false
  /** Those who wait for what was counted to be added. */
  private readonly adding = new Map<number, PromiseWithResolvers<void>>()
  private lastId = 0

  constructor(options: AccountsWorkerOptions) {
    this.options = options
  }

  /** Has calls answered that are made at the other end of a port. */
  serve(port: MessagePort): void {
    if (this.closing) {
      port.close()
      return
    }
    this.worker ??= this.start()
    this.worker.postMessage({ ask: 'serve', port } satisfies AccountsThreadRequest, [port])
  }

  get servedCertificates(): readonly CertificateFacts[] {
    return this.certificates
  }

  /** What operators are told of the certificates that are served. */
  noteCertificates(certificates: readonly CertificateFacts[]): void {
    this.certificates = certificates
    this.worker?.postMessage(this.certificatesRequest())
  }

  /** Has alerts that were raised or ended written down and told; of none, those told that were not yet. */
  noteAlerts(alerts: readonly Alert[]): void {
    if (this.closing) return
    this.worker ??= this.start()
    this.worker.postMessage({ ask: 'note-alerts', alerts } satisfies AccountsThreadRequest)
  }

  /** Has what has ended removed from the store. */
  tidy(): void {
    if (this.closing) return
    this.worker ??= this.start()
    this.worker.postMessage({ ask: 'tidy' } satisfies AccountsThreadRequest)
  }

  /** Has a backup made where one is due. */
  backUp(): void {
    if (this.closing) return
    this.worker ??= this.start()
    this.worker.postMessage({ ask: 'back-up' } satisfies AccountsThreadRequest)
  }

  /** Whether there is a thread, which takes what is asked of it at no cost. */
  get isRunning(): boolean {
    return this.worker !== undefined && !this.closing
  }

  /**
   * Adds what was counted to what is kept, and notes that there; see `TrafficStore`.
   * @throws AppError `store_unavailable`; `outcome_unknown` where the thread ended meanwhile
   */
  addTraffic(delta: TrafficDelta, note: string): Promise<void> {
    if (this.closing) return Promise.reject(new AppError('store_unavailable', 'the server is stopping'))
    const id = ++this.lastId
    const added = Promise.withResolvers<void>()
    this.adding.set(id, added)
    this.worker ??= this.start()
    this.worker.postMessage({ ask: 'add-traffic', id, delta, note } satisfies AccountsThreadRequest)
    return added.promise
  }

  /** Resolves when what was begun is done, and the thread has ended. */
  async close(): Promise<void> {
    this.closing = true
    const { worker } = this
    if (worker === undefined) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage({ ask: 'close' } satisfies AccountsThreadRequest)
    await ended
  }

  private start(): Worker {
    const { settings, heap, onFailure, onFailedBackup, onBackups, onProblem } = this.options
    const worker = new Worker(new URL('./accounts-thread.ts', import.meta.url), {
      workerData: settings(),
      ...(heap && { resourceLimits: heap }),
    })
    worker.once('error', onFailure)
    worker.on('message', (report: AccountsThreadReport) => {
      if ('addedTraffic' in report) this.settle(report.addedTraffic, report.failure)
      else if ('line' in report) onProblem(report.line)
      else if ('backups' in report) onBackups(report.backups)
      else (report.failed === 'backup' ? onFailedBackup : onFailure)(errorOf(report.failure))
    })
    // Its ports close with it, which those hear who wait at them.
    worker.once('exit', () => {
      this.worker = undefined
      for (const id of [...this.adding.keys()]) this.settle(id, ENDED)
    })
    worker.postMessage(this.certificatesRequest())
    return worker
  }

  private settle(id: number, failure: Failure | undefined): void {
    const added = this.adding.get(id)
    this.adding.delete(id)
    if (failure === undefined) added?.resolve()
    else added?.reject(errorOf(failure))
  }

  private certificatesRequest(): AccountsThreadRequest {
    return { ask: 'note-certificates', certificates: this.certificates }
  }
}
