import type { IncomingMessage } from 'node:http'
import type { Site } from '../http/request/handle-request.ts'
import { pathParts } from '../http/request/request-target.ts'
import { acceptsHtml, errorPage } from '../http/response/error-page.ts'
import type { Reply } from '../http/response/reply.ts'
import type { SiteFiles } from '../sites/site-files.ts'
import type { SiteRecord } from '../storage/directory.ts'
import { FileReplies } from './file-replies.ts'
import type { FoundSite } from './find-site.ts'
import { LoadingCache } from './loading-cache.ts'
import { type RequestedPath, requestedPath } from './requested-path.ts'
import { ServedVersion } from './served-version.ts'

export interface SiteRepliesOptions {
  readonly files: SiteFiles
  /** The origin at which pages find the API. */
  readonly apiUrl: () => string
  /** Whether files are sent in the codings that they are kept in, too. */
  readonly compression: boolean
  /** What was served takes so much memory at most, by estimate. */
  readonly cacheBytes: number
}

type SiteRequest = Parameters<Site['handle']>[0]

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
/** What the service itself answers on every site; no file is ever below it. */
const OWN_FOLDER = '_sheaf'
const CONFIG = 'config.json'
/**
 * The part of the memory that is for lists of files, and what it is at least: a list of 19,000 files takes 3 MB, and one that
 * there is no room for is read again for each request.
 */
const VERSIONS = 1 / 4
const LEAST_VERSIONS_BYTES = 12 * 1024 * 1024
/** Read at once; each takes some milliseconds of the thread. */
const VERSION_LOADS = 2

/** What a site answers. Nothing of what it shows comes from anywhere but the files of one version. */
export class SiteReplies {
  private readonly options: SiteRepliesOptions
  private readonly versions: LoadingCache<ServedVersion>
  private readonly fileReplies: FileReplies

  constructor(options: SiteRepliesOptions) {
    const { files, compression, cacheBytes } = options
    this.options = options
    this.versions = new LoadingCache({
      mostBytes: Math.max(cacheBytes * VERSIONS, LEAST_VERSIONS_BYTES),
      mostLoads: VERSION_LOADS,
    })
    this.fileReplies = new FileReplies({ files, compression, cacheBytes: cacheBytes * (1 - VERSIONS) })
  }

  /** @throws AppError `invalid_path`, `store_unavailable` */
  replyTo(
    { site, version, isPreview }: FoundSite,
    { request, path, query }: SiteRequest,
  ): Reply | Promise<Reply> {
    if (!READS.has(request.method!))
      return errorPage(request, { status: 405, body: '', headers: ['Allow', 'GET, HEAD'] })
    const manifest = version === undefined ? undefined : site?.manifests.get(version)
    const isPath = path.startsWith('/') || path === ''
    if (site === undefined || manifest === undefined || !isPath) return notFound(request)
    const parts = path === '' ? [''] : pathParts(path)
    const asked = requestedPath(parts)
    if (asked === undefined) return notFound(request)
    if (parts[0] === OWN_FOLDER) return this.ownReply(request, site, parts)
    const served = this.versions.get(`${site.app}/${manifest}`, async () => {
      const value = new ServedVersion(await this.options.files.readServedManifest(site.app, manifest))
      return { value, bytes: value.bytes }
    })
    const reply = (loaded: ServedVersion): Reply | Promise<Reply> =>
      this.versionReply({ loaded, app: site.app, request, path: asked, query, isPreview })
    return served instanceof Promise ? served.then(reply) : reply(served)
  }

  private ownReply(request: IncomingMessage, { slug, key }: SiteRecord, parts: readonly string[]): Reply {
    if (parts.length !== 2 || parts[1] !== CONFIG) return notFound(request)
    const config = { url: this.options.apiUrl(), app: slug, key: key?.secret ?? null }
    return {
      status: 200,
      body: `${JSON.stringify(config)}\n`,
      file: { type: 'application/json', caching: 'no-cache' },
    }
  }

  private versionReply({
    loaded,
    app,
    request,
    path,
    query,
    isPreview,
  }: {
    readonly loaded: ServedVersion
    readonly app: string
    readonly request: IncomingMessage
    readonly path: RequestedPath
    readonly query: string
    readonly isPreview: boolean
  }): Reply | Promise<Reply> {
    const target = loaded.find(path, { query, isForPage: acceptsHtml(request) })
    switch (target.kind) {
      case 'nothing':
        return notFound(request)
      case 'redirect':
        return redirectReply(target)
      case 'file':
        return this.fileReplies.replyWith(target, { app, request, isPreview, set: loaded.headersFor(path) })
      default:
        return target satisfies never
    }
  }
}

function notFound(request: IncomingMessage): Reply {
  return errorPage(request, { status: 404, body: '' })
}

function redirectReply({ status, location }: { readonly status: number; readonly location: string }): Reply {
  return {
    status,
    body: `See ${location}\n`,
    file: { type: 'text/plain; charset=utf-8', caching: 'no-cache' },
    headers: ['Location', location],
  }
}
