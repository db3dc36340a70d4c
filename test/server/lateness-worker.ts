import { parentPort } from 'node:worker_threads'

const EVERY_MS = 5

/**
 * Does nothing but look at the clock every few milliseconds; when asked, tells how late each look came since the last
 * time, in milliseconds. That is what a thread waits for that has nothing to do with any server.
 */
let lateness: number[] = []
let due = performance.now() + EVERY_MS

function look(): void {
  const now = performance.now()
  lateness.push(now - due)
  due = now + EVERY_MS
  setTimeout(look, EVERY_MS)
}
setTimeout(look, EVERY_MS)

parentPort!.on('message', () => {
  parentPort!.postMessage(lateness)
  lateness = []
})
