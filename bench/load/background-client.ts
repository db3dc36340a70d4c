import { readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:https'
import type { LoadRequest } from './load.ts'

/** Repeats requests until it is told to stop, then sends how often each was answered; run as a process of its own. */
function main(): void {
  const requests = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as LoadRequest[]
  const counts = requests.map(() => 0)
  let unsent = requests.length
  requests.forEach((request, index) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
    const { paths = [request.path] } = request
    // So that what was asked in the turn before is not asked again.
    const first = Math.floor(Math.random() * paths.length)
    const repeat = (): void =>
      sendOne({ ...request, path: paths[(first + counts[index]!) % paths.length]! }, agent, {
        onEnd: () => {
          counts[index]!++
          repeat()
        },
        onSent: () => {
          if (--unsent === 0) process.send!('sent')
        },
      })
    repeat()
  })
  process.on('message', () => process.send!(counts))
  process.on('disconnect', () => process.exit())
}

function sendOne(
  { port, method, path, headers }: LoadRequest,
  agent: Agent,
  { onEnd, onSent }: { onEnd: () => void; onSent: () => void },
): void {
  const outgoing = send({ host: '127.0.0.1', port, method, path, headers, agent }, (incoming) => {
    if (incoming.statusCode !== 200) throw new Error(`${path} was answered ${incoming.statusCode}`)
    incoming.on('end', onEnd).resume()
  })
  outgoing.once('finish', onSent)
  outgoing.end()
}

main()
