const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Has something said when the process is stopped by Ctrl-C or SIGTERM, of which it then ends as it would without.
 * Answers what takes that back.
 */
export function whenStopped(say: () => void): () => void {
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
  const stop = (signal: NodeJS.Signals): void => {
    say()
    forget()
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return forget
}
