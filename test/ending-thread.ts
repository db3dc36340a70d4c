import { workerData } from 'node:worker_threads'
import type { HttpThreadData, HttpThreadMessage } from '../src/main/http-thread-protocol.ts'

/** A thread that says it serves, and does what its port says when it is asked for anything. */
function run({ control, port }: HttpThreadData): void {
  const post = (message: HttpThreadMessage): void => control.postMessage(message)
  if (port === 1) throw new Error('it does not start')
  control.on('message', () => {
    post({ lines: 'its last line\n' })
    if (port === 2) throw new Error('it fails')
    process.exit(0)
  })
  post({ listening: [] })
}

run(workerData)
