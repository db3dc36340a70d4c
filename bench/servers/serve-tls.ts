import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Identity } from '../sheaf.ts'

/** Serves over the TLS that all servers under test have, and tells the benchmark the port; ends when it ends. */
export function serveTls(identity: Identity, listener: RequestListener): void {
  const server = createServer(
    {
      key: readFileSync(identity.key),
      cert: readFileSync(identity.cert),
      minVersion: 'TLSv1.2',
      // The first choice of Sheaf's, too.
      ciphers: 'TLS_AES_128_GCM_SHA256',
      keepAliveTimeout: 65_000,
    },
    listener,
  )
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
  process.on('disconnect', () => process.exit())
  process.on('SIGTERM', () => process.exit())
}
