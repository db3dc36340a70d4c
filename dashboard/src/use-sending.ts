import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FileToSend } from './send-file.ts'

const NOTHING_SENT: { readonly sentBytes: number; readonly allBytes?: number } = { sentBytes: 0 }

/**
 * Sends a file, with how far it is. Who leaves the page stops it, and is asked before the tab goes.
 * @param send begins it
 */
export function useSending<Wanted, Result>(
  send: (wanted: Wanted, how: Pick<FileToSend, 'onProgress' | 'signal'>) => Promise<Result>,
  onSuccess: (result: Result, wanted: Wanted) => unknown,
) {
  const [{ sentBytes, allBytes }, setProgress] = useState(NOTHING_SENT)
  const aborter = useRef<AbortController>(undefined)
  const act = useMutation({
    mutationFn: (wanted: Wanted) => {
      aborter.current = new AbortController()
      setProgress(NOTHING_SENT)
      const onProgress = (sentBytes: number, allBytes: number) => setProgress({ sentBytes, allBytes })
      return send(wanted, { onProgress, signal: aborter.current.signal })
    },
    onSuccess,
  })
  const { isPending, error } = act
  useEffect(() => () => aborter.current?.abort(), [])
  useEffect(() => {
    if (!isPending) return
    const ask = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isPending])
  return {
    act,
    sentBytes,
    /** Undefined until some of them have left. */
    allBytes,
    isSent: allBytes !== undefined && sentBytes >= allBytes,
    isStopped: error?.name === 'AbortError',
    stop: () => aborter.current?.abort(),
  }
}
