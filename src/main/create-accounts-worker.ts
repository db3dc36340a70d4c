import type { AlertBoard } from '../alerts/alert-board.ts'
import { packageVersion } from '../config/package-version.ts'
import { ownHosts } from '../config/site-origin.ts'
import type { Config } from '../config.ts'
import type { QuotaMemory } from '../credentials/quota-uses.ts'
import { durationText } from '../domain/duration.ts'
import type { MemoryShares } from '../domain/memory.ts'
import type { AppError } from '../errors.ts'
import type { Log } from '../http/log/log.ts'
import { retryMs } from '../operations/keep-backup.ts'
import type { AccountsThreadSettings } from './accounts-thread-protocol.ts'
import { AccountsWorker } from './accounts-worker.ts'
import { memoryBytes } from './memory-bytes.ts'

interface AccountsWorkerParts {
  readonly memoryShares: MemoryShares
  readonly log: Log
  readonly originOfLinks: () => string
  readonly quotaUses: QuotaMemory
  /** Undefined where nobody is alerted. */
  readonly alerts?: Pick<AlertBoard, 'observe'>
}

/** The thread of accounts of a process; it starts when it is needed. */
export function createAccountsWorker(
  config: Config,
  { memoryShares, log, originOfLinks, quotaUses, alerts }: AccountsWorkerParts,
): AccountsWorker {
  const { dataDir, limits, isSignupOpen, mail, identityProvider, backups, slowMs, autoIndex, sitesDomain } =
    config
  const { heap, pageBytes } = memoryShares
  const facts = processFacts(config)
  return new AccountsWorker({
    settings: () => ({
      ...{ dataDir, limits, isSignupOpen, mail, identityProvider, pageBytes, backups },
      ...{ slowMs, isAutoIndexOn: autoIndex, quotaUses, webhookHosts: config.alerts.webhookHosts },
      ...{ origin: originOfLinks(), sitesDomain, ownHosts: ownHosts(config, []), process: facts },
    }),
    heap,
    onFailure: (error) => log.fault('the thread of accounts failed', error),
    onProblem: (line) => log.warn(line),
    onBackups: (conditions) => alerts?.observe('backup', conditions),
    onFailedBackup: (error) => tellOfBackup(log, { error, backups }),
  })
}

/** One line where the message says why; the stack is for what nobody expected. */
function tellOfBackup(
  log: Log,
  { error, backups }: { readonly error: AppError; readonly backups: Config['backups'] },
): void {
  const { folder, everyMs = 0 } = backups ?? { folder: '' }
  const again = durationText(retryMs(everyMs))
  const line = `the backup by the clock into ${folder} failed: ${error.message}; it is tried again in ${again}`
  if (error.code === 'internal') log.fault(line, error)
  else log.warn(line)
}

function processFacts({ httpThreads, readerThreads, memory }: Config): AccountsThreadSettings['process'] {
  return {
    version: packageVersion(),
    nodeVersion: process.version,
    system: `${process.platform} ${process.arch}`,
    startedAt: Date.now(),
    threads: { http: httpThreads, readers: readerThreads },
    memoryBytes: memoryBytes(memory).bytes,
  }
}
