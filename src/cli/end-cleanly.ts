import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does some work, during which a signal that ends the process has it emit `exit` first, where whoever has made temporary files
 * removes them. It ends as the signal alone would have ended it.
 */
export async function endCleanly<Result>(work: () => Promise<Result>): Promise<Result> {
  const onSignal = (signal: NodeJS.Signals): void => {
    for (const each of SIGNALS) process.off(each, onSignal)
    // Behind all others that listen; without a listener of its own a signal does what it does by default.
    process.once('exit', () => process.kill(process.pid, signal))
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
