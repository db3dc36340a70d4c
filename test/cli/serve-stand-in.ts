import { setTimeout as wait } from 'node:timers/promises'
import { serve } from '../../src/cli/commands/serve.ts'
import { print, say } from '../../src/cli/standard-streams.ts'
import { configFrom } from '../../src/config.ts'

/**
 * `sheaf serve` with a server that only waits, so that the command's own part can be watched: argv has the data
 * folder, how the server behaves, and what follows on serving, as JSON.
 */
const [, , data = '', mode = 'quick', first = 'null'] = process.argv

const alive = setInterval(() => {}, 1000)

const served = {
  addresses: ['https://localhost:8443'],
  close: async () => {
    process.stdout.write('closing\n')
    if (mode === 'stuck') await new Promise(() => {})
    // As long as a real one may take, so that what comes at once comes before the process is on its way out.
    if (mode === 'slow') await wait(500)
    clearInterval(alive)
    process.stdout.write('closed\n')
  },
}

await serve(configFrom({}, { data }), {
  print,
  say,
  startServer: async (_config, onFirstStart) => {
    const firstStart = JSON.parse(first)
    if (firstStart !== null) onFirstStart(firstStart)
    return served
  },
})
