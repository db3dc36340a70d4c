import { type Contender, Skipped, underLoad } from './contender.ts'
import type { Filling } from './documents.ts'
import { BULK_DOCUMENTS, type Peer, type Work } from './peers/peer.ts'
import { PEERS } from './peers.ts'
import type { Bench } from './row.ts'
import type { Identity } from './sheaf.ts'

interface PeerWork {
  readonly work: Work
  readonly identity: Identity
  readonly filling: Filling
  readonly connections: number
}

/** The peers under the load of one kind of work; each that can't be had here says why. */
export function peerContenders(bench: Bench, work: PeerWork): (() => Promise<Contender>)[] {
  if (bench.options.peers === 'none')
    return [() => Promise.reject(new Skipped('The peers were left out (`--peers none`).'))]
  return PEERS.map((peer) => () => peerContender(bench, peer, work))
}

async function peerContender(
  { kit, generator, peers }: Bench,
  peer: Peer,
  { work, identity, filling, connections }: PeerWork,
): Promise<Contender> {
  const lack = peer.lacks?.[work]
  if (lack !== undefined) throw new Skipped(`${peer.name} is left out: ${lack}.`)
  const installed = await installedOf(peer, peers)
  const server = await peer.start({ kit, identity, installed, filling })
  const isWrite = work === 'save' || work === 'bulk'
  const durability = `${peer.isDurable ? 'durable' : '**not durable**'}: ${peer.durability}`
  const about = isWrite ? `${peer.about}; ${durability}` : peer.about
  return underLoad({ name: peer.name, about, peer: { isDurable: peer.isDurable } }, server, {
    generator,
    connections,
    request: server.requests[work]!,
    weight: work === 'bulk' ? BULK_DOCUMENTS : 1,
  })
}

async function installedOf(peer: Peer, cache: Bench['peers']): Promise<string> {
  try {
    return await peer.install(cache)
  } catch (error) {
    throw error instanceof Skipped ? new Skipped(`${peer.name} is left out: ${error.message}.`) : error
  }
}
