import { createRequire } from 'node:module'
import { join } from 'node:path'
import { serveTls } from './serve-tls.ts'

const { identity, installed, file } = JSON.parse(process.argv[2]!)
const load = createRequire(join(installed, 'package.json'))
const jsonServer = load('json-server')
const app = jsonServer.create()
app.use(jsonServer.defaults({ logger: false }))
app.use(jsonServer.router(file))
serveTls(identity, app)
