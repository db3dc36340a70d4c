import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { LogOutput } from './log-output.ts'

/** A sink that takes what the test lets it take, when the test says so. */
class HeldSink {
  taken = Buffer.alloc(0)
  now = ''
  asked = 0
  private held: { bytes: Uint8Array; done: (error: Error | null, written: number) => void } | undefined

  get text(): string {
    return this.taken.toString()
  }

  write(bytes: Uint8Array, done: (error: Error | null, written: number) => void): void {
    this.asked += 1
    this.held = { bytes, done }
  }

  writeNow(bytes: Uint8Array): void {
    this.now += Buffer.from(bytes)
  }

  take(most = Number.POSITIVE_INFINITY): void {
    const { bytes, done } = this.held!
    const taken = bytes.subarray(0, most)
    this.taken = Buffer.concat([this.taken, taken])
    done(null, taken.length)
  }

  fail(code: string): void {
    this.held!.done(Object.assign(new Error(code), { code }), 0)
  }
}

function heldOutput(t: TestContext, waitingLength = 100): { sink: HeldSink; output: LogOutput } {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.UTC(2026, 0, 1) })
  const sink = new HeldSink()
  return { sink, output: new LogOutput(sink, { waitingLength }) }
}

describe('the output of the log', () => {
  it('loses the lines that there is no room for, and says how many behind those that it kept', (t) => {
    const { sink, output } = heldOutput(t)
    output.write('first\n')
    output.flush()
    for (let n = 0; n < 10; n += 1) output.write(`${n} ${'x'.repeat(37)}\n`)
    output.write('a\nb\nc\n'.repeat(10))
    assert.equal(sink.asked, 1)
    sink.take()
    output.flush()
    sink.take()
    output.write('later\n')
    output.flush()
    sink.take()
    assert.deepEqual(sink.text.split('\n'), [
      'first',
      `0 ${'x'.repeat(37)}`,
      `1 ${'x'.repeat(37)}`,
      '{"level":"warn","time":"2026-01-01T00:00:00.000Z","msg":"38 log lines were lost, for nothing could be written here for a while"}',
      'later',
      '',
    ])
  })

  it('keeps a line that could not be written, and tries again a fifth of a second later, no more often', (t) => {
    const { sink, output } = heldOutput(t)
    output.write('one\n')
    output.flush()
    for (const code of ['ENOSPC', 'EPIPE', 'EAGAIN', 'EIO']) {
      sink.fail(code)
      const { asked } = sink
      output.flush()
      t.mock.timers.tick(199)
      assert.equal(sink.asked, asked)
      t.mock.timers.tick(1)
      assert.equal(sink.asked, asked + 1)
    }
    sink.take()
    assert.equal(sink.text, 'one\n')
  })

  it('goes on where a write ended half-way, also in the middle of a character', (t) => {
    const { sink, output } = heldOutput(t)
    output.write('é中🌾\n')
    output.flush()
    for (let n = 0; n < 10; n += 1) sink.take(1)
    assert.equal(sink.text, 'é中🌾\n')
    assert.equal(sink.asked, 10)
  })

  it('gathers short lines for half a second', (t) => {
    const { sink, output } = heldOutput(t)
    output.write('a\n')
    output.write('b\n')
    t.mock.timers.tick(499)
    assert.equal(sink.asked, 0)
    t.mock.timers.tick(1)
    sink.take()
    assert.equal(sink.text, 'a\nb\n')
  })

  it('waits at its end for what is on its way, and for a second at most', async (t) => {
    const { sink, output } = heldOutput(t)
    output.write('one\n')
    output.flush()
    output.write('two\n')
    const closed = output.close()
    sink.take()
    sink.take()
    await closed
    assert.equal(sink.text, 'one\ntwo\n')

    const stuck = heldSecond()
    const ended = stuck.close()
    t.mock.timers.tick(1000)
    await ended
  })

  it('waits for nothing that failed', async (t) => {
    const { sink, output } = heldOutput(t)
    output.write('one\n')
    output.flush()
    sink.fail('EPIPE')
    await output.close()
  })

  it('gives the last lines of a process that ends at once to the sink, without waiting', (t) => {
    const { sink, output } = heldOutput(t)
    output.write('why\n')
    output.end()
    assert.equal(sink.now, 'why\n')
  })
})

function heldSecond(): LogOutput {
  const output = new LogOutput(new HeldSink())
  output.write('stuck\n')
  return output
}
