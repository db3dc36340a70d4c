import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { section } from '../docs/page.ts'
import { freePort } from '../free-port.ts'

const START_MS = 20_000
const LOOK_AGAIN_MS = 50
const CERTIFICATE = '/etc/sheaf/cert.pem'

export interface Upstream {
  readonly port: number
  /** Its certificate and private key in PEM, which the proxy serves with as well. */
  readonly cert: string
  readonly key: string
}

/** Where the files of one proxy are, and which port it should take. */
interface Place {
  readonly folder: string
  readonly port: number
  readonly upstreamPort: number
}

export interface ProxyKind {
  readonly name: string
  readonly versionArgs: readonly string[]
  readonly args: (place: Place) => readonly string[]
  /** The configuration of the page as it is run here; its files are `cert.pem`, `key.pem` and `both.pem`. */
  readonly configure: (block: string, place: Place) => string
}

/** Replaces what has to be there, so that no change of the page goes by unnoticed. */
function put(text: string, shown: string, real: string): string {
  assert.ok(text.includes(shown), `the configuration of the page should hold ${JSON.stringify(shown)}`)
  return text.replaceAll(shown, real)
}

export const NGINX: ProxyKind = {
  name: 'nginx',
  versionArgs: ['-v'],
  args: ({ folder }) => ['-c', join(folder, 'config'), '-p', folder, '-e', join(folder, 'error.log')],
  configure(block, { folder, port, upstreamPort }) {
    let text = put(block, '127.0.0.1:8443', `127.0.0.1:${upstreamPort}`)
    text = put(text, 'listen 443', `listen 127.0.0.1:${port}`)
    text = put(text, CERTIFICATE, join(folder, 'cert.pem'))
    text = put(text, '/etc/letsencrypt/live/sheaf.example.org/fullchain.pem', join(folder, 'cert.pem'))
    text = put(text, '/etc/letsencrypt/live/sheaf.example.org/privkey.pem', join(folder, 'key.pem'))
    const spools = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const paths = spools.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n')
    const user = process.getuid?.() === 0 ? 'user root;\n' : ''
    return `${user}daemon off;\npid ${folder}/pid;\nevents {}\nhttp {\n${paths}\n${text}}\n`
  },
}

export const CADDY: ProxyKind = {
  name: 'caddy',
  versionArgs: ['version'],
  args: ({ folder }) => ['run', '--config', join(folder, 'config'), '--adapter', 'caddyfile'],
  configure(block, { folder, port, upstreamPort }) {
    let text = put(block, '127.0.0.1:8443', `127.0.0.1:${upstreamPort}`)
    text = put(text, CERTIFICATE, join(folder, 'cert.pem'))
    const site = `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem\n`
    text = put(text, 'sheaf.example.org {\n', site)
    const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n`
    return put(text, '{\n\tservers {\n', `${options}\tservers {\n`)
  },
}

export const HAPROXY: ProxyKind = {
  name: 'haproxy',
  versionArgs: ['-v'],
  args: ({ folder }) => ['-f', join(folder, 'config')],
  configure(block, { folder, port, upstreamPort }) {
    let text = put(block, '127.0.0.1:8443', `127.0.0.1:${upstreamPort}`)
    text = put(text, 'bind :443', `bind 127.0.0.1:${port}`)
    text = put(text, CERTIFICATE, join(folder, 'cert.pem'))
    text = put(text, '/etc/haproxy/sheaf.example.org.pem', join(folder, 'both.pem'))
    return put(text, 'alpn http/1.1', 'alpn h2,http/1.1')
  },
}

/** The version that is installed, as numbers. @throws where none is */
export function versionOf({ name, versionArgs }: ProxyKind): number[] {
  const { error, stdout, stderr } = spawnSync(name, versionArgs, { encoding: 'utf8' })
  if (error)
    throw new Error(
      'this test needs nginx, caddy and haproxy; on Debian: apt-get install nginx caddy haproxy',
      {
        cause: error,
      },
    )
  return /\d+\.\d+\.\d+/
    .exec(stdout + stderr)![0]
    .split('.')
    .map(Number)
}

/** The block of the page under the heading of one proxy. */
export function blockOf(page: string, heading: string, language: string): string {
  const match = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(section(page, heading))
  assert.ok(match, `there should be a ${language} block under ${heading}`)
  return match[1]!
}

/** A real process of a proxy, with a folder of its own. */
export class ProxyProcess {
  readonly port: number
  private readonly folder: string
  private readonly child: ChildProcess
  private output = ''

  private constructor(child: ChildProcess, { folder, port }: Place) {
    this.child = child
    this.folder = folder
    this.port = port
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text) => {
        this.output += text
      })
  }

  /** Starts a proxy on a free port and waits until it accepts connections. */
  static async start(kind: ProxyKind, block: string, upstream: Upstream): Promise<ProxyProcess> {
    const folder = mkdtempSync(join(tmpdir(), `sheaf-${kind.name}-`))
    const place = { folder, port: await freePort(), upstreamPort: upstream.port }
    writeFileSync(join(folder, 'cert.pem'), upstream.cert)
    writeFileSync(join(folder, 'key.pem'), upstream.key)
    writeFileSync(join(folder, 'both.pem'), upstream.cert + upstream.key)
    writeFileSync(join(folder, 'config'), kind.configure(block, place))
    const proxy = new ProxyProcess(
      spawn(kind.name, kind.args(place), { stdio: ['ignore', 'pipe', 'pipe'] }),
      place,
    )
    try {
      await proxy.accepts()
      return proxy
    } catch (error) {
      await proxy.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = once(this.child, 'exit')
      this.child.kill('SIGTERM')
      await ended
    }
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async accepts(): Promise<void> {
    const end = Date.now() + START_MS
    while (Date.now() < end && this.child.exitCode === null) {
      if (await isOpen(this.port)) return
      await pause(LOOK_AGAIN_MS)
    }
    throw new Error(`the proxy did not start: ${this.output}`)
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end())
    socket.on('close', (hadError) => resolve(!hadError)).on('error', () => {})
  })
}
