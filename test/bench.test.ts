import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Bar, barPlot } from '../bench/draw/bar-plot.ts'
import { linePlot } from '../bench/draw/line-plot.ts'
import { AnswerReader } from '../bench/load/answer-reader.ts'
import { cpuSeconds } from '../bench/process-usage.ts'
import { reportWith, sectionOf } from '../bench/report.ts'
import type { Row, RowResult } from '../bench/row.ts'
import { ROWS } from '../bench/rows.ts'
import { ratioOf, type Spread, spreadOf } from '../bench/statistics.ts'

describe('the report', () => {
  const rows = ROWS.slice(0, 2)
  const [first, second] = rows as [Row, Row]
  const result = (figure: string): RowResult => ({
    about: ['What it is.'],
    head: ['', 'requests/s'],
    cells: [['**Sheaf**', figure]],
    verdicts: ['Sheaf against bare HTTPS: 0.90 (0.80–1.00) ×; the target is at least 0.8: **met**'],
    plot: '<svg/>',
  })
  const section = (row: Row, figure: string): string => sectionOf(row, result(figure), ['One day.'])

  it('keeps the sections of rows that were not run', () => {
    const both = new Map([first, second].map((row) => [row.name, section(row, '1')]))
    const old = reportWith('', both, rows)
    const renewed = reportWith(old, new Map([[second.name, section(second, '2')]]), rows)
    assert.equal(renewed, reportWith('', both.set(second.name, section(second, '2')), rows))
    assert.notEqual(renewed, old)
  })

  it('drops the section of a row that is no more', () => {
    const old = reportWith('', new Map([[first.name, section(first, '1')]]), rows)
    assert.ok(!reportWith(old, new Map(), [second]).includes(first.title))
  })

  it('begins with every target, and whether it is met', () => {
    const report = reportWith('', new Map([[first.name, section(first, '1')]]), rows)
    const line = `| ${first.title} | Sheaf against bare HTTPS | 0.90 (0.80–1.00) × | at least 0.8 | met |`
    assert.ok(report.slice(0, report.indexOf('<!-- row')).includes(line))
    assert.ok(report.includes(`![${first.title}](plots/${first.name}.svg)`))
  })
})

describe('the plots', () => {
  const spread = (value: number): Spread => ({ median: value, least: value, most: value })

  it('draw a bar from zero, as long as its figure is large', () => {
    const bar = (label: string, value: number): Bar => ({ label, figure: spread(value), kind: 'peer' })
    const plot = barPlot({ title: 'a < b', unit: 'requests/s', bars: [bar('all', 200), bar('half', 100)] })
    const widths = [...plot.matchAll(/class="peer" x="220" y="\d+" width="(\d+)"/g)].map(([, width]) => width)
    assert.deepEqual(widths, ['430', '215'])
    assert.match(plot, />a &lt; b</)
  })

  it('draw as far up as down for ten times and for a tenth', () => {
    const series = [{ label: 'read', figures: [1, 10, 100].map(spread) }]
    const plot = linePlot({ title: 'time', sizes: [1000, 10_000, 100_000], series })
    assert.match(plot, /points="70,360 310,208 550,56"/)
  })
})

describe('the processor time of a server', () => {
  it('counts that of the processes that it started, running or ended', async (t) => {
    const busy = 'for(const until=performance.now()+150;performance.now()<until;);'
    const code = `
      const { spawn, spawnSync } = require('node:child_process')
      spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])
      spawn(process.execPath, ['-e', ${JSON.stringify(`${busy}process.on('disconnect',process.exit);process.send(0)`)}],
        { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }).on('message', () => process.send(0))`
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    t.after(() => child.kill())
    await once(child, 'message')
    const own = /\) \S (?:\S+ ){10}(\d+) (\d+)/.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))!
    const ownSeconds = (Number(own[1]) + Number(own[2])) / 100
    // Each of the two was busy for 150 ms, if the machine gave it a processor; a start alone takes 20.
    assert.ok(cpuSeconds([child.pid!]) >= ownSeconds + 0.1)
    assert.ok(cpuSeconds([child.pid!]) >= cpuSeconds([]))
  })
})

describe('the built-in load generator', () => {
  it('refuses an answer that is no success', () => {
    const reader = new AnswerReader()
    const answer = Buffer.from('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}')
    assert.throws(() => reader.takesLast(answer), /the server answered HTTP\/1\.1 503/)
  })

  it('knows where an answer ends, in whatever pieces it comes', () => {
    const reader = new AnswerReader()
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n{"":'
    for (let round = 0; round < 2; round++)
      for (let at = 1; at <= answer.length; at++)
        assert.equal(reader.takesLast(Buffer.from(answer[at - 1]!)), at === answer.length)
    assert.equal(reader.takesLast(Buffer.from(answer)), true)
  })

  it('knows where an answer in chunks ends', () => {
    const reader = new AnswerReader()
    assert.equal(
      reader.takesLast(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')),
      false,
    )
    assert.equal(reader.takesLast(Buffer.from('4\r\n[{},\r\n3\r\n{}]')), false)
    assert.equal(reader.takesLast(Buffer.from('\r\n0\r')), false)
    assert.equal(reader.takesLast(Buffer.from('\n\r\n')), true)
    assert.equal(reader.takesLast(Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')), true)
  })
})

describe("the benchmark's statistics", () => {
  it('give the median of an odd and of an even number of rounds', () => {
    assert.deepEqual(spreadOf([30, 10, 20]), { median: 20, least: 10, most: 30 })
    assert.deepEqual(spreadOf([4, 1, 2, 10]), { median: 3, least: 1, most: 10 })
  })

  it('take a ratio inside each round', () => {
    // The medians' own ratio would be 20 / 40.
    assert.deepEqual(ratioOf([10, 20, 90], [40, 20, 45]), { median: 1, least: 0.25, most: 2 })
  })
})
