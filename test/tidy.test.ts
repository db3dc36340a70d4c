import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Program, parseSync } from 'oxc-parser'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILE_LINES = 300
const FUNCTION_LINES = 60

/**
 * Who may import whom: a room is a folder or a file under src, and the longest name that fits decides. A room may
 * always import itself; `type` before a name means its types only.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  config: ['errors', 'domain'],
  domain: ['errors'],
  json: ['domain', 'errors'],
  query: ['json', 'domain', 'errors'],
  update: ['query', 'json', 'domain', 'errors'],
  'shared-memory': [],
  credentials: ['shared-memory', 'domain', 'errors', 'type storage'],
  analytics: ['domain', 'errors'],
  storage: ['type analytics', 'type domain', 'type query', 'type update', 'type errors'],
  'storage/accounts': ['storage', 'analytics', 'domain', 'errors'],
  'storage/postgres': ['storage', 'storage/accounts', 'domain', 'errors'],
  'storage/sqlite': [
    'storage',
    'storage/accounts',
    'type analytics',
    'sites',
    'shared-memory',
    'query',
    'update',
    'json',
    'domain',
    'errors',
  ],
  metrics: ['analytics', 'type domain'],
  tracing: ['type domain', 'type storage'],
  'query-stats': ['query', 'type storage'],
  'auto-index': ['query-stats', 'query', 'errors', 'type storage'],
  body: ['storage', 'update', 'json', 'domain', 'errors'],
  import: ['body', 'storage', 'json', 'domain', 'errors'],
  mail: ['domain', 'errors'],
  outbound: [],
  alerts: ['outbound', 'domain', 'errors', 'storage'],
  operations: [
    'analytics',
    'alerts',
    'mail',
    'sites',
    'body',
    'import',
    'auto-index',
    'query-stats',
    'storage',
    'credentials',
    'shared-memory',
    'query',
    'update',
    'json',
    'domain',
    'errors',
  ],
  sites: ['outbound', 'domain', 'errors', 'type storage'],
  certificates: ['domain', 'errors'],
  acme: ['certificates'],
  http: [
    'type analytics',
    'type tracing',
    'operations',
    'credentials',
    'certificates',
    'shared-memory',
    'domain',
    'errors',
  ],
  'dashboard-api': [
    'type analytics',
    'http',
    'operations',
    'credentials',
    'domain',
    'errors',
    'type storage',
  ],
  'dashboard-pages': ['http', 'errors'],
  'site-pages': ['http', 'sites', 'domain', 'errors', 'type storage'],
  cli: [
    'operations',
    'config',
    'errors',
    'domain',
    'cli/with-control',
    'cli/with-server',
    'cli/server-connection',
    'cli/commands/serve',
  ],
  'cli/with-control': [
    'storage/sqlite',
    'query-stats',
    'credentials',
    'config',
    'errors',
    'domain',
    'storage',
    'operations',
  ],
  'cli/with-server': [
    'main',
    'storage/sqlite',
    'config',
    'errors',
    'domain',
    'cli/with-control',
    'cli/server-connection',
  ],
  'cli/server-connection': ['errors', 'domain'],
  'cli/commands/serve': ['main', 'cli', 'config', 'errors', 'domain'],
  main: ['*'],
}

/** The rooms of the embedded engine, each of which may import those before it; the files beside them, all. */
const SQLITE = 'src/storage/sqlite/'
const SQLITE_ROOMS = [
  'protocol',
  'compile',
  'files',
  'control',
  'index',
  'read',
  'write',
  'backup',
  'threads',
  'client',
]

/** Members of Node.js that nobody promised: the next version may move them without a word. */
const UNDOCUMENTED = [
  /\b_(?:handle|parent|header|headerSent|httpMessage|last|paused|readableState|writableState|events)\b/,
  /\b(?:httpAllowHalfOpen|shouldKeepAlive|readableBuffer|writableBuffer|destroySoon)\b/,
  /\bsocket\.(?:parser|server)\b|\bparser\.(?:pause|consume|execute)\b/,
  /\bprocess\.(?:binding|_\w+)/,
  // Listeners of others are not taken away, and no method of a socket, a server or a response is another one.
  /\.removeAllListeners\('(?!error|message)|\.rawListeners\(|\bserver\.listeners\(/,
  /\b(?:socket|server|request|response|stream)\.\w+ = (?:\(|async |function|\w+ =>)/,
  /\.prototype\.\w+ =|\b(?:get|set)PrototypeOf\(/,
]

interface Import {
  readonly file: string
  readonly target: string
  readonly typeOnly: boolean
}

function sourceFiles(folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }).filter((file) => !file.includes('node_modules'))
}

function room(file: string): string {
  const path = file.replace(/^src\//, '').replace(/\.ts$/, '')
  const fits = Object.keys(MAY_IMPORT).filter((name) => path === name || path.startsWith(`${name}/`))
  const longest = fits.sort((a, b) => b.length - a.length)[0]
  assert.ok(longest, `${file} is in no room; give it one in the import table`)
  return longest
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const matches = text.matchAll(
    /^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm,
  )
  return [...matches].map((match) => ({
    file,
    target: relative('.', normalize(join(dirname(file), match[2] ?? match[3]!))),
    typeOnly: match[1] !== undefined,
  }))
}

function isAllowed({ file, target, typeOnly }: Import): boolean {
  const from = room(file)
  const to = room(target)
  const allowed = MAY_IMPORT[from]!
  if (from === to || allowed.includes('*') || allowed.includes(to)) return true
  return typeOnly && allowed.includes(`type ${to}`)
}

/** The place of a file of the embedded engine in the order of its rooms. */
function sqliteFloor(file: string): number {
  const [room, name] = file.slice(SQLITE.length).split('/')
  if (name === undefined) return SQLITE_ROOMS.length
  const floor = SQLITE_ROOMS.indexOf(room!)
  assert.ok(floor >= 0, `${file} is in no room; give it one in the order of the engine's rooms`)
  return floor
}

interface FunctionNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id: { readonly name?: string } | null
  readonly key: { readonly name?: string } | null
}

/** Names and lengths of every function of a file, nested ones included. */
function functionLengths(file: string): { name: string; lines: number }[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const { program } = parseSync(file, text)
  const found: { name: string; lines: number }[] = []
  const visit = (node: unknown, name: string): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, name)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { type, start, end, id, key } = node as Partial<FunctionNode>
    const own = id?.name ?? key?.name ?? name
    if (type !== undefined && /Function/.test(type) && start !== undefined)
      found.push({ name: own, lines: text.slice(start, end).split('\n').length })
    for (const value of Object.values(node)) visit(value, own)
  }
  visit(program satisfies Program, '')
  return found
}

describe('the house is tidy', () => {
  it('has a room for every file, and no import that the table does not allow', () => {
    const files = sourceFiles('src').filter((file) => !file.endsWith('.test.ts'))
    const wrong = files.flatMap(importsOf).filter((found) => !isAllowed(found))
    assert.deepEqual(
      wrong.map(({ file, target }) => `${file} imports ${target}`),
      [],
    )
  })

  it('has the rooms of the embedded engine one above the other', () => {
    const files = sourceFiles(SQLITE).filter((file) => !file.endsWith('.test.ts'))
    const inside = files.flatMap(importsOf).filter(({ target }) => target.startsWith(SQLITE))
    assert.ok(inside.length > 100)
    const upwards = inside.filter(({ file, target }) => sqliteFloor(target) > sqliteFloor(file))
    assert.deepEqual(
      upwards.map(({ file, target }) => `${file} imports ${target}`),
      [],
    )
  })

  it('names each file of operations after the function that it exports', () => {
    const files = globSync('src/operations/*.ts', { cwd: ROOT }).filter(
      (file) => !file.endsWith('.test.ts') && basename(file) !== 'context.ts',
    )
    assert.ok(files.length > 20)
    const others = files.filter((file) => {
      const name = basename(file, '.ts').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      const text = readFileSync(join(ROOT, file), 'utf8')
      return !new RegExp(`^export (?:async )?function ${name}\\b`, 'm').test(text)
    })
    assert.deepEqual(others, [])
  })

  it(`has no file over ${FILE_LINES} lines`, () => {
    const files = ['src', 'test', 'bench', 'dashboard/src'].flatMap(sourceFiles)
    const long = files
      .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > FILE_LINES)
    assert.deepEqual(long, [])
  })

  it(`has no function over ${FUNCTION_LINES} lines outside tests`, () => {
    const files = sourceFiles('src').filter((file) => !file.endsWith('.test.ts'))
    const long = files
      .flatMap((file) => functionLengths(file).map((found) => ({ file, ...found })))
      .filter(({ lines }) => lines > FUNCTION_LINES)
    assert.deepEqual(long, [])
  })

  it('stands on the documented API of Node.js alone', () => {
    const files = sourceFiles('src').filter((file) => !file.endsWith('.test.ts'))
    const found = files.flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      return UNDOCUMENTED.filter((member) => member.test(text)).map((member) => `${file}: ${member}`)
    })
    assert.deepEqual(found, [])
  })

  it('reads the environment in config.ts alone', () => {
    const files = sourceFiles('src').filter((file) => !file.endsWith('.test.ts'))
    const readers = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('process.env'))
    assert.deepEqual(
      readers.filter((file) => !['src/config.ts', 'src/cli/main.ts', 'src/cli/program.ts'].includes(file)),
      [],
    )
  })
})
