import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server by `--import`: measures how long the turns of its event loop take, and tells the longest one
 * since the last time, in milliseconds, to whoever connects to the socket that is named in the environment. It is the time
 * of the processor that counts: what passes beside it says how busy the machine is.
 */
const path = process.env.TURN_WATCH

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function watch(socket: string): void {
  let longest = 0
  let before = usedMs()
  const look = (): void => {
    const after = usedMs()
    longest = Math.max(longest, after - before)
    before = after
  }
  setInterval(look, 1).unref()
  const server = createServer((connection) => {
    connection.on('error', () => {})
    connection.end(String(longest))
    longest = 0
  })
  server.listen(socket).unref()
}

if (isMainThread && path !== undefined) watch(path)
