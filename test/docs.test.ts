import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { createProgram } from '../src/cli/program.ts'
import { configFrom, limitVariable } from '../src/config.ts'
import { ROUTES } from '../src/dashboard-api/routes/routes.ts'
import { KEY_RULES, type KeyRules, NO_RIGHTS, RULES, UNLIMITED } from '../src/domain/key-rules.ts'
import { DEFAULT_LIMITS, type Limits } from '../src/domain/limits.ts'
import { ERROR_CODES, type ErrorCode } from '../src/errors.ts'
import { DEFAULT_TIMEOUTS } from '../src/http/connection/timeouts.ts'
import { FIND, PARAMETERS, UPDATE_MANY } from '../src/http/request/parameters.ts'
import { STATUS_OF_CODE } from '../src/http/response/error-reply.ts'
import { findResource, RESOURCES, type Resource } from '../src/http/router.ts'
import { OPERATORS } from '../src/query/operators.ts'
import { MODIFIER_NAMES } from '../src/update/parse.ts'
import { code, ROOT, readPage, section, tableRows } from './docs/page.ts'

const PAGES = ['*.md', 'docs/**/*.md'].flatMap((glob) => globSync(glob, { cwd: ROOT }))
const LIMITS = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[]

function assertMentions(page: string, names: readonly string[]): void {
  const text = readPage(page)
  const missing = names.filter((name) => !text.includes(`\`${name}\``))
  assert.deepEqual(missing, [], `${page} leaves these out`)
}

/** Whether a page has a word, and not only a longer one with it. */
function isNamed(page: string, word: string): boolean {
  return new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(page)
}

describe('the reference is complete', () => {
  it('names every error code once, with its status', () => {
    const answered = tableRows(
      readPage('docs/reference/errors.md'),
      'code',
      'status',
      'meaning',
      'how to mend it',
    )
    const printed = tableRows(readPage('docs/reference/errors.md'), 'code', 'meaning', 'how to mend it')
    for (const [name = '', status] of answered)
      assert.equal(status, String(STATUS_OF_CODE[code(name) as ErrorCode]), name)
    const named = [...answered, ...printed].map(([name = '']) => code(name))
    assert.deepEqual(named.toSorted(), [...ERROR_CODES].toSorted())
  })

  it('names every limit, with its default and its range', () => {
    const columns = ['variable', 'default', 'least', 'most', 'bounds', 'refused with']
    const rows = tableRows(readPage('docs/reference/limits.md'), ...columns)
    const expected = LIMITS.map((limit) => [`\`${limitVariable(limit)}\``, String(DEFAULT_LIMITS[limit])])
    assert.deepEqual(
      rows.map((row) => row.slice(0, 2)),
      expected,
    )
    rows.forEach(([name = '', , least = '', most = ''], index) => {
      const variable = code(name)
      for (const value of [least, most])
        assert.equal(configFrom({ [variable]: value }).limits[LIMITS[index]!], Number(value))
      for (const value of [Number(least) - 1, Number(most) + 1])
        assert.throws(() => configFrom({ [variable]: String(value) }), { code: 'invalid_configuration' })
    })
  })

  it('names no limit and no code that nothing in the code holds to', () => {
    const lists = [
      'src/domain/limits.ts',
      'src/config.ts',
      'src/errors.ts',
      'src/http/response/error-reply.ts',
    ]
    const files = globSync('src/**/*.ts', { cwd: ROOT }).filter(
      (file) => !file.includes('.test.') && !lists.includes(file),
    )
    const text = files.map(readPage).join('\n')
    assert.deepEqual(
      LIMITS.filter((limit) => !isNamed(text, limit)),
      [],
    )
    assert.deepEqual(
      ERROR_CODES.filter((name) => !text.includes(`'${name}'`)),
      [],
    )
  })

  it('names every timeout', () => {
    const { lingerMs: _, ...timeouts } = DEFAULT_TIMEOUTS
    const text = section(readPage('docs/reference/limits.md'), 'Fixed limits')
    for (const ms of Object.values(timeouts)) assert.ok(text.includes(`| ${ms / 1000} s |`), `${ms} ms`)
  })

  it('names every operator once, and shows what it finds', () => {
    const page = readPage('docs/reference/queries.md')
    const rows = tableRows(page, 'operator', 'shape', 'holds when the field')
    const named = rows.flatMap(([name = '']) => name.match(/\$\w+/g) ?? [])
    assert.deepEqual(named.toSorted(), OPERATORS.toSorted())
    const shown = tableRows(page, 'query', 'finds').join()
    assert.deepEqual(
      OPERATORS.filter((name) => !shown.includes(`"${name}"`)),
      [],
    )
  })

  it('names every modifier, and shows what it changes', () => {
    assertMentions('docs/reference/updates.md', MODIFIER_NAMES)
    const shown = tableRows(readPage('docs/reference/updates.md'), 'before', 'body', 'after').join()
    assert.deepEqual(
      MODIFIER_NAMES.filter((name) => !shown.includes(`{"${name}":`)),
      [],
    )
  })

  it('names every variable of the environment', () => {
    const sources = globSync('src/{config,cli/**/*}.ts', { cwd: ROOT }).filter(
      (file) => !file.includes('.test.'),
    )
    const variables = sources.flatMap((file) => readPage(file).match(/\bSHEAF_[A-Z_]*[A-Z]\b/g) ?? [])
    const text = readPage('docs/reference/configuration.md') + readPage('docs/reference/limits.md')
    assert.ok(variables.includes('SHEAF_DATA'))
    assert.deepEqual(
      variables.filter((variable) => !isNamed(text, variable)),
      [],
    )
  })

  it('names every command and option', () => {
    const terminal = {
      env: {},
      print: () => {},
      write: async () => {},
      say: () => {},
      printError: () => {},
      input: () => process.stdin,
    }
    const text = readPage('docs/reference/configuration.md')
    const check = (name: string, command: ReturnType<typeof createProgram>): void => {
      for (const { long } of command.options) if (long !== '--version') assert.ok(isNamed(text, long!), long!)
      if (command.commands.length === 0) assert.ok(text.includes(`\`${name}`), name)
      for (const child of command.commands) check(`${name} ${child.name()}`, child)
    }
    check('sheaf', createProgram(terminal))
  })

  it('names every parameter, what it takes and what it goes with', () => {
    const takes = {
      json: 'JSON',
      filled: 'JSON',
      text: 'a cursor',
      integer: 'an integer',
      flag: 'true or false',
    }
    const described = Object.entries(PARAMETERS).flatMap(([request, parameters]) =>
      Object.entries<{ readonly kind: keyof typeof takes }>(parameters).map(
        ([name, { kind }]) => `${name}: ${takes[kind]} with ${request}`,
      ),
    )
    const page = readPage('docs/reference/api.md')
    const shown = tableRows(page, 'parameter', 'takes', 'with').flatMap(
      ([name = '', kind, requests = '']) => {
        // `GET`, `PUT` of a collection, `GET` of a document
        const groups = [...requests.matchAll(/((?:`[A-Z]+`(?:, )?)+) (of a \w+)/g)]
        return groups.flatMap(([, methods = '', resource]) =>
          methods.split(', ').map((method) => `${code(name)}: ${kind} with ${code(method)} ${resource}`),
        )
      },
    )
    assert.deepEqual(shown.toSorted(), described.toSorted())
    const lists = [
      ['Find', FIND],
      ['Update by query', UPDATE_MANY],
    ] as const
    for (const [heading, parameters] of lists) {
      const rows = tableRows(section(page, heading), 'parameter', 'value', 'effect')
      assert.deepEqual(
        rows.map(([name = '']) => code(name)).toSorted(),
        Object.keys(parameters).toSorted(),
        heading,
      )
    }
  })

  it('names every rule of a key, with its option, what lifts it and what it is refused with', () => {
    const optionsIn = (cell: string): string[] => [
      ...new Set(cell.match(/--[a-z-]+/g)?.map((option) => option.replace('--no-', '--'))),
    ]
    const options = RULES.map((rule) => KEY_RULES[rule].option)
    const columns = ['option of `key create` and `key update`', 'lets the key', 'lifted by']
    const rows = tableRows(readPage('docs/reference/configuration.md'), ...columns)
    assert.deepEqual(rows.flatMap(([option = '']) => optionsIn(option)).toSorted(), options.toSorted())
    const lists = RULES.filter((rule) => Array.isArray(NO_RIGHTS[rule]) && UNLIMITED[rule] === 'all')
    const lifting = rows.flatMap(([, , lifted = '']) => lifted.match(/--all-[a-z]+/g) ?? [])
    assert.deepEqual(lifting.toSorted(), lists.map((rule) => `--all-${rule}`).toSorted())
    // These refuse no request.
    const quiet: readonly (keyof KeyRules)[] = ['localhost', 'tokenLifetimeMs']
    const refusing = RULES.filter((rule) => !quiet.includes(rule)).map((rule) => KEY_RULES[rule].option)
    const refusals = tableRows(readPage('docs/reference/security.md'), 'rule', 'option', 'refused with')
    assert.deepEqual(refusals.map(([, option = '']) => code(option)).toSorted(), refusing.toSorted())
    for (const [, , refusal = ''] of refusals) {
      const [, status, name] = /^(\d+) `(\w+)`/.exec(refusal) ?? []
      assert.equal(status, String(STATUS_OF_CODE[name as ErrorCode]), refusal)
    }
  })

  it('names every path under /_/api with its method', () => {
    const rows = tableRows(readPage('docs/reference/accounts.md'), 'method', 'path', 'does', 'who', 'token')
    const shown = rows.map(([method = '', path = '']) => `${code(method)} ${code(path).replace(/\?.*/, '')}`)
    assert.deepEqual(shown.toSorted(), Object.keys(ROUTES).toSorted())
  })

  it('names every endpoint with its methods', () => {
    const methodsOf = new Map<string, Set<string>>()
    for (const [methods = '', paths = ''] of tableRows(
      readPage('docs/reference/api.md'),
      'method',
      'path',
      'does',
    ))
      for (const path of paths.split(', ').map((cell) => code(cell).replace(/\?.*/, '')))
        methodsOf.set(path, (methodsOf.get(path) ?? new Set()).union(new Set(methods.split(', ').map(code))))
    assert.deepEqual([...methodsOf.keys()].toSorted(), Object.keys(RESOURCES).toSorted())
    for (const [path, resource] of Object.entries<Resource>(RESOURCES)) {
      assert.equal(findResource(path.split('/').slice(1)), resource, path)
      const allow = resource.allow.split(', ')
      const methods = methodsOf.get(path)!
      assert.deepEqual(new Set(allow.filter((method) => method !== 'HEAD')), methods, path)
      assert.equal(allow.includes('HEAD'), methods.has('GET'), path)
    }
  })
})

describe('the pages hold together', () => {
  for (const page of PAGES)
    it(`has what ${page} links to`, () => {
      for (const [, target = ''] of readPage(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue
        const [path = '', anchor] = target.split('#')
        const file = path === '' ? page : join(dirname(page), path)
        assert.ok(existsSync(join(ROOT, file)), `${target} is not there`)
        if (anchor !== undefined) assert.ok(anchorsOf(file).includes(anchor), `${target} is no heading`)
      }
    })

  it('has every file that ARCHITECTURE.md says to touch', () => {
    const rows = tableRows(readPage('ARCHITECTURE.md'), 'to add', 'file', 'what it gets there', 'told by')
    const named = rows.flatMap((row) => row.join().match(/`(?:src|test|docs)\/[^`]*`/g) ?? [])
    assert.ok(named.length > 50)
    assert.deepEqual(
      named.map(code).filter((path) => !existsSync(join(ROOT, path))),
      [],
    )
  })

  it('has the import table of tidy.test.ts in ARCHITECTURE.md', () => {
    const source = /MAY_IMPORT[^=]*= \{\n(.*?)^\}/ms.exec(readPage('test/tidy.test.ts'))![1]!
    const enforced = [...source.matchAll(/^ {2}'?([\w/-]+)'?: \[([^\]]*)\]/gm)].map(([, room, list = '']) => [
      room,
      list.match(/[^',\s][^',]*/g)?.join(', ') ?? 'nothing of ours',
    ])
    const shown = tableRows(readPage('ARCHITECTURE.md'), 'room', 'may import')
    assert.deepEqual(
      shown.map(([room = '', list]) => [code(room), list]),
      enforced,
    )
  })

  it('has a reason for every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(readPage('package.json'))
    const packages = Object.keys({ ...dependencies, ...devDependencies })
    assertMentions('docs/decisions/007-dependencies.md', packages)
  })
})

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
