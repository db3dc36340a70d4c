import { Client } from 'pg'
import {
  DIRECTORY_SELECTS,
  type DirectoryRows,
  directoryFrom,
  VERSION_SELECT,
} from '../accounts/directory-rows.ts'
import type { Directory } from '../store.ts'
import { postgresError } from './account-failures.ts'
import { DIRECTORY_CHANNEL, VALUE_TYPES } from './postgres-connection.ts'

/** A net for what a notification that was lost would have told. */
const POLL_MS = 500

export interface PostgresWatchOptions {
  readonly connectionString: string
  readonly onChange: (directory: Directory) => void
  /** Told each time that the database answered: the directory is good until then. */
  readonly onPoll: () => void
  readonly onFailure: (error: unknown) => void
  readonly pollMs?: number
}

/** Tells the directory as it is, and each time that it has changed, by whichever process. */
export class PostgresDirectoryWatch {
  private readonly options: PostgresWatchOptions
  private readonly timer: NodeJS.Timeout
  private client: Client | undefined
  private version: bigint | undefined
  /** One poll after the other, for they share a connection. */
  private polling: Promise<void> = Promise.resolve()
  private isClosed = false

  constructor(options: PostgresWatchOptions) {
    this.options = options
    this.timer = setInterval(() => void this.poll(), options.pollMs ?? POLL_MS).unref()
  }

  /** Resolves when the directory holds every change that was committed before the call, or the failure was told. */
  poll(): Promise<void> {
    this.polling = this.polling.then(() => this.pollOnce()).catch((error) => this.giveUp(error))
    return this.polling
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.timer)
    await this.polling
    await this.client?.end()
  }

  private async pollOnce(): Promise<void> {
    if (this.isClosed) return
    this.client ??= await this.connect()
    const { client } = this
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const { rows } = await client.query<{ version: bigint }>(VERSION_SELECT)
    const version = rows[0]?.version
    const directory = version === this.version ? undefined : await readDirectory(client)
    await client.query('COMMIT')
    this.version = version
    if (directory !== undefined) this.options.onChange(directory)
    this.options.onPoll()
  }

  private async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.options.connectionString, types: VALUE_TYPES })
    // Whoever asks next hears of it, and connects anew.
    client.on('error', () => {
      if (this.client === client) this.client = undefined
    })
    client.on('notification', () => void this.poll())
    try {
      await client.connect()
      await client.query(`LISTEN ${DIRECTORY_CHANNEL}`)
      return client
    } catch (error) {
      await client.end()
      throw error
    }
  }

  private async giveUp(error: unknown): Promise<void> {
    const { client } = this
    this.client = undefined
    this.options.onFailure(postgresError(error))
    await client?.end().catch(() => {})
  }
}

async function readDirectory(client: Client): Promise<Directory> {
  const rows: Record<string, unknown[]> = {}
  for (const [name, text] of Object.entries(DIRECTORY_SELECTS))
    rows[name] = (await client.query({ text, rowMode: 'array' })).rows
  return directoryFrom(rows as unknown as DirectoryRows)
}
