import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FileToSend } from './send-file.ts'

/**
 * Sends a file, with how far it is. Who leaves the page stops it, and is asked before the tab goes.
 * @param send begins it
 */
export function useSending<Wanted extends { readonly file: Blob }, Result>(
  send: (wanted: Wanted, how: Pick<FileToSend, 'onProgress' | 'signal'>) => Promise<Result>,
  onSuccess: (result: Result, wanted: Wanted) => unknown,
) {
  const [sentBytes, setSentBytes] = useState(0)
  const aborter = useRef<AbortController>(undefined)
  const act = useMutation({
    mutationFn: (wanted: Wanted) => {
      aborter.current = new AbortController()
      setSentBytes(0)
      return send(wanted, { onProgress: setSentBytes, signal: aborter.current.signal })
    },
    onSuccess,
  })
  const { isPending, variables, error } = act
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
    isSent: variables !== undefined && sentBytes >= variables.file.size,
    isStopped: error?.name === 'AbortError',
    stop: () => aborter.current?.abort(),
  }
}
