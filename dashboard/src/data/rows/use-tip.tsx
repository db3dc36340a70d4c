import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  type UIEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './grid.module.css'

/** How long the pointer or the focus rests on a cell before more is told of it. */
const RESTS_MS = 400
/** From the edges of the window; to the cell there is none, so that the pointer can go over to it. */
const EDGE_PX = 4

/** @returns what to tell of a cell; undefined where that is nothing */
type Tell = (cell: HTMLElement) => ReactNode

/** One tooltip for all cells of a grid, told by the pointer as well as by the focus (WCAG 2.2, 1.4.13). */
export function useTip(tell: Tell) {
  const id = useId()
  const [cell, setCell] = useState<HTMLElement>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const content = cell?.isConnected ? tell(cell) : undefined
  const hasContent = content !== undefined
  const rest = (target: EventTarget) => {
    clearTimeout(timer.current)
    const next = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
    if (next !== null) timer.current = setTimeout(() => setCell(next), RESTS_MS)
    return next
  }
  const hide = () => {
    clearTimeout(timer.current)
    setCell(undefined)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (cell === undefined || !hasContent) return
    // The focus may be anywhere while the pointer rests.
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setCell(undefined)
    }
    cell.setAttribute('aria-describedby', id)
    document.addEventListener('keydown', press)
    return () => {
      cell.removeAttribute('aria-describedby')
      document.removeEventListener('keydown', press)
    }
  }, [cell, hasContent, id])
  return {
    tip: cell !== undefined && hasContent && (
      <Tip id={id} cell={cell}>
        {content}
      </Tip>
    ),
    events: {
      onPointerOver: ({ target, pointerType }: PointerEvent) => {
        if (pointerType !== 'mouse' || isTip(target)) return
        if (rest(target) !== cell) setCell(undefined)
      },
      onPointerLeave: hide,
      // Not what is still to come: the focus may have had the grid scrolled.
      onScrollCapture: ({ target }: UIEvent) => {
        if (!isTip(target)) setCell(undefined)
      },
      onFocus: ({ target }: FocusEvent) => {
        hide()
        rest(target)
      },
      onBlur: hide,
    },
  }
}

function isTip(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[role=tooltip]') !== null
}

interface TipProps {
  readonly id: string
  readonly cell: HTMLElement
  readonly children: ReactNode
}

function Tip({ id, cell, children }: TipProps) {
  const tip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { style, offsetWidth, offsetHeight } = tip.current!
    const { left, top, bottom } = cell.getBoundingClientRect()
    const hasRoom = bottom + offsetHeight + EDGE_PX <= window.innerHeight
    style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - offsetWidth - EDGE_PX))}px`
    style.top = `${hasRoom ? bottom : top - offsetHeight}px`
  })
  return (
    <div ref={tip} id={id} role="tooltip" className={styles.tip}>
      {children}
    </div>
  )
}
