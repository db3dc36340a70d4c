import { once } from 'node:events'
import { serve } from '../../src/cli/commands/serve.ts'
import { print, say } from '../../src/cli/standard-streams.ts'
import { configFrom } from '../../src/config.ts'

/**
 * `sheaf serve` with a server that only waits, so that the command's own part can be watched: argv has the data
 * folder, how the server behaves, and as JSON what a first start
 * shows and whether a link for the first account is there.
 */
const [, , data = '', mode = 'quick', first = 'null', setupLink] = process.argv

const alive = setInterval(() => {}, 1000)
const bothSignals = Promise.all(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal)))
/** What the clock is ahead of the real one. */
let aheadMs = 0

const served = {
  addresses: ['https://localhost:8443'],
  setupLink,
  close: async () => {
    // The next signal comes long after the first one.
    if (mode === 'stuck') aheadMs = 60_000
    process.stdout.write('closing\n')
    if (mode === 'stuck') await new Promise(() => {})
    // What comes at once comes before the process is on its way out.
    if (mode === 'slow') await bothSignals
    clearInterval(alive)
    process.stdout.write('closed\n')
  },
}

await serve(configFrom({}, { data }), {
  print,
  say,
  now: () => performance.now() + aheadMs,
  startServer: async (_config, onFirstStart) => {
    const firstStart = JSON.parse(first)
    if (firstStart !== null) onFirstStart(firstStart)
    return served
  },
})
