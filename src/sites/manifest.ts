import { NO_SITE_SETTINGS, type SiteSettings } from './site-settings.ts'

/** How a file may be kept beside itself, as `Accept-Encoding` calls it. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

export interface SiteFile {
  /** SHA-256 of its bytes in hexadecimal. */
  readonly hash: string
  readonly bytes: number
  /** The bytes of each form that it is kept in beside its own. */
  readonly encoded: Readonly<Partial<Record<Coding, number>>>
}

/** What a version of a site is. */
export interface SiteManifest {
  /** By their paths, without a slash in front. */
  readonly files: ReadonlyMap<string, SiteFile>
  readonly settings: SiteSettings
}

type StoredFile = readonly [path: string, hash: string, bytes: number, br: number, gzip: number]

const FORMAT = 1
const HASH = /^[0-9a-f]{64}$/

/** Whether `text` can name a file of a site. */
export function isFileHash(text: unknown): text is string {
  return typeof text === 'string' && HASH.test(text)
}

/** The same text for the same files and settings. */
export function manifestText({ files, settings }: SiteManifest): string {
  const stored = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([path, { hash, bytes, encoded }]): StoredFile => [
        path,
        hash,
        bytes,
        encoded.br ?? 0,
        encoded.gzip ?? 0,
      ],
    )
  return JSON.stringify({ format: FORMAT, settings, files: stored })
}

/** Undefined for what no `manifestText` made. */
export function readManifest(text: string): SiteManifest | undefined {
  const stored = parsed(text)
  if (stored?.format !== FORMAT || !Array.isArray(stored.files)) return undefined
  const files = new Map<string, SiteFile>()
  for (const entry of stored.files as readonly unknown[]) {
    const file = storedFile(entry)
    if (file === undefined) return undefined
    files.set(...file)
  }
  return { files, settings: { ...NO_SITE_SETTINGS, ...(stored.settings as Partial<SiteSettings>) } }
}

/** A file of a manifest, with its path; undefined for what is none. */
export function storedFile(entry: unknown): [path: string, file: SiteFile] | undefined {
  if (!isStoredFile(entry)) return undefined
  const [path, hash, bytes, br, gzip] = entry
  return [path, { hash, bytes, encoded: { ...(br > 0 && { br }), ...(gzip > 0 && { gzip }) } }]
}

function isStoredFile(entry: unknown): entry is StoredFile {
  if (!Array.isArray(entry)) return false
  const [path, hash, ...lengths] = entry as readonly unknown[]
  return typeof path === 'string' && isFileHash(hash) && lengths.length === 3 && lengths.every(isLength)
}

function isLength(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
