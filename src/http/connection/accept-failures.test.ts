import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLog } from '../log/log.ts'
import { acceptFailures } from './accept-failures.ts'

it('connections that are not accepted for want of descriptors are one line in the log, with what to do', () => {
  const lines: string[] = []
  const tell = acceptFailures(createLog('warn', (line) => lines.push(line)))
  for (let n = 0; n < 1000; n++) tell(Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    [
      'a connection was not accepted: too many open files (EMFILE); raise ulimit -n, or LimitNOFILE in a unit of systemd',
    ],
  )
})
