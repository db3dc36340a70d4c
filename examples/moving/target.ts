import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from './problem.ts'

const MADE_CERTIFICATE = join(import.meta.dirname, '../../data/tls/cert.pem')
const TRIES = 10
const LONGEST_PAUSE_SECONDS = 60

export const TARGET_OPTIONS = {
  app: { type: 'string' },
  key: { type: 'string' },
  url: { type: 'string' },
  ca: { type: 'string' },
} as const

export const TARGET_HELP = `
  --app SLUG          the app to save into (required)
  KEY, --key KEY      an API key (required)
  URL, --url URL      the address of Sheaf (default: https://localhost:8443)
  CA,  --ca FILE      the certificate to trust (default: data/tls/cert.pem of this clone, where there is one)
`

interface Answer {
  readonly status: number
  readonly text: string
}

/** An app of a running Sheaf. */
export class Target {
  private readonly base: string
  private readonly key: string
  private readonly agent: Agent

  /** From the options of the command line and the environment. @throws Problem */
  constructor(options: { app?: string; key?: string; url?: string; ca?: string }) {
    const { app } = options
    const key = options.key || process.env.KEY
    const url = options.url || process.env.URL || 'https://localhost:8443'
    if (app === undefined) throw new Problem('name the app to save into, with --app')
    if (!key) throw new Problem('name an API key, with KEY=… before the command or with --key')
    if (!URL.canParse(url) || !url.startsWith('https://'))
      throw new Problem(`${url} is not an https:// address`)
    this.base = `${url.replace(/\/+$/, '')}/apps/${encodeURIComponent(app)}/collections/`
    this.key = key
    this.agent = new Agent({ keepAlive: true, ca: trusted(options.ca || process.env.CA || undefined) })
  }

  /** One bulk save of the texts of documents; waits where the server says so. @throws Problem */
  async save(collection: string, documents: readonly string[]): Promise<Answer> {
    const url = new URL(this.base + encodeURIComponent(collection))
    const body = `[${documents.join(',')}]`
    for (let tries = 1; ; tries++) {
      const { retryAfter, ...answer } = await this.post(url, body)
      if ((answer.status !== 429 && answer.status !== 503) || tries === TRIES) return answer
      await pause(1000 * Math.min(retryAfter, LONGEST_PAUSE_SECONDS))
    }
  }

  close(): void {
    this.agent.destroy()
  }

  private post(url: URL, body: string): Promise<Answer & { retryAfter: number }> {
    const headers = {
      'X-Service-API-Key': this.key,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Prefer: 'return=minimal',
    }
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: this.agent, headers }, (incoming) => {
        const retryAfter = Number(incoming.headers['retry-after'] ?? 1)
        incoming
          .toArray()
          .then((chunks) =>
            resolve({ status: incoming.statusCode!, text: Buffer.concat(chunks).toString(), retryAfter }),
          )
          .catch(reject)
      })
      sent.on('error', (error: NodeJS.ErrnoException) => reject(new Problem(connectionProblem(url, error))))
      sent.end(body)
    })
  }
}

/** The certificate to trust, or undefined for those that the system trusts. */
function trusted(file: string | undefined): Buffer | undefined {
  if (file === undefined) return existsSync(MADE_CERTIFICATE) ? readFileSync(MADE_CERTIFICATE) : undefined
  if (!existsSync(file)) throw new Problem(`there is no certificate at ${file}; name it with CA or --ca`)
  return readFileSync(file)
}

function connectionProblem({ host }: URL, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return `nobody listens at ${host}; start Sheaf with "npm start"`
  if (/CERT|SIGNATURE/.test(code ?? ''))
    return `the certificate of ${host} is not trusted (${message}); name it with CA or --ca`
  return `the connection to ${host} failed: ${message}; run the script again`
}
