const LINE_ENDS = ['\r\n', '\n', '\r']

export interface MadeCsv {
  readonly text: string
  /** Lines that can't be read, from 1. */
  readonly badLines: readonly number[]
  /** The others, as JSON texts. */
  readonly documents: readonly string[]
}

/** A file with what files have: mixed line ends, a byte order mark, quotes, texts of digits, large numbers, and three bad lines. */
export function csvOfAllKinds(rows: number): MadeCsv {
  const bad = new Map([
    [Math.floor(rows / 3), 'too,few'],
    [Math.floor(rows / 2), '1,2,3,4,5,too many'],
    [rows - 1, '"three",fields,only'],
  ])
  const badLines: number[] = []
  const documents: string[] = []
  let text = '\ufeff_id,name,zip,big,note'
  let line = 1
  for (let row = 0; row < rows; row++) {
    text += LINE_ENDS[row % LINE_ENDS.length]
    line++
    const wrong = bad.get(row)
    if (wrong !== undefined) {
      badLines.push(line)
      text += wrong
      continue
    }
    const big = 9_007_199_254_740_993n + BigInt(row)
    text += `${row},"a ""${row}"", b",007,${big},${row % 10 === 0 ? '"one\r\ntwo"' : ''}`
    if (row % 10 === 0) line++
    const note = row % 10 === 0 ? ',"note":"one\\r\\ntwo"' : ''
    documents.push(`{"_id":${row},"name":"a \\"${row}\\", b","zip":"007","big":${big}${note}}`)
  }
  return { text, badLines, documents }
}
