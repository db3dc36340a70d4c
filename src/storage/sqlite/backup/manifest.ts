import { AppError } from '../../../errors.ts'
import { isAppId } from '../../accounts/directory-rows.ts'

/** The part of a backup that says what the others are. It comes last, for it has their digests. */
export const MANIFEST = 'manifest.json'
export const CONTROL = 'control.sqlite'
/** Of `tls`, what there may be; nothing else is ever written there. */
export const TLS_FILES: readonly string[] = [
  'tls/cert.pem',
  'tls/key.pem',
  'tls/acme/account-key.pem',
  'tls/acme/certificate.pem',
  'tls/acme/journal.json',
]

const FORMAT = 'sheaf-backup'
const VERSION = 2

/** One part of a backup, as it is unpacked. */
export interface BackupPart {
  readonly name: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** An app in a backup; the names are those of parts. */
export interface ManifestApp {
  readonly id: string
  readonly slug: string
  readonly documents: string
  readonly description: string
}

export interface Manifest {
  /** Of the Sheaf that made it. */
  readonly sheaf: string
  /** In ISO 8601. */
  readonly madeAt: string
  readonly contents: 'server' | 'app'
  readonly hasSecrets: boolean
  readonly apps: readonly ManifestApp[]
  /** All but the manifest itself. */
  readonly parts: readonly BackupPart[]
}

export function partsOfApp(id: string): Pick<ManifestApp, 'documents' | 'description'> {
  return { documents: `apps/${id}.sqlite`, description: `apps/${id}.json` }
}

/** The part that has the files of an app's site, where it has any. Backups of one app have none. */
export function siteOfApp(id: string): string {
  return `sites/${id}`
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...manifest }, undefined, 1)}\n`
}

/** @throws AppError `invalid_backup` */
export function manifestFrom(text: string): Manifest {
  const read = objectFrom(text)
  if (read === undefined) throw damaged('its manifest')
  if (read.format !== FORMAT) throw notABackup('its manifest.json is of something else')
  if (!Number.isSafeInteger(read.version)) throw damaged('its manifest')
  if ((read.version as number) > VERSION) throw newer(String(read.sheaf))
  if (!isManifest(read)) throw damaged('its manifest')
  return read
}

export function notABackup(what: string): AppError {
  return new AppError('invalid_backup', `this is not a backup of Sheaf: ${what}`)
}

export function damaged(part: string, cause?: unknown): AppError {
  return new AppError('invalid_backup', `the backup is damaged: ${part} is not what it was`, { cause })
}

export function newer(sheaf: string): AppError {
  const version = /^[\w.+-]{1,40}$/.test(sheaf) ? ` (${sheaf})` : ''
  return new AppError('invalid_backup', `a newer Sheaf${version} made this backup; upgrade this one`)
}

function objectFrom(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return { ...(JSON.parse(text) as object) } as Record<string, unknown>
  } catch {
    return undefined
  }
}

function isManifest(read: object): read is Manifest {
  const { sheaf, madeAt, contents, hasSecrets, apps, parts } = read as Record<keyof Manifest, unknown>
  return (
    typeof sheaf === 'string' &&
    typeof madeAt === 'string' &&
    !Number.isNaN(Date.parse(madeAt)) &&
    (contents === 'server' || contents === 'app') &&
    typeof hasSecrets === 'boolean' &&
    isListOf(apps, isApp) &&
    isListOf(parts, isPart) &&
    areParts(read as Manifest)
  )
}

/** Whether the parts are those that such a backup has, each of them once. */
function areParts({ contents, apps, parts }: Manifest): boolean {
  const names = new Set(parts.map(({ name }) => name))
  const ofApps = apps.flatMap(({ documents, description }) => [documents, description])
  const needed = contents === 'server' ? [CONTROL, ...ofApps] : ofApps
  const sites = apps.map(({ id }) => siteOfApp(id))
  const allowed = new Set(contents === 'server' ? [...needed, ...TLS_FILES, ...sites] : needed)
  return (
    names.size === parts.length &&
    new Set(apps.map(({ id }) => id)).size === apps.length &&
    (contents === 'server' || apps.length === 1) &&
    needed.every((name) => names.has(name)) &&
    parts.every(({ name }) => allowed.has(name))
  )
}

/** The names of its parts follow from its id, so that nobody else's word is taken for a name. */
function isApp(app: Record<string, unknown>): boolean {
  const { id, slug, documents, description } = app
  if (typeof id !== 'string' || !isAppId(id) || typeof slug !== 'string') return false
  const parts = partsOfApp(id)
  return documents === parts.documents && description === parts.description
}

function isPart({ name, bytes, sha256 }: Record<string, unknown>): boolean {
  return (
    typeof name === 'string' &&
    Number.isSafeInteger(bytes) &&
    (bytes as number) >= 0 &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  )
}

function isListOf(list: unknown, isEach: (each: Record<string, unknown>) => boolean): boolean {
  return (
    Array.isArray(list) && list.every((each) => typeof each === 'object' && each !== null && isEach(each))
  )
}
