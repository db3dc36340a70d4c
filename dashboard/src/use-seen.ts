import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether an element has come into view, so that what nobody looks at asks for nothing. */
export function useSeen<Of extends Element>(): {
  readonly ref: RefObject<Of | null>
  readonly isSeen: boolean
} {
  const ref = useRef<Of>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
    })
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [])
  return { ref, isSeen }
}
