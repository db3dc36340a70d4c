import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A server in Sheaf's place whose connections break under every PUT, when the whole of it has come. */
export class UpstreamThatBreaks {
  puts = 0
  readonly port: number
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
    this.port = (server.address() as AddressInfo).port
  }

  static async start(identity: { readonly cert: string; readonly key: string }): Promise<UpstreamThatBreaks> {
    const server = createServer(identity).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const upstream = new UpstreamThatBreaks(server)
    server.on('request', (incoming, outgoing) => {
      incoming.resume().on('end', () => {
        if (incoming.method !== 'PUT') return outgoing.end('[]')
        upstream.puts++
        incoming.socket.destroy()
      })
    })
    return upstream
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}
