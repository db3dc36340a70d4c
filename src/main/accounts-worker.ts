import { type MessagePort, Worker } from 'node:worker_threads'
import type { HeapLimits } from '../domain/memory.ts'
import type { CertificateFacts } from '../domain/server-facts.ts'
import type { AppError } from '../errors.ts'
import { errorOf } from '../storage/sqlite/protocol/failures.ts'
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
  /** Told of what an operator has to mend, sign-ins or mail, in a line for the log. */
  readonly onProblem: (line: string) => void
}

/**
 * The thread of accounts, as the thread keeps it that started it. It starts with the first call, for where nobody signs in
 * it would be memory for nothing, and anew after it has failed.
 */
export class AccountsWorker {
  private readonly options: AccountsWorkerOptions
  private worker: Worker | undefined
  private certificates: readonly CertificateFacts[] = []
  private closing = false

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

  /** What operators are told of the certificates that are served. */
  noteCertificates(certificates: readonly CertificateFacts[]): void {
    this.certificates = certificates
    this.worker?.postMessage(this.certificatesRequest())
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
    const { settings, heap, onFailure, onFailedBackup, onProblem } = this.options
    const worker = new Worker(new URL('./accounts-thread.ts', import.meta.url), {
      workerData: settings(),
      ...(heap && { resourceLimits: heap }),
    })
    worker.once('error', onFailure)
    worker.on('message', (report: AccountsThreadReport) => {
      if ('line' in report) onProblem(report.line)
      else (report.failed === 'backup' ? onFailedBackup : onFailure)(errorOf(report.failure))
    })
    // Its ports close with it, which those hear who wait at them.
    worker.once('exit', () => {
      this.worker = undefined
    })
    worker.postMessage(this.certificatesRequest())
    return worker
  }

  private certificatesRequest(): AccountsThreadRequest {
    return { ask: 'note-certificates', certificates: this.certificates }
  }
}
