import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { serveTls } from './serve-tls.ts'

// What `pouchdb-server --dir` puts together, without its log on standard output.
const { identity, installed, folder } = JSON.parse(process.argv[2]!)
// It writes a log and a configuration into the working directory.
process.chdir(folder)
const load = createRequire(join(installed, 'package.json'))
const PouchDB = load('pouchdb-core')
  .plugin(load('pouchdb-adapter-http'))
  .plugin(load('pouchdb-replication'))
  .plugin(load('pouchdb-mapreduce'))
  .plugin(load('pouchdb-adapter-leveldb'))
const app = load('express-pouchdb')({ configPath: join(folder, 'config.json') })
app.setPouchDB(PouchDB.defaults({ prefix: folder + sep }))
serveTls(identity, app)
