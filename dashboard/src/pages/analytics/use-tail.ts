import { useEffect, useState } from 'react'
import {
  addSkipped,
  isRefused,
  NONE_SKIPPED,
  readTail,
  type Skipped,
  type TailEnd,
  type TailRequest,
} from '../../analytics/live-tail.ts'
import { ApiError } from '../../api.ts'
import { isSignedOut, useSessionStore } from '../../session.ts'

/** Requests that are kept in the list: so many errors, and as many others. */
export const MOST = 200

export type TailState = 'idle' | 'opening' | 'open' | 'hidden' | 'paused' | 'ended' | Ended

type Ended = 'timeOver' | 'noRight' | 'stopped'

const ENDS: Readonly<Record<Exclude<TailEnd, undefined>, Ended>> = {
  time: 'timeOver',
  no_right: 'noRight',
  stopped: 'stopped',
}

interface Taken {
  /** The newest first. */
  readonly requests: readonly TailRequest[]
  /** How many were left out beside them. */
  readonly skipped: Skipped
}

const NOTHING: Taken = { requests: [], skipped: NONE_SKIPPED }

/** One stream at most, which is closed while nobody can see what it brings. */
export function useTail(slug: string) {
  const session = useSessionStore()
  const [state, setState] = useState<TailState>('idle')
  const [error, setError] = useState<Error | null>(null)
  const [taken, setTaken] = useState(NOTHING)
  const [tries, setTries] = useState(0)
  const isHidden = useHidden()
  const isWanted = tries > 0 && !isHidden
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try is another stream.
  useEffect(() => {
    if (!isWanted) return
    const aborter = new AbortController()
    const { signal } = aborter
    setState('opening')
    readTail(slug, {
      signal,
      onOpen: () => signal.aborted || setState('open'),
      onRequests: (more, left) =>
        setTaken(({ requests, skipped }) => ({
          requests: newest([...more.toReversed(), ...requests]),
          skipped: addSkipped(skipped, left),
        })),
    }).then(
      (end) => finish(end === undefined ? 'ended' : ENDS[end]),
      (thrown: unknown) => {
        if (signal.aborted) return
        const why = thrown instanceof ApiError ? thrown : brokenOff()
        if (isSignedOut(why)) session.noteEnd()
        setError(why)
        finish('paused')
      },
    )
    const finish = (end: TailState): void => {
      if (signal.aborted) return
      setTries(0)
      setState(end)
    }
    return () => aborter.abort()
  }, [isWanted, slug, tries, session])
  const start = (): void => {
    setError(null)
    setTries((before) => before + 1)
  }
  const pause = (): void => {
    setTries(0)
    setState('paused')
  }
  return {
    ...taken,
    state: tries > 0 && isHidden ? ('hidden' as const) : state,
    error,
    start,
    pause,
    clear: () => setTaken(NOTHING),
  }
}

/** Errors stay although many others come. */
function newest(requests: readonly TailRequest[]): readonly TailRequest[] {
  const kept = { errors: 0, others: 0 }
  return requests.filter((request) => kept[isRefused(request) ? 'errors' : 'others']++ < MOST)
}

function brokenOff(): ApiError {
  return new ApiError('the connection to the server was lost', { code: 'unreachable', status: 0 })
}

/** Whether the page is in a window or tab that nobody sees. */
function useHidden(): boolean {
  const [isHidden, setIsHidden] = useState(document.hidden)
  useEffect(() => {
    const note = () => setIsHidden(document.hidden)
    document.addEventListener('visibilitychange', note)
    return () => document.removeEventListener('visibilitychange', note)
  }, [])
  return isHidden
}
