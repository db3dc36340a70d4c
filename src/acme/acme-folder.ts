import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateKeyPem } from '../certificates/self-signed.ts'
import { writeFileAtomically } from '../certificates/write-file-atomically.ts'
import { AcmeError, isRecord } from './acme-error.ts'
import { type StoredCertificate, storedCertificate } from './stored-certificate.ts'

/** What has to be known after a restart, lest an authority be asked too often. Times are in milliseconds. */
export interface Journal {
  /** When orders were placed; the newest is last. */
  readonly orders: readonly number[]
  /** When certificates were asked for that never came to be kept. */
  readonly lost: readonly number[]
  /** Of the certificate that is kept. */
  readonly kept?: { readonly directory: string; readonly domains: readonly string[]; readonly at: number }
}

const EMPTY: Journal = Object.freeze({ orders: [], lost: [] })
const KEY = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/

/**
 * `<data>/tls/acme`: the account's key, the certificate together with its key, and the journal; for the host of a site, a
 * folder in it with the latter two. Every file is its owner's alone, and replaced whole. Certificate and key share one file,
 * so that no crash can part them.
 */
export class AcmeFolder {
  private readonly path: string
  private readonly accountPath: string

  constructor(dataDir: string, host?: string) {
    this.accountPath = join(dataDir, 'tls', 'acme')
    this.path = host === undefined ? this.accountPath : join(hostFolders(dataDir), hostFolder(host))
  }

  /** @throws AcmeError when what is there can't be used */
  certificate(): StoredCertificate | undefined {
    const text = this.read('certificate.pem')
    if (text === undefined) return undefined
    const [key] = KEY.exec(text) ?? []
    try {
      if (key === undefined) throw new Error('it holds no private key')
      return storedCertificate({ key, cert: text.replace(key, '') })
    } catch (error) {
      throw this.unusable('certificate.pem', error)
    }
  }

  /** The certificate first: without its line in the journal it is ordered once more, and not the other way round. */
  keep({ cert, key }: StoredCertificate, journal: Journal): void {
    this.write('certificate.pem', key + cert)
    this.saveJournal(journal)
  }

  /** The account is the authority's name for this key, so no more than the key is kept of it. */
  accountKey(): KeyObject {
    const text = this.read('account-key.pem', this.accountPath) ?? generateKeyPem()
    let key: KeyObject
    try {
      key = createPrivateKey(text)
    } catch (error) {
      throw this.unusable('account-key.pem', error)
    }
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
      throw this.unusable('account-key.pem', new Error('it is not on the curve P-256'))
    if (this.read('account-key.pem', this.accountPath) === undefined)
      this.write('account-key.pem', text, this.accountPath)
    return key
  }

  /** @throws AcmeError when it can't be read, for without it the limits could not be kept */
  journal(): Journal {
    const text = this.read('journal.json')
    if (text === undefined) return EMPTY
    try {
      return journalFrom(JSON.parse(text))
    } catch (error) {
      throw this.unusable('journal.json', error)
    }
  }

  saveJournal(journal: Journal): void {
    this.write('journal.json', `${JSON.stringify(journal)}\n`)
  }

  private read(name: string, path = this.path): string | undefined {
    try {
      return readFileSync(join(path, name), 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw this.unusable(name, error)
    }
  }

  private write(name: string, text: string, path = this.path): void {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      writeFileAtomically(join(path, name), text)
    } catch (error) {
      throw new AcmeError(`${join(path, name)} can't be written: ${reason(error)}`, { cause: error })
    }
  }

  private unusable(name: string, error: unknown): AcmeError {
    return new AcmeError(`${join(this.path, name)} can't be used: ${reason(error)}`, { cause: error })
  }
}

/** The folder of the folders of hosts. */
export function hostFolders(dataDir: string): string {
  return join(dataDir, 'tls', 'acme', 'sites')
}

/** No name of anybody's becomes that of a folder. */
export function hostFolder(host: string): string {
  return createHash('sha256').update(host).digest('hex')
}

function journalFrom(value: unknown): Journal {
  if (!isRecord(value)) throw new Error('it is no object')
  const { orders, lost, kept } = value
  if (!isTimes(orders) || !isTimes(lost)) throw new Error('it has no lists of times')
  if (!isRecord(kept)) return { orders, lost }
  const { directory, domains, at } = kept
  if (typeof directory !== 'string' || typeof at !== 'number' || !Array.isArray(domains))
    throw new Error('its last certificate is incomplete')
  return { orders, lost, kept: { directory, domains: domains.map(String), at } }
}

function isTimes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((time) => typeof time === 'number')
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
