import { startServer } from './start-server.ts'
import { setTimeout as wait } from 'node:timers/promises'
const s = await startServer()
const C = '/apps/demo/collections/d'
await s.client.send('PUT', C + '/big', { body: JSON.stringify({ t: 'x'.repeat(500_000) }) })
console.log(s.memoryMiB())
const sockets = []
for (let k = 0; k < 3; k++) {
  const sock = await s.client.connect(); sockets.push(sock); sock.pause()
  sock.write(s.client.written('GET', C + '/big').repeat(400))
  await wait(3000); console.log(k, s.memoryMiB())
}
for (const x of sockets) x.destroy()
await wait(1500); console.log('after', s.memoryMiB())
await s.dispose()
