import { AppError } from '../errors.ts'
import type { Terminal } from './program.ts'
import { readToken } from './read-secret.ts'
import { remoteConnection } from './remote-connection.ts'
import type { ServerConnection } from './server-connection.ts'

export interface ConnectionOptions {
  readonly data?: string
  readonly server?: string
  readonly tokenStdin?: true
  readonly cacert?: string
}

/**
 * Runs one piece of work with the server that `--server` names, else with that of the data folder.
 * @throws AppError `invalid_configuration`, `server_unreachable`, and as `withServer` does
 */
export async function withConnection<T>(
  terminal: Terminal,
  options: ConnectionOptions,
  work: (server: ServerConnection) => Promise<T>,
): Promise<T> {
  const { server: url, cacert, tokenStdin } = options
  if (url === undefined) {
    if (tokenStdin || cacert !== undefined)
      throw new AppError(
        'invalid_configuration',
        '--token-stdin and --cacert go with --server; name that, too',
      )
    const { withServer } = await import('./with-server.ts')
    return withServer({ env: terminal.env, options }, work)
  }
  if (options.data !== undefined)
    throw new AppError('invalid_configuration', '--data and --server name two servers; give one of them')
  const token = tokenStdin ? await readToken(terminal) : terminal.env.SHEAF_TOKEN
  if (token === undefined || token === '')
    throw new AppError(
      'invalid_configuration',
      '--server takes the token of an account with the permission apps, from the page Account: in SHEAF_TOKEN, or by ' +
        '--token-stdin',
    )
  const server = remoteConnection({ url, token, cacert })
  try {
    return await work(server)
  } finally {
    server.close()
  }
}
