import { chmodSync } from 'node:fs'
import type { QuotaMemory } from '../credentials/quota-uses.ts'
import { createDashboard } from '../dashboard-api/create-dashboard.ts'
import { commandRequester } from '../dashboard-api/requester-of.ts'
import { AppError } from '../errors.ts'
import { LocalServer } from '../http/local-server.ts'
import type { SharedMemory } from '../shared-memory/memory-budget.ts'
import { openRunFolder, serverSocket, socketPath } from '../storage/sqlite/files/run-folder.ts'
import { AccountsClient } from './accounts-client.ts'
import type { AccountsWorker } from './accounts-worker.ts'
import { createOperationContext, type OperationParts } from './operation-context.ts'
import { createSharedLimits } from './shared-limits.ts'

export interface LocalServiceParts extends Omit<OperationParts, 'shared' | 'port'> {
  readonly memory: SharedMemory
  /** What accounts use of their quotas. */
  readonly quotaUses: QuotaMemory
  readonly accounts: Pick<AccountsWorker, 'serve'>
}

/** Where commands on this machine are served. */
export interface LocalService {
  /** Closes as soon as no command is connected any more. */
  closeWhenUnused(): Promise<void>
  /** Finishes what is in flight, for `limits.shutdownMs` at most. */
  close(): Promise<void>
}

/**
 * Serves the dashboard's interface by a socket in the data folder, to whoever runs commands on it. Only for the one that has
 * the lock on the folder.
 * @throws AppError `data_folder_unusable` where there can't be a socket
 */
export async function openLocalService(parts: LocalServiceParts): Promise<LocalService> {
  const { config, memory, quotaUses, store, accounts, log } = parts
  const { dataDir, limits } = config
  const path = listeningPath(dataDir)
  const shared = createSharedLimits(limits, { memory, quotaUses })
  const made = createOperationContext({ ...parts, shared, port: () => config.port })
  const client = new AccountsClient((port) => accounts.serve(port))
  const server = new LocalServer({
    context: made.context,
    dashboard: createDashboard({
      accounts: client,
      context: made.context,
      unobservedContext: made.unobservedContext,
      requesterOf: commandRequester,
      refreshDirectory: () => store.refreshDirectory(),
      openTail: () => Promise.reject(new AppError('unknown_path', 'there is nothing at this path')),
      servePages: () => Promise.reject(new AppError('unknown_path', 'there is nothing at this path')),
    }),
    log,
    counts: shared.counts,
  })
  const closeParts = async (): Promise<void> => {
    client.close()
    await made.close()
  }
  try {
    await server.listen(path)
    chmodSync(path, 0o600)
  } catch (error) {
    await closeParts()
    throw noSocket(dataDir, (error as Error).message, error)
  }
  return {
    closeWhenUnused: () => server.closeWhenUnused().then(closeParts),
    close: async () => {
      made.stopImports()
      await server.close()
      await closeParts()
    },
  }
}

/** @throws AppError `data_folder_unusable` */
function listeningPath(dataDir: string): string {
  openRunFolder(dataDir)
  const path = socketPath(serverSocket(dataDir))
  if (path === undefined)
    throw noSocket(
      dataDir,
      'its path is longer than the system allows; start the server in a folder near to it',
    )
  return path
}

function noSocket(dataDir: string, problem: string, cause?: unknown): AppError {
  const message = `there can be no socket for commands at ${serverSocket(dataDir)}: ${problem}`
  return new AppError('data_folder_unusable', message, { cause })
}
