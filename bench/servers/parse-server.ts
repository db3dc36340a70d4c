import { createRequire } from 'node:module'
import { join } from 'node:path'
import { serveTls } from './serve-tls.ts'

const { identity, installed, folder, databaseUri } = JSON.parse(process.argv[2]!)
// It may write logs into the working directory.
process.chdir(folder)
const load = createRequire(join(installed, 'package.json'))
const express = load('express')
const { ParseServer } = load('parse-server')
const parse = new ParseServer({
  databaseURI: databaseUri,
  appId: 'demo',
  masterKey: 'master',
  serverURL: 'https://127.0.0.1/parse',
  allowClientClassCreation: true,
  logLevel: 'error',
  logsFolder: null,
  verifyServerUrl: false,
})
await parse.start()
// A class that is there before its first object, so that it can have an index, and needn't learn field by field.
const types = {
  ...{ name: 'String', email: 'String', created: 'String', note: 'String' },
  ...{
    age: 'Number',
    score: 'Number',
    branch: 'Number',
    active: 'Boolean',
    tags: 'Array',
    address: 'Object',
  },
}
const fields = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
const { databaseController } = parse.config
const schema = await databaseController.loadSchema()
await schema.addClassIfNotExists('people', fields)
await databaseController.adapter._client.none('CREATE INDEX people_branch ON people (branch)')
const app = express()
app.use('/parse', parse.app)
serveTls(identity, app)
