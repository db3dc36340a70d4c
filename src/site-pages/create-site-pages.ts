import type { FindSite, Site } from '../http/request/handle-request.ts'
import type { Directory } from '../storage/directory.ts'
import { type HostNames, SiteFinder } from './find-site.ts'
import { SiteReplies, type SiteRepliesOptions } from './site-replies.ts'

export interface SitePagesOptions extends SiteRepliesOptions {
  readonly names: HostNames
  readonly directory: () => Directory
  /** Counts a request to a site of an account, by its id. @throws AppError where it may have no more */
  readonly countRequest: (owner: string | null) => void
}

/** Serves the sites of apps, each by its hosts. */
export function createSitePages({ names, directory, countRequest, ...options }: SitePagesOptions): FindSite {
  const replies = new SiteReplies(options)
  const finder = new SiteFinder<Site>(names, (found) => {
    const name = found.site?.slug ?? ''
    // Remembered for as long as the directory stays the same.
    const owner = directory().apps.get(name)?.owner ?? null
    return {
      name,
      app: found.site?.app ?? '',
      isPreview: found.isPreview,
      handle: (asked) => {
        countRequest(owner)
        return replies.replyTo(found, asked)
      },
    }
  })
  return (authority) => finder.find(directory(), authority)
}
