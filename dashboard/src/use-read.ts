import { useEffect, useState } from 'react'

interface Read<Result> {
  readonly data?: Result
  readonly error?: Error
}

/**
 * Reads something once, for pages without a session, which have no use for a cache.
 * @param key of what is read; another one reads anew
 */
export function useRead<Result>(key: string, read: (signal: AbortSignal) => Promise<Result>) {
  const [state, setState] = useState<Read<Result>>({})
  const [tries, setTries] = useState(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the function, which is always another one.
  useEffect(() => {
    const aborter = new AbortController()
    const { signal } = aborter
    setState({})
    read(signal).then(
      (data) => signal.aborted || setState({ data }),
      (error: Error) => signal.aborted || setState({ error }),
    )
    return () => aborter.abort()
  }, [key, tries])
  return { ...state, again: () => setTries(tries + 1) }
}
