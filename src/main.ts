import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { monotonicFactory } from 'ulid'
import type { Config } from './config.ts'
import { createAuthenticator } from './credentials/authenticate.ts'
import { createServer } from './http/server.ts'
import { loadOrCreateCertificate } from './http/tls.ts'
import type { OperationContext } from './operations/context.ts'
import { type FirstStart, provision } from './operations/provision.ts'
import { openControl } from './storage/sqlite/control.ts'
import { lockDataFolder, openDataFolder } from './storage/sqlite/data-folder.ts'
import { openSqliteStore } from './storage/sqlite/store.ts'

export interface RunningServer {
  readonly addresses: readonly string[]
  /** What the first start on a data folder made; the key is shown nowhere else. */
  readonly firstStart?: FirstStart | undefined
  /** Finishes what is in flight and closes every file. */
  close(): Promise<void>
}

/**
 * Wires the parts and starts them: data folder, store, then the HTTPS entrance.
 * @throws AppError `data_folder_unusable`, `data_folder_in_use`, `invalid_certificate`, `port_unavailable`
 */
export async function startServer(config: Config, log: (line: string) => void): Promise<RunningServer> {
  const { dataDir, limits, serviceNames } = config
  const toClose: (() => unknown)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of toClose.toReversed()) await close()
  }
  try {
    openDataFolder(dataDir)
    const lock = lockDataFolder(dataDir)
    toClose.push(() => lock.release())
    const tls = await loadOrCreateCertificate(dataDir, config)
    // Made here, so that a new data folder is whole before any thread looks at it.
    const control = openControl(dataDir)
    toClose.push(() => control.close())
    const logFault = (message: string, error: unknown): void => log(`${message}: ${describeFault(error)}`)
    const store = await openSqliteStore({
      dataDir,
      limits,
      serviceNames,
      scanThreads: Math.max(1, config.readerThreads - 1),
      onFailure: (error) => logFault('a storage thread failed', error),
    })
    toClose.push(() => store.close())
    const directory = () => store.directory()
    const context: OperationContext = {
      store,
      directory,
      limits,
      serviceNames,
      now: Date.now,
      unique: monotonicFactory(),
      uuid: randomUUID,
    }
    const authenticator = createAuthenticator({ directory, now: Date.now })
    const server = createServer({ context, authenticator, tls, logFault })
    const listening = await server.listen(config)
    toClose.push(() => server.close())
    const firstStart = await provision(control)
    // Whatever was made, by this start or one that was killed, is there when the first request comes.
    await store.refreshDirectory()
    return { addresses: addressesOf(config, listening), firstStart, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** What curl is given on this machine: the name that the self-made certificate is for, where that name leads here. */
function addressesOf({ host }: Config, listening: readonly AddressInfo[]): string[] {
  if (['localhost', '0.0.0.0', '::'].includes(host)) return [`https://localhost:${listening[0]!.port}`]
  return listening.map(({ port }) => `https://${host.includes(':') ? `[${host}]` : host}:${port}`)
}

function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause =
    error.cause instanceof Error ? `\n  caused by ${error.cause.stack ?? error.cause.message}` : ''
  return `${error.stack ?? error.message}${cause}`
}
