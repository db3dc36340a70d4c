import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CertificatePair,
  loadOrCreateCertificate,
} from '../src/certificates/load-or-create-certificate.ts'

const CACHE = fileURLToPath(new URL('../node_modules/.cache/sheaf-test/', import.meta.url))
const FOLDER = join(CACHE, 'certificate')

/** The file that it is in, which is its own authority. */
export const SELF_MADE_CERTIFICATE = join(FOLDER, 'tls', 'cert.pem')

/**
 * A certificate as servers make it for themselves, which all tests share: to load the library that makes one takes
 * 150 ms of the processor. It is renewed as a server's is.
 */
export async function selfMadeCertificate(): Promise<CertificatePair> {
  if (!existsSync(FOLDER)) await makeFolder()
  return loadOrCreateCertificate(FOLDER, {})
}

/** Puts that certificate into a data folder, as an earlier start would have. */
export async function addCertificate(dataDir: string): Promise<void> {
  await selfMadeCertificate()
  cpSync(join(FOLDER, 'tls'), join(dataDir, 'tls'), { recursive: true })
}

/** Moved into its place as a whole, for files with tests that run beside this one may make it at the same time. */
async function makeFolder(): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const making = mkdtempSync(join(CACHE, 'making-'))
  try {
    mkdirSync(join(making, 'tls'), { mode: 0o700 })
    await loadOrCreateCertificate(making, {})
    renameSync(making, FOLDER)
  } catch (error) {
    if (!existsSync(FOLDER)) throw error
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}
