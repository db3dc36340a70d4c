import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { systemProblem } from '../domain/system-problem.ts'
import { AppError } from '../errors.ts'
import { generateKeyPem, isSelfMade, selfSignedCertificate } from './self-signed.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

/** PEM texts, as `https.createServer` takes them. */
export interface CertificatePair {
  readonly cert: string
  readonly key: string
}

const DAY_MS = 24 * 60 * 60 * 1000
/** When this was written: a clock that shows less is wrong. */
const WRITTEN_AT = Date.UTC(2026, 10, 28)
const RENEWAL_MS = 30 * DAY_MS

/** Where is told what becomes of certificates. */
export interface CertificateLog {
  info(message: string): void
  warn(message: string): void
}

interface LoadOptions {
  readonly now?: number
  readonly hostName?: string
  /** Told that a certificate was made anew. */
  readonly warn?: (message: string) => void
}

/**
 * The certificate to serve with: the operator's own where both files are named, else the one in `<data>/tls`,
 * which is made on the first start and renewed when less than 30 days are left, or when it is not valid yet. A renewal
 * keeps the private key, so that one file is replaced and no crash can leave a pair that doesn't fit. Only a certificate
 * that was made here is ever replaced.
 * @throws AppError `invalid_certificate`
 */
export async function loadOrCreateCertificate(
  dataDir: string,
  own: { tlsCert?: string | undefined; tlsKey?: string | undefined },
  { now = Date.now(), hostName = hostname(), warn = () => {} }: LoadOptions = {},
): Promise<CertificatePair> {
  if (own.tlsCert !== undefined && own.tlsKey !== undefined) {
    const pair = { cert: read(own.tlsCert, 'certificate'), key: read(own.tlsKey, 'private key') }
    checkPair(pair, { certFile: own.tlsCert, keyFile: own.tlsKey, now })
    return pair
  }
  const files = { certFile: join(dataDir, 'tls', 'cert.pem'), keyFile: join(dataDir, 'tls', 'key.pem') }
  const cert = readIfThere(files.certFile)
  const key = readIfThere(files.keyFile)
  if (cert !== undefined && key === undefined)
    throw invalid(`${files.keyFile} is missing; put it back, or remove cert.pem too to have both made anew`)
  const due = cert === undefined ? undefined : renewalReason(parsed(cert, files.certFile), now)
  if (cert !== undefined && key !== undefined && due === undefined) {
    checkPair({ cert, key }, { ...files, now })
    return { cert, key }
  }
  const made = await makePair({ ...files, key, hostName, now })
  if (due !== undefined) warn(`the self-made certificate ${due}, and was made anew: ${COPIES}`)
  return made
}

const COPIES = 'clients that keep a copy of it, such as --cacert, need the new one'

/** Whether a certificate in `<data>/tls` has to be made anew, which `loadOrCreateCertificate` does. */
export function isDueForRenewal(cert: string | Buffer, now: number): boolean {
  return renewalReason(new X509Certificate(cert), now) !== undefined
}

/** The files that `loadOrCreateCertificate` reads. */
export function certificateFiles(
  dataDir: string,
  own: { tlsCert?: string | undefined; tlsKey?: string | undefined },
): readonly string[] {
  if (own.tlsCert !== undefined && own.tlsKey !== undefined) return [own.tlsCert, own.tlsKey]
  return [join(dataDir, 'tls', 'cert.pem'), join(dataDir, 'tls', 'key.pem')]
}

async function makePair(options: {
  certFile: string
  keyFile: string
  key: string | undefined
  hostName: string
  now: number
}): Promise<CertificatePair> {
  const { certFile, keyFile, hostName, now } = options
  const key = options.key ?? generateKeyPem()
  const keyObject = privateKey(key, keyFile)
  if (keyObject.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw invalid(`there is no ${certFile} for the private key beside it; put it back, or remove the key too`)
  // The key comes first: a key without its certificate is finished by the next start.
  if (options.key === undefined) write(keyFile, key)
  const cert = await selfSignedCertificate({ key: keyObject, hostName, now })
  checkPair({ cert, key }, { certFile, keyFile, now })
  write(certFile, cert)
  return { cert, key }
}

/** Why a certificate has to be made anew, where it was made here. */
function renewalReason(certificate: X509Certificate, now: number): string | undefined {
  if (!isSelfMade(certificate)) return undefined
  const { validFrom, validTo } = certificate
  if (Date.parse(validTo) <= now) return `ended on ${validTo}`
  if (Date.parse(validTo) - now < RENEWAL_MS) return `ends on ${validTo}`
  // Made while the clock was ahead. One that is behind, as after a start without a battery, gives no reason to.
  if (Date.parse(validFrom) > now && now > WRITTEN_AT) return `was not valid before ${validFrom}`
  return undefined
}

function checkPair(
  { cert, key }: CertificatePair,
  { certFile, keyFile, now }: { certFile: string; keyFile: string; now: number },
): void {
  const certificate = parsed(cert, certFile)
  if (!certificate.checkPrivateKey(privateKey(key, keyFile)))
    throw invalid(`the private key in ${keyFile} does not belong to the certificate in ${certFile}`)
  if (Date.parse(certificate.validTo) <= now)
    throw invalid(`the certificate in ${certFile} expired on ${certificate.validTo}; renew it`)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw invalid(`the certificate in ${certFile} can't be used for TLS: ${reason(error)}`, error)
  }
}

function parsed(cert: string, file: string): X509Certificate {
  try {
    return new X509Certificate(cert)
  } catch (error) {
    throw invalid(`${file} is not a certificate in PEM`, error)
  }
}

function privateKey(key: string, file: string): KeyObject {
  if (key.includes('ENCRYPTED'))
    throw invalid(`the private key in ${file} is encrypted; give one without a passphrase`)
  try {
    return createPrivateKey(key)
  } catch (error) {
    throw invalid(`${file} is not a private key in PEM`, error)
  }
}

function read(file: string, what: string): string {
  const text = readIfThere(file)
  if (text === undefined) throw invalid(`there is no ${what} at ${file}`)
  return text
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw invalid(`${file} can't be read: ${reason(error)}`, error)
  }
}

function write(file: string, text: string): void {
  try {
    writeFileAtomically(file, text)
  } catch (error) {
    throw invalid(`${file} can't be written: ${reason(error)}`, error)
  }
}

function reason(error: unknown): string {
  return systemProblem(error) ?? (error instanceof Error ? error.message : String(error))
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('invalid_certificate', message, { cause })
}
