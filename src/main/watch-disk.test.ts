import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AlertBoard } from '../alerts/alert-board.ts'
import { watchDisk } from './watch-disk.ts'

const GIB = 1024 ** 3
const MINUTE_MS = 60 * 1000
const LIMITS = { bodyBytes: 32 * 1024 ** 2 }

function observed(onSubjects: (subjects: string[]) => void): Pick<AlertBoard, 'observe'> {
  return { observe: (_, conditions) => onSubjects(conditions.map(({ subject }) => subject)) }
}

describe('the watch on the disk', () => {
  it('tells once of each change, and that it is better only where it is so by a tenth', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const told: string[] = []
    const log = {
      warn: (line: string) => told.push(`warn ${line}`),
      info: (line: string) => told.push(`info ${line}`),
    }
    const firing: string[][] = []
    const alerts = observed((subjects) => firing.push(subjects))
    let freeBytes = 50 * GIB
    const measure = async () => ({ freeBytes, diskBytes: 500 * GIB })
    const end = watchDisk({ dataDir: '/data', limits: LIMITS, log, alerts, measure })
    const after = async (gibibytes: number) => {
      freeBytes = gibibytes * GIB
      t.mock.timers.tick(MINUTE_MS)
      await new Promise(setImmediate)
      return told.splice(0)
    }
    assert.deepEqual(await after(10), [])
    assert.deepEqual(await after(9.5), [
      'warn the disk of the data folder is nearly full: 9728 of 512000 MiB are free',
    ])
    assert.deepEqual(await after(10.5), [])
    assert.deepEqual(await after(9), [])
    assert.deepEqual(await after(0.5), [
      'warn the disk of the data folder is about to be full, and then every write fails: 512 of 512000 MiB are free',
    ])
    assert.deepEqual(await after(1.05), [])
    assert.deepEqual(await after(2), [
      'warn the disk of the data folder is nearly full: 2048 of 512000 MiB are free',
    ])
    assert.deepEqual(await after(11), [
      'info the disk of the data folder has room enough again: 11264 of 512000 MiB are free',
    ])
    end()
    assert.deepEqual(await after(0), [])
    const [low, critical] = [['nearly full'], ['nearly full', 'about to be full']]
    assert.deepEqual(firing, [[], low, low, low, critical, critical, low, []])
  })

  it('waits for a disk that does not answer, and passes over one that can not be measured', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const answers: PromiseWithResolvers<never>[] = []
    const measure = () => {
      const answer = Promise.withResolvers<never>()
      answers.push(answer)
      return answer.promise
    }
    const log = { warn: assert.fail, info: assert.fail }
    const alerts = observed(() => assert.fail())
    t.after(watchDisk({ dataDir: '/data', limits: LIMITS, log, alerts, measure }))
    t.mock.timers.tick(3 * MINUTE_MS)
    assert.equal(answers.length, 1)
    answers[0]!.reject(new Error('EIO'))
    await new Promise(setImmediate)
    t.mock.timers.tick(MINUTE_MS)
    assert.equal(answers.length, 2)
  })
})
