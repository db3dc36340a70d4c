import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { layoutPx, RowScroller, type RowWindow } from './row-window.ts'

/** How long the scrollbar rests before the address says where it is. */
const RESTS_MS = 150
/** Moves to the side that are smaller draw nothing anew. */
const SIDE_STEP_PX = 64

interface RowWindowParts {
  readonly rows: number
  readonly rowPx: number
  /** Of what stays above the rows. */
  readonly headPx: number
  /** The row that is to be the first on screen. */
  readonly at: number
  readonly onAt: (index: number) => void
}

/** Which part of a list is on screen. */
export interface RowView extends RowWindow {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly model: RowScroller
  /** How tall the list is laid out. */
  readonly innerPx: number
  /** Of what is on screen, in pixels to the right of the begin of all columns; `SIDE_STEP_PX` more than there is to see. */
  readonly side: { readonly fromPx: number; readonly toPx: number }
  readonly onScroll: () => void
  readonly showRow: (row: number) => void
  readonly scrollSide: (toPx: number) => void
}

const NOTHING: RowWindow = { first: 0, last: -1, topPx: 0 }

export function useRowWindow({ rows, rowPx, headPx, at, onAt }: RowWindowParts): RowView {
  const scroller = useRef<HTMLDivElement>(null)
  const model = useMemo(() => new RowScroller(rowPx), [rowPx])
  const [drawn, setDrawn] = useState(NOTHING)
  const [fromPx, setFromPx] = useState(0)
  const size = useSize(scroller)
  const draw = () => {
    const next = model.window()
    setDrawn((before) => (isSame(before, next) ? before : next))
  }
  const scrollTo = (top: number): void => {
    const element = scroller.current
    if (element !== null && element.scrollTop !== top) element.scrollTop = top
    draw()
  }
  const drawSide = () => setFromPx(Math.floor(scroller.current!.scrollLeft / SIDE_STEP_PX) * SIDE_STEP_PX)
  const told = useRef(at)
  const placed = useRef<RowScroller>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it does depends on the size alone.
  useLayoutEffect(() => {
    if (size.height === 0) return
    const top = model.resize({ rows, viewPx: Math.max(rowPx, size.height - headPx) })
    scrollTo(placed.current === model ? top : model.reveal(told.current))
    placed.current = model
  }, [model, rows, rowPx, headPx, size.height])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another row moves it.
  useLayoutEffect(() => {
    if (at === told.current) return
    told.current = at
    if (placed.current !== undefined) scrollTo(model.reveal(at))
  }, [at])
  const rest = useRef<() => void>(undefined)
  rest.current = () => {
    scrollTo(model.settle())
    if (model.firstRow === told.current) return
    told.current = model.firstRow
    onAt(model.firstRow)
  }
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(resting.current), [])
  return {
    ...drawn,
    scroller,
    model,
    innerPx: layoutPx(rows, rowPx),
    side: { fromPx, toPx: fromPx + size.width + SIDE_STEP_PX },
    onScroll: () => {
      model.scrolled(scroller.current!.scrollTop)
      draw()
      drawSide()
      clearTimeout(resting.current)
      resting.current = setTimeout(() => rest.current?.(), RESTS_MS)
    },
    showRow: (row) => {
      const top = model.show(row)
      if (top !== undefined) scrollTo(top)
    },
    scrollSide: (toPx) => {
      scroller.current!.scrollLeft = toPx
      drawSide()
    },
  }
}

function isSame(one: RowWindow, other: RowWindow): boolean {
  return one.first === other.first && one.last === other.last && one.topPx === other.topPx
}

/** How much an element shows; never more than the window, whatever it stands in. */
function useSize(of: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = of.current!
    const measure = () =>
      setSize({ width: element.clientWidth, height: Math.min(element.clientHeight, window.innerHeight) })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return size
}
