import { linkOrigin } from '../config/link-origin.ts'
import type { Config } from '../config.ts'
import { createQuotaUses } from '../credentials/quota-uses.ts'
import { createLog } from '../http/log/log.ts'
import { createSharedMemory } from '../shared-memory/memory-budget.ts'
import { openSqliteStore } from '../storage/sqlite/client/store.ts'
import { openControlFile } from '../storage/sqlite/control/control-file.ts'
import { lockDataFolder, openDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { createAccountsWorker } from './create-accounts-worker.ts'
import { fitToMachine } from './fit-to-machine.ts'
import { openLocalService } from './local-service.ts'
import { memoryBytes } from './memory-bytes.ts'
import { openFilesLimit } from './open-files.ts'

/** A server for commands alone, in the process of one of them. */
export interface CommandServer {
  /** Closes every file as soon as no command is connected any more. */
  close(): Promise<void>
}

const READERS = { foregroundThreads: 1, backgroundThreads: 1 }

/**
 * Opens the store of a data folder on which no server runs, and serves it by the socket that a server would have.
 * @throws AppError `data_folder_in_use` where another process has it, `data_folder_unusable`, `invalid_configuration`
 */
export async function startCommandServer(wanted: Config): Promise<CommandServer> {
  const { dataDir } = wanted
  openDataFolder(dataDir)
  // Before anything that costs time, for commands try this again and again while another process has it.
  const lock = lockDataFolder(dataDir)
  const toClose: (() => unknown)[] = [() => lock.release()]
  const closeAll = async (): Promise<void> => {
    for (const close of toClose.toReversed()) await close()
  }
  try {
    const { config, openApps, memoryShares } = fitToMachine(
      { ...wanted, httpThreads: 1 },
      { openFiles: openFilesLimit(), memory: memoryBytes(wanted.memory) },
    )
    const { limits, serviceNames } = config
    const log = createLog(config.logLevel)
    toClose.push(() => log.close())
    const control = await openControlFile(dataDir)
    control.close()
    const memory = createSharedMemory(memoryShares.budgetBytes)
    const quotaUses = createQuotaUses()
    const store = await openSqliteStore({
      ...{ dataDir, limits, serviceNames, openApps, memory, memoryShares },
      ...READERS,
      onFailure: (error) => log.fault('the store failed', error),
      onDamage: (line) => log.warn(line),
    })
    toClose.push(() => store.close())
    // Where a server would be that is started as this one is.
    const originOfLinks = (): string => linkOrigin(config, config.port)
    const accounts = createAccountsWorker(config, { memoryShares, log, originOfLinks, quotaUses })
    toClose.push(() => accounts.close())
    const observer = { onRead: () => undefined, onWrites: () => undefined }
    const service = await openLocalService({ config, memory, quotaUses, store, observer, accounts, log })
    toClose.push(() => service.closeWhenUnused())
    return { close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}
