import type { IncomingMessage } from 'node:http'
import type { Visit } from '../../analytics/request-facts.ts'
import { redactedPagePath } from '../log/redact.ts'
import type { FindSite } from './handle-request.ts'
import { authorityOf, splitTarget } from './request-target.ts'

/** Units of text of a path that is counted by itself. */
const PATH_LENGTH = 200
/** A host with a port, which has at most 253 and 5 characters; an address of IPv6 stands in brackets. */
const HOST = /^(?=.{1,260}$)(?:[a-z0-9-]+\.)*[a-z0-9-]+\.?(?::\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/
/** A longer one is nobody's page. */
const REFERRER_LENGTH = 4096

/** A page of a site that was shown, as it is counted; undefined for one that is a preview. */
export function visitOf(request: IncomingMessage, findSite: FindSite): Visit | undefined {
  const target = request.url!
  const site = siteAt(authorityOf(target, request.headers.host), findSite)
  if (site === undefined || site.isPreview) return undefined
  const host = hostOf(request.headers.referer)
  const isOwn = host !== '' && siteAt(host, findSite)?.app === site.app
  return { path: pathOf(target), referrer: isOwn ? '' : host }
}

function siteAt(authority: string | undefined, findSite: FindSite): ReturnType<FindSite> {
  return authority === undefined ? undefined : findSite(authority)
}

/** Decoded where it can be, so that it reads as its author wrote it. */
function pathOf(target: string): string {
  const { path } = splitTarget(target)
  return redactedPagePath(decoded(path)).slice(0, PATH_LENGTH).toWellFormed() || '/'
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    // What looks like an escape is none.
    return path
  }
}

/** Of a page's address, nothing but its host; empty for what is none. */
function hostOf(referrer: string | undefined): string {
  if (referrer === undefined || referrer.length > REFERRER_LENGTH) return ''
  const url = URL.parse(referrer)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return ''
  return HOST.test(url.host) ? url.host : ''
}
