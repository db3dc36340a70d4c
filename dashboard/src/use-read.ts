import { useEffect, useRef, useState } from 'react'

interface Read<Result> {
  readonly data?: Result
  readonly error?: Error
  readonly isStopped?: boolean
}

/**
 * Reads something once, for pages without a session, which have no use for a cache.
 * @param key of what is read; another one reads anew
 */
export function useRead<Result>(key: string, read: (signal: AbortSignal) => Promise<Result>) {
  const [state, setState] = useState<Read<Result>>({})
  const [tries, setTries] = useState(1)
  const reading = useRef<AbortController>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the function, which is always another one.
  useEffect(() => {
    const aborter = new AbortController()
    const { signal } = aborter
    reading.current = aborter
    setState({})
    read(signal).then(
      (data) => signal.aborted || setState({ data }),
      (error: Error) => signal.aborted || setState({ error }),
    )
    return () => aborter.abort()
  }, [key, tries])
  const stop = (): void => {
    reading.current?.abort()
    setState({ isStopped: true })
  }
  return { ...state, stop, again: () => setTries(tries + 1) }
}
