import { setTimeout as wait } from 'node:timers/promises'
import { type Config, configFrom } from '../config.ts'
import { AppError } from '../errors.ts'
import type { CommandServer } from '../main/start-command-server.ts'
import { requireDataFolder } from '../storage/sqlite/files/data-folder.ts'
import { serverSocket, socketPath } from '../storage/sqlite/files/run-folder.ts'
import { ServerConnection } from './server-connection.ts'
import { commandUser } from './with-control.ts'

/** How long a server may take to listen that has the data folder, as one does that starts. In milliseconds. */
const REACH_MS = 15_000
const TRY_MS = 50

interface Reached {
  readonly server: ServerConnection
  /** Where this process had to be the server. */
  readonly own?: CommandServer
}

/**
 * Runs one piece of work with the server of the data folder that the options name, by the socket in it. Where no server
 * runs, this process opens the store and is one for as long as commands use it, this and others that come meanwhile: so
 * there is one writer, and one way.
 * @throws AppError `invalid_configuration`, `data_folder_unusable`, `data_folder_in_use`, and what the work throws
 */
export async function withServer<T>(
  where: {
    env: Readonly<Record<string, string | undefined>>
    options: { readonly data?: string }
  },
  work: (server: ServerConnection) => Promise<T>,
  { reachMs = REACH_MS } = {},
): Promise<T> {
  const config = configFrom(where.env, { data: where.options.data })
  requireDataFolder(config.dataDir)
  const { server, own } = await reach(config, reachMs)
  try {
    return await work(server)
  } finally {
    server.close()
    await own?.close()
  }
}

async function reach(config: Config, reachMs: number): Promise<Reached> {
  const path = socketPath(serverSocket(config.dataDir))
  if (path === undefined) throw tooLong(config.dataDir)
  const by = { socketPath: path, user: commandUser() }
  const end = performance.now() + reachMs
  let own: CommandServer | undefined
  for (;;) {
    const server = await ServerConnection.open(by)
    if (server !== undefined) return { server, ...(own && { own }) }
    own ??= await startUnlessInUse(config)
    if (own === undefined && performance.now() > end) throw notListening(config.dataDir, path)
    if (own === undefined) await wait(TRY_MS)
  }
}

/** Undefined where another process has the data folder, which then listens or is about to. */
async function startUnlessInUse(config: Config): Promise<CommandServer | undefined> {
  // Loads the server, which where there is one already nobody needs here.
  const { startCommandServer } = await import('../main/start-command-server.ts')
  try {
    return await startCommandServer(config)
  } catch (error) {
    if (error instanceof AppError && error.code === 'data_folder_in_use') return undefined
    throw error
  }
}

function notListening(dataDir: string, path: string): AppError {
  return new AppError(
    'data_folder_in_use',
    `a server has ${dataDir}, but listens to no commands at ${path}; its log says why, or it is an older one: stop it, and try again`,
  )
}

function tooLong(dataDir: string): AppError {
  return new AppError(
    'data_folder_unusable',
    `the path of the socket ${serverSocket(dataDir)} is longer than the system allows; start this and the server in a folder near to it`,
  )
}
