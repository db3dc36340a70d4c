import { useEffect, useState } from 'react'

/** For so long somebody who does nothing may still be reading. */
const ATTENDED_MS = 60 * 60 * 1000
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const

/**
 * Whether somebody has done something on the page within the last hour. What is read by the clock alone would keep the
 * session of a page that was left open from ending.
 */
export function useAttended(): boolean {
  const [isAttended, setIsAttended] = useState(true)
  useEffect(() => {
    let timer = setTimeout(() => setIsAttended(false), ATTENDED_MS)
    const note = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => setIsAttended(false), ATTENDED_MS)
      setIsAttended(true)
    }
    for (const act of ACTS) addEventListener(act, note, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const act of ACTS) removeEventListener(act, note)
    }
  }, [])
  return isAttended
}
