import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const FILMS = join(ROOT, 'node_modules/vega-datasets/data/movies.json')
const FILMS_PER_REQUEST = 1000

const HELP = `Saves 3,201 films into a collection of a running Sheaf, in four requests.

  KEY, --key KEY    an API key (required)
  URL, --url URL    the collection (default: https://localhost:8443/apps/demo/collections/movies)
  CA,  --ca FILE    the certificate to trust (default: data/tls/cert.pem of this clone, where there is one)
`

interface Target {
  readonly url: URL
  readonly key: string
  readonly agent: Agent
}

/** What the user can mend; it is printed without a stack. */
class Problem extends Error {}

/** The films of the npm package vega-datasets. Each gets an `_id`, so that saving them again doubles none. */
function readFilms(): object[] {
  if (!existsSync(FILMS)) throw new Problem('the films are not here; run "npm ci" in the clone first')
  const films: object[] = JSON.parse(readFileSync(FILMS, 'utf8'))
  return films.map((film, index) => ({ _id: index + 1, ...film }))
}

function readTarget(): Target | undefined {
  const options = { key: { type: 'string' }, url: { type: 'string' }, ca: { type: 'string' } } as const
  const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } })
  if (values.help) return undefined
  const key = values.key ?? process.env.KEY
  const url = values.url ?? process.env.URL ?? 'https://localhost:8443/apps/demo/collections/movies'
  const ca = values.ca ?? process.env.CA
  if (!key) throw new Problem('name an API key, with KEY=… before the command or with --key')
  if (!URL.canParse(url) || !url.startsWith('https://'))
    throw new Problem(`${url} is not an https:// address`)
  return { url: new URL(url), key, agent: new Agent({ keepAlive: true, ca: trusted(ca) }) }
}

/** The certificate to trust, or undefined for those that the system trusts. */
function trusted(file: string | undefined): Buffer | undefined {
  const made = join(ROOT, 'data/tls/cert.pem')
  if (file === undefined) return existsSync(made) ? readFileSync(made) : undefined
  if (!existsSync(file)) throw new Problem(`there is no certificate at ${file}; name it with CA or --ca`)
  return readFileSync(file)
}

/** One bulk save: an array of documents, all or none. */
function save({ url, key, agent }: Target, films: readonly object[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const headers = {
    'X-Service-API-Key': key,
    'Content-Type': 'application/json',
    Prefer: 'return=minimal',
  }
  const sent = request(url, { method: 'POST', agent, headers }, async (answer) => {
    try {
      const text = (await answer.toArray()).join('')
      if (answer.statusCode === 200 || answer.statusCode === 201) resolve()
      else reject(new Problem(`${url.host} answered ${answer.statusCode}: ${text}`))
    } catch (error) {
      reject(error)
    }
  })
  sent.on('error', (error: NodeJS.ErrnoException) => reject(new Problem(connectionProblem(url, error))))
  sent.end(JSON.stringify(films))
  return promise
}

function connectionProblem({ host }: URL, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return `nobody listens at ${host}; start Sheaf with "npm start"`
  if (/CERT|SIGNATURE/.test(code ?? ''))
    return `the certificate of ${host} is not trusted (${message}); name it with CA or --ca`
  return `the connection to ${host} failed: ${message}`
}

async function main(): Promise<void> {
  const target = readTarget()
  if (target === undefined) return console.log(HELP)
  const films = readFilms()
  let requests = 0
  for (let start = 0; start < films.length; start += FILMS_PER_REQUEST) {
    await save(target, films.slice(start, start + FILMS_PER_REQUEST))
    requests++
  }
  target.agent.destroy()
  console.log(`Saved ${films.length} films in ${requests} requests.`)
}

try {
  await main()
} catch (error) {
  const isExpected = error instanceof Problem || (error instanceof TypeError && 'code' in error)
  if (!isExpected) throw error
  console.error(`movies: ${error.message}`)
  process.exitCode = 1
}
