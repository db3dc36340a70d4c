import type { FindSite, Site } from '../http/request/handle-request.ts'
import type { Directory } from '../storage/directory.ts'
import { type HostNames, SiteFinder } from './find-site.ts'
import { SiteReplies, type SiteRepliesOptions } from './site-replies.ts'

export interface SitePagesOptions extends SiteRepliesOptions {
  readonly names: HostNames
  readonly directory: () => Directory
}

/** Serves the sites of apps, each by its hosts. */
export function createSitePages({ names, directory, ...options }: SitePagesOptions): FindSite {
  const replies = new SiteReplies(options)
  const finder = new SiteFinder<Site>(names, (found) => ({
    name: found.site?.slug ?? '',
    handle: (asked) => replies.replyTo(found, asked),
  }))
  return (authority) => finder.find(directory(), authority)
}
