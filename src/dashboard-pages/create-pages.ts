import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'
import { methodNotAllowed } from '../http/request/route-request.ts'
import { preferredOf } from '../http/response/content-coding.ts'
import type { Reply } from '../http/response/reply.ts'
import { type BuiltFile, type BuiltPages, FILE_CODINGS, loadPages } from './load-pages.ts'

const ASSETS = '/_/assets/'
/** What stands behind its `?` is good for a sign-in, and is for no cache. */
const PROVIDER_ANSWER = '/_/oidc'
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
/** For a year, which is what HTTP calls for ever (RFC 9111, section 5.2.2.1; RFC 8246). */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const NOT_BUILT = `<!doctype html>
<html lang="en">
<title>Sheaf</title>
<h1>The dashboard was not built</h1>
<p>The API works without it. To have the dashboard, run this in the folder of Sheaf, and load this page again:
<pre>npm ci
npm run build</pre>
`

/**
 * Serves the dashboard's pages and their files from memory, into which the first request takes them. Where nothing was
 * built, each request looks anew.
 * @param folder with the build
 */
export function createPages(folder: URL): (request: IncomingMessage, path: string) => Promise<Reply> {
  let loading: Promise<BuiltPages | undefined> | undefined
  const load = async (): Promise<BuiltPages | undefined> => {
    let built: BuiltPages | undefined
    try {
      built = await loadPages(folder)
      return built
    } finally {
      if (built === undefined) loading = undefined
    }
  }
  return async (request, path) => {
    if (!READS.has(request.method!)) return methodNotAllowed({ allow: 'GET, HEAD' })
    loading ??= load()
    const built = await loading
    if (path.startsWith(ASSETS)) {
      const file = built?.assets.get(path.slice(ASSETS.length))
      if (file === undefined) throw new AppError('unknown_path', 'the dashboard has no such file')
      return fileReply(request, file, IMMUTABLE)
    }
    if (built === undefined) return notBuilt()
    return fileReply(request, built.html, path === PROVIDER_ANSWER ? 'no-store' : 'no-cache')
  }
}

function fileReply({ headers }: IncomingMessage, file: BuiltFile, caching: string): Reply {
  const { type, tag, bytes, encoded } = file
  const available = FILE_CODINGS.filter((coding) => encoded[coding] !== undefined)
  const coding = preferredOf(headers['accept-encoding'], available)
  const body = coding === undefined ? bytes : encoded[coding]!
  return { status: 200, body, file: { type, caching, tag, coding } }
}

function notBuilt(): Reply {
  return { status: 503, body: NOT_BUILT, file: { type: 'text/html; charset=utf-8', caching: 'no-store' } }
}
