/** Ctrl-C under `npm start` comes twice, from the terminal and from npm; that is one wish, not two. */
const ONE_WISH_MS = 1000

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP (the terminal is gone), also one that comes during the start. A second one ends the process at
 * once with exit code 1, for whoever can't wait.
 * @param now milliseconds of a clock that is never set back
 */
export function stopSignal(now: () => number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let first: number | undefined
  const onSignal = () => {
    first ??= now()
    if (now() - first > ONE_WISH_MS) process.exit(1)
    resolve()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('SIGHUP', onSignal)
  return promise
}
