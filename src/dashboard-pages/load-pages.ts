import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { tagOf } from '../http/response/entity-tag.ts'

/** Content codings that the build leaves beside a file, by what ends the name; the one that saves most first. */
export const FILE_CODINGS = ['br', 'gzip'] as const
const SUFFIXES = { br: '.br', gzip: '.gz' } as const

type FileCoding = (typeof FILE_CODINGS)[number]

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file as it was built. */
export interface BuiltFile {
  readonly type: string
  /** The opaque part of its entity tag. */
  readonly tag: string
  readonly bytes: Uint8Array
  readonly encoded: Readonly<Partial<Record<FileCoding, Uint8Array>>>
}

export interface BuiltPages {
  /** The one page there is; it shows what its address says. */
  readonly html: BuiltFile
  /** By their names, each of which has a hash of what is in it. */
  readonly assets: ReadonlyMap<string, BuiltFile>
}

/** All that was built, in memory; undefined where nothing was. No name of a request is ever looked for on the disk. */
export async function loadPages(folder: URL): Promise<BuiltPages | undefined> {
  const assetsFolder = new URL('assets/', folder)
  try {
    const html = await loadFile(folder, 'index.html', new Set(await readdir(folder)))
    const names = new Set(await readdir(assetsFolder))
    const assets = new Map<string, BuiltFile>()
    const encoded = Object.values<string>(SUFFIXES)
    for (const name of names)
      if (!encoded.includes(extname(name))) assets.set(name, await loadFile(assetsFolder, name, names))
    return { html, assets }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function loadFile(folder: URL, name: string, names: ReadonlySet<string>): Promise<BuiltFile> {
  const bytes = await readFile(new URL(name, folder))
  const encoded: Partial<Record<FileCoding, Uint8Array>> = {}
  for (const coding of FILE_CODINGS) {
    const compressed = `${name}${SUFFIXES[coding]}`
    if (names.has(compressed)) encoded[coding] = await readFile(new URL(compressed, folder))
  }
  return { type: TYPES[extname(name)] ?? 'application/octet-stream', tag: tagOf(bytes), bytes, encoded }
}
