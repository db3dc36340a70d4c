import { createServer, type ListenOptions, type Server } from 'node:net'
import { portUnavailable } from './port-unavailable.ts'

/**
 * Whether several sockets may listen on one port so that the system shares out the connections among them: on Linux,
 * FreeBSD 12 and Solaris 11.4, not on macOS and Windows.
 */
export async function canSharePort(): Promise<boolean> {
  try {
    await closed(await listening({ host: '127.0.0.1', port: 0, reusePort: true }))
    return true
  } catch {
    return false
  }
}

/**
 * Finds that a port is free, for sockets that are going to share it: the system would let them share it with those of
 * another server of the same user, too. Answers the port, which 0 leaves to the system.
 * @throws AppError `port_unavailable`
 */
export async function freePort({ host, port }: { host: string; port: number }): Promise<number> {
  try {
    if (host !== 'localhost') return await tryPort({ host, port })
    const free = await tryPort({ host: '127.0.0.1', port })
    await tryPort({ host: '::1', port: free }).catch(passOverMissingIpv6)
    return free
  } catch (error) {
    throw portUnavailable(error as NodeJS.ErrnoException, port)
  }
}

async function tryPort(options: { host: string; port: number }): Promise<number> {
  const server = await listening(options)
  const { port } = server.address() as { port: number }
  await closed(server)
  return port
}

function passOverMissingIpv6(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
}

function listening(options: ListenOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(options, () => resolve(server))
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
