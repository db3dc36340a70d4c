import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server by `--import`: measures how long the turns of its event loop take, and tells the longest one
 * since the last time, in milliseconds, to whoever connects to the socket that is named in the environment. What the
 * main thread spent on waiting for a processor is left out, for it says how busy the machine is.
 */
const path = process.env.TURN_WATCH

function waitedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

function watch(socket: string): void {
  let longest = 0
  let before = { now: performance.now(), waited: waitedMs() }
  const look = (): void => {
    const after = { now: performance.now(), waited: waitedMs() }
    longest = Math.max(longest, after.now - before.now - (after.waited - before.waited))
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
