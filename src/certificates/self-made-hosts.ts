import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CertificatePair,
  isDueForRenewal,
  loadOrCreateCertificate,
} from './load-or-create-certificate.ts'
import { isSelfMade, selfSignedHostCertificate } from './self-signed.ts'
import { replaceFile } from './write-file-atomically.ts'

export interface SelfMadeHostsOptions {
  readonly dataDir: string
  /** Told of what could not be kept. */
  readonly warn: (message: string) => void
  readonly now?: () => number
  /** How many certificates are kept at most; beyond them those go that were not used longest. */
  readonly most?: number
}

interface Key {
  readonly pem: string
  readonly object: KeyObject
}

const MOST = 10_000
/** Of these certificates are in memory, too. */
const REMEMBERED = 1_000

/**
 * Self-made certificates for one host each, in `<data>/tls/sites`, all with the key of the one for this machine, which
 * stays as it is: what a client has trusted once is good for as long as that host is there, whatever hosts come beside it.
 */
export class SelfMadeHosts {
  private readonly options: SelfMadeHostsOptions
  private readonly folder: string
  private readonly now: () => number
  private readonly found = new Map<string, Promise<CertificatePair>>()
  private key: Promise<Key> | undefined
  /** Those that were not used longest first, as far as is known since the start. */
  private files: Promise<Set<string>> | undefined

  constructor(options: SelfMadeHostsOptions) {
    this.options = options
    this.folder = join(options.dataDir, 'tls', 'sites')
    this.now = options.now ?? Date.now
  }

  /**
   * The certificate of a host, a DNS name in lower case; it is made where there is none that will do.
   * @throws where there is none and none can be made
   */
  async find(host: string): Promise<CertificatePair> {
    const entry = this.found.get(host)
    const pair = await entry
    if (pair !== undefined && !isDueForRenewal(pair.cert, this.now())) {
      await this.noteUse(host)
      return pair
    }
    // Those who ask at the same time get the same.
    const latest = this.found.get(host)
    if (latest !== undefined && latest !== entry) return latest
    const made = this.loadOrMake(host)
    this.found.delete(host)
    this.found.set(host, made)
    if (this.found.size > REMEMBERED) this.found.delete(this.found.keys().next().value!)
    made.catch(() => this.found.get(host) === made && this.found.delete(host))
    return made
  }

  /** Removes the certificates of all other hosts. */
  async keepOnly(hosts: Iterable<string>): Promise<void> {
    const kept = new Set([...hosts].map(fileOf))
    const files = await this.listFiles()
    for (const file of files) {
      if (kept.has(file)) continue
      await rm(join(this.folder, file), { force: true })
      files.delete(file)
    }
    for (const host of this.found.keys()) if (!kept.has(fileOf(host))) this.found.delete(host)
  }

  private async loadOrMake(host: string): Promise<CertificatePair> {
    this.key ??= loadKey(this.options.dataDir)
    const key = await this.key.catch((error: unknown) => {
      this.key = undefined
      throw error
    })
    const stored = await readFile(join(this.folder, fileOf(host)), 'utf8').catch(() => undefined)
    const isGood = stored !== undefined && isCertificateOf(stored, { host, key }, this.now())
    if (isGood) await this.noteUse(host)
    return { cert: isGood ? stored : await this.make(host, key), key: key.pem }
  }

  private async make(host: string, key: Key): Promise<string> {
    const files = await this.listFiles()
    const file = fileOf(host)
    const { most = MOST, warn } = this.options
    // It is noted before anything is waited for, so that those who come meanwhile count it.
    files.delete(file)
    const surplus = [...files.values().take(Math.max(0, files.size + 1 - most))]
    for (const unused of surplus) files.delete(unused)
    files.add(file)
    for (const unused of surplus) await rm(join(this.folder, unused), { force: true })
    const cert = await selfSignedHostCertificate({ key: key.object, host, now: this.now() })
    try {
      await replaceFile(join(this.folder, file), cert)
    } catch (error) {
      // It is served all the same, until the process ends.
      warn(`the self-made certificate for ${host} can't be kept: ${(error as Error).message}`)
    }
    return cert
  }

  private async noteUse(host: string): Promise<void> {
    const files = await this.listFiles()
    if (files.delete(fileOf(host))) files.add(fileOf(host))
  }

  private listFiles(): Promise<Set<string>> {
    this.files ??= mkdir(this.folder, { recursive: true, mode: 0o700 })
      .then(() => readdir(this.folder))
      .then((names) => new Set(names))
    // What can't be listed is tried again by the next who asks.
    this.files.catch(() => {
      this.files = undefined
    })
    return this.files
  }
}

/** No name of anybody's becomes that of a file. */
function fileOf(host: string): string {
  return `${createHash('sha256').update(host).digest('hex')}.pem`
}

/** Where none was made yet, as beside an operator's own certificate, it is made with its certificate. */
async function loadKey(dataDir: string): Promise<Key> {
  const stored = await readFile(join(dataDir, 'tls', 'key.pem'), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  const pem = stored ?? (await loadOrCreateCertificate(dataDir, {})).key
  const object = createPrivateKey(pem)
  if (object.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { pem, object }
  throw new Error(`the key in ${join(dataDir, 'tls', 'key.pem')} is not on the curve P-256`)
}

function isCertificateOf(text: string, { host, key }: { host: string; key: Key }, now: number): boolean {
  try {
    const certificate = new X509Certificate(text)
    return (
      isSelfMade(certificate) &&
      certificate.checkHost(host, { subject: 'never' }) === host &&
      certificate.checkPrivateKey(key.object) &&
      !isDueForRenewal(text, now)
    )
  } catch {
    return false
  }
}
