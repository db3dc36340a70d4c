/**
 * Taller than this no list is laid out, for browsers clamp heights: Chromium and Safari at about 33.5 million pixels, Firefox
 * at 17.9 million.
 */
const MAX_PX = 8_000_000
/** At both ends of a list that is taller, so much is laid out as it is. */
const EXACT_PX = 1_000_000
/** How tall a list is laid out. */
export function layoutPx(rows: number, rowPx: number): number {
  return Math.min(rows * rowPx, MAX_PX)
}

/** Rows that are drawn above and below what is on screen. */
const OVERSCAN_ROWS = 4

/** The rows to draw. */
export interface RowWindow {
  readonly first: number
  /** The last one itself; before `first` where there is none. */
  readonly last: number
  /** Where the first is drawn, in pixels below the top of the list. */
  readonly topPx: number
}

/**
 * Which rows of a long list are on screen. Where the list is taller than `MAX_PX`, small moves of the scrollbar move it by just
 * as much, and far ones in proportion.
 */
export class RowScroller {
  private readonly rowPx: number
  private rows = 0
  private viewPx = 0
  /** Pixels of the whole list above what is on screen. */
  private offset = 0
  /** Where the scrollbar is. */
  private top = 0

  constructor(rowPx: number) {
    this.rowPx = rowPx
  }

  /** The first row that is seen whole. */
  get firstRow(): number {
    return Math.max(0, Math.min(this.rows - 1, Math.ceil(this.offset / this.rowPx)))
  }

  /** Rows that are seen whole. */
  get viewRows(): number {
    return Math.max(1, Math.floor(this.viewPx / this.rowPx))
  }

  /** @returns where the scrollbar has to be put, so that the rows on screen stay */
  resize({ rows, viewPx }: { readonly rows: number; readonly viewPx: number }): number {
    this.rows = rows
    this.viewPx = viewPx
    return this.moveTo(this.offset)
  }

  /** The scrollbar was moved. */
  scrolled(top: number): void {
    const moved = top - this.top
    if (moved === 0) return
    const isNear = Math.abs(moved) <= 2 * this.viewPx && top > 0 && top < this.farthestTop
    this.offset = isNear && this.isCompressed ? this.within(this.offset + moved) : this.offsetOf(top)
    this.top = top
  }

  /**
   * Small moves in a list that is taller than `MAX_PX` bring the scrollbar to where other rows should be.
   * @returns where it has to be put once it rests
   */
  settle(): number {
    return this.moveTo(this.offset)
  }

  /** @returns where the scrollbar has to be put, so that a row is the first on screen */
  reveal(row: number): number {
    return this.moveTo(row * this.rowPx)
  }

  /** @returns where the scrollbar has to be put, so that a row is on screen; undefined where it is */
  show(row: number): number | undefined {
    const above = row * this.rowPx
    const below = above + this.rowPx - this.viewPx
    if (above < this.offset) return this.moveTo(above)
    return below > this.offset ? this.moveTo(below) : undefined
  }

  window(): RowWindow {
    const first = Math.max(0, Math.floor(this.offset / this.rowPx) - OVERSCAN_ROWS)
    const end = Math.ceil((this.offset + this.viewPx) / this.rowPx) + OVERSCAN_ROWS
    return {
      first,
      last: Math.min(this.rows, end) - 1,
      topPx: this.top - this.offset + first * this.rowPx,
    }
  }

  private get wholePx(): number {
    return this.rows * this.rowPx
  }

  private get isCompressed(): boolean {
    return this.wholePx > MAX_PX
  }

  private get farthest(): number {
    return Math.max(0, this.wholePx - this.viewPx)
  }

  private get farthestTop(): number {
    return Math.max(0, layoutPx(this.rows, this.rowPx) - this.viewPx)
  }

  private within(offset: number): number {
    return Math.max(0, Math.min(this.farthest, offset))
  }

  private moveTo(offset: number): number {
    this.offset = this.within(offset)
    this.top = Math.round(this.topOf(this.offset))
    return this.top
  }

  /** How much taller than its layout the list is between its exact ends. */
  private get ratio(): number {
    return (this.farthest - 2 * EXACT_PX) / (this.farthestTop - 2 * EXACT_PX)
  }

  private topOf(offset: number): number {
    if (!this.isCompressed || offset <= EXACT_PX) return offset
    const left = this.farthest - offset
    return left <= EXACT_PX ? this.farthestTop - left : EXACT_PX + (offset - EXACT_PX) / this.ratio
  }

  private offsetOf(top: number): number {
    if (!this.isCompressed || top <= EXACT_PX) return this.within(top)
    const left = this.farthestTop - top
    return this.within(left <= EXACT_PX ? this.farthest - left : EXACT_PX + (top - EXACT_PX) * this.ratio)
  }
}
