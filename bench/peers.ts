import { expressSqlite } from './peers/express-sqlite.ts'
import { jsonServer } from './peers/json-server.ts'
import { parseServer } from './peers/parse-server.ts'
import type { Peer } from './peers/peer.ts'
import { pocketbase } from './peers/pocketbase.ts'
import { pouchdbServer } from './peers/pouchdb-server.ts'

/** In the order in which they are measured. */
export const PEERS: readonly Peer[] = [expressSqlite, pocketbase, parseServer, pouchdbServer, jsonServer]
