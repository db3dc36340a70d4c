import { tagOf } from '../domain/entity-tag.ts'
import type { SiteFile } from '../sites/manifest.ts'
import type { ServedManifest } from '../sites/read-served-manifest.ts'
import type { SiteSettings } from '../sites/site-settings.ts'
import { hasHash, typeOf } from './file-names.ts'
import type { RequestedPath } from './requested-path.ts'

/** A file as it is served. */
export interface ServedFile extends SiteFile {
  readonly type: string
  /** The opaque part of its entity tag, where the site sets no headers: of what is in it, and of its type. */
  readonly tag: string
  readonly isImmutable: boolean
}

/** A file that answers a request. */
export interface FileTarget {
  readonly kind: 'file'
  readonly file: ServedFile
  readonly status: 200 | 404
  /** Whether it stands in for one that is not there, so that nothing that is said of the path is said of it. */
  readonly isStandIn: boolean
}

/** What is at a path. */
export type Target =
  | FileTarget
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'nothing' }

/** What decides about a path beside itself. */
export interface Asked {
  /** As it came, without its `?`. */
  readonly query: string
  /** Whether it is for a page, and not for a part of one. */
  readonly isForPage: boolean
}

/** Files that are remembered as they are served. */
const REMEMBERED = 200
/** For settings, and for what is remembered. */
const SETTINGS_BYTES = 128 * 1024
const SETTINGS_FILE = 'sheaf.json'
const NOTHING: Target = Object.freeze({ kind: 'nothing' })
const HEADER_SAFE = /^[\x21-\x7e]*$/

/** One version of a site, ready to be served. */
export class ServedVersion {
  /** What it takes in memory, by estimate. */
  readonly bytes: number
  private readonly files: ServedManifest['files']
  private readonly settings: SiteSettings
  private readonly served = new Map<string, ServedFile>()

  constructor({ files, settings }: ServedManifest) {
    this.files = files
    this.settings = settings
    this.bytes = SETTINGS_BYTES + files.bytes
  }

  /**
   * What is at a path. The redirects come first, then a file of that name, then a page by its clean address, then the
   * `index.html` of a folder, then the fallback, then the page for what is not there.
   */
  find({ text, isPlain }: RequestedPath, asked: Asked): Target {
    if (!isPlain) return this.missing(asked, '')
    return this.redirect(text, asked) ?? this.there(text, asked) ?? this.missing(asked, text)
  }

  /** Names and values, in turn, of the headers that are set for a path. */
  headersFor({ text }: RequestedPath): ReadonlyMap<string, string> | undefined {
    const { headers } = this.settings
    if (headers.length === 0) return undefined
    const path = `/${text}`
    const set = new Map<string, string>()
    for (const rule of headers)
      if (fits(rule.for, path)) for (const [name, value] of Object.entries(rule.set)) set.set(name, value)
    return set
  }

  private redirect(path: string, { query }: Asked): Target | undefined {
    const asked = `/${path}`
    const rule = this.settings.redirects.find(({ from }) => fits(from, asked))
    if (rule === undefined) return undefined
    const { from, to, status } = rule
    // What begins with a slash itself would make the name of a host of the path.
    const rest = encodePath(asked.slice(from.length - 1).replace(/^\/+/, ''))
    const location = to.endsWith('*') ? `${to.slice(0, -1)}${rest}` : to
    // Where all that is below a folder leads to one page in it, that page is there.
    if (location === `/${encodePath(path)}`) return undefined
    return { kind: 'redirect', status, location: withQuery(location, query) }
  }

  private there(path: string, { query }: Asked): Target | undefined {
    const { cleanAddresses } = this.settings
    const isFolder = path === '' || path.endsWith('/')
    const file = this.fileAt(isFolder ? `${path}index.html` : path)
    if (file !== undefined) return found(file)
    if (isFolder) {
      const page = path.slice(0, -1)
      const isPage = cleanAddresses && page !== '' && this.fileAt(`${page}.html`) !== undefined
      return isPage ? moved(page, query) : undefined
    }
    const page = cleanAddresses ? this.fileAt(`${path}.html`) : undefined
    if (page !== undefined) return found(page)
    return this.fileAt(`${path}/index.html`) === undefined ? undefined : moved(`${path}/`, query)
  }

  private missing({ isForPage }: Asked, path: string): Target {
    const { fallback, notFound } = this.settings
    const shell = fallback !== null && isForPage && !namesFile(path) ? this.named(fallback) : undefined
    if (shell !== undefined) return { kind: 'file', file: shell, status: 200, isStandIn: true }
    const page = this.named(notFound)
    return page === undefined ? NOTHING : { kind: 'file', file: page, status: 404, isStandIn: true }
  }

  /** @param setting a path with its slash */
  private named(setting: string): ServedFile | undefined {
    return this.fileAt(setting.slice(1).normalize())
  }

  private fileAt(path: string): ServedFile | undefined {
    const known = this.served.get(path)
    if (known !== undefined) return known
    const file = path === SETTINGS_FILE ? undefined : this.files.get(path)
    if (file === undefined) return undefined
    const type = typeOf(path)
    const served: ServedFile = {
      ...file,
      type,
      tag: tagOf(`${file.hash} ${type}`),
      isImmutable: hasHash(path) || this.settings.immutable.some((pattern) => fits(pattern, `/${path}`)),
    }
    if (this.served.size >= REMEMBERED) this.served.clear()
    this.served.set(path, served)
    return served
  }
}

function found(file: ServedFile): FileTarget {
  return { kind: 'file', file, status: 200, isStandIn: false }
}

/** With a dot in its last part a path names a file, which is there or isn't. */
function namesFile(path: string): boolean {
  return path.lastIndexOf('.') > path.lastIndexOf('/')
}

function fits(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}

function moved(path: string, query: string): Target {
  return { kind: 'redirect', status: 308, location: withQuery(`/${encodePath(path)}`, query) }
}

/** A query that the target has is its own. */
function withQuery(location: string, query: string): string {
  if (query === '' || location.includes('?')) return location
  const [address = '', ...fragment] = location.split('#')
  const asked = HEADER_SAFE.test(query) ? query : encodeURI(query)
  return [`${address}?${asked}`, ...fragment].join('#')
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
