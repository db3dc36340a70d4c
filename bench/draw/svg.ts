export const WIDTH = 760

/** What both plots are made with; the colours follow the reader's light or dark setting. */
export function svg(height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px }
  .faint { fill: #59636e; font-size: 12px }
  .paper { fill: #ffffff }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .spread { stroke: #1f2328; stroke-width: 1.5 }
  .own { fill: #0969da } .limit { fill: #9aa4ae } .peer { fill: #bf8700 }
  .line { fill: none; stroke-width: 2.5 }
  .line-0 { stroke: #0969da } .dot-0 { fill: #0969da }
  .line-1 { stroke: #1a7f37 } .dot-1 { fill: #1a7f37 }
  .line-2 { stroke: #9a6700 } .dot-2 { fill: #9a6700 }
  .line-3 { stroke: #cf222e } .dot-3 { fill: #cf222e }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .faint { fill: #9198a1 } .paper { fill: #0d1117 } .grid { stroke: #3d444d }
    .spread { stroke: #f0f6fc } .own { fill: #4493f8 } .limit { fill: #656c76 } .peer { fill: #d29922 }
    .line-0 { stroke: #4493f8 } .dot-0 { fill: #4493f8 } .line-1 { stroke: #3fb950 } .dot-1 { fill: #3fb950 }
    .line-2 { stroke: #d29922 } .dot-2 { fill: #d29922 } .line-3 { stroke: #f85149 } .dot-3 { fill: #f85149 }
  }
</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="16" y="26">${escaped(title)}</text>
${parts.join('\n')}
</svg>
`
}

export function text(
  content: string,
  { x, y, anchor = 'start', type = '' }: { x: number; y: number; anchor?: string; type?: string },
): string {
  return `<text class="${type}" x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escaped(content)}</text>`
}

export function line(type: string, [x1, y1, x2, y2]: readonly [number, number, number, number]): string {
  return `<line class="${type}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
