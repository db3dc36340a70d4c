import type { SiteSettings } from '../../../src/sites/site-settings.ts'
import { appPath, ofAppRead, type Read, useOfApp } from '../apps-data.ts'
import type { KeyRules } from '../key-rules.ts'

/** What an app serves by host name. */
export interface Site {
  /** Null where the app can't have one. */
  readonly url: string | null
  /** The version that is served; null where none is. */
  readonly live: number | null
  /** How many versions are kept. */
  readonly kept: number
  /** Whether versions have addresses of their own that browsers trust. */
  readonly previews: boolean
  readonly limits: SiteLimits
  /** Null where none was made. */
  readonly key: SiteKey | null
  readonly domains: readonly SiteDomain[]
  /** Why it can't be served; null where it can. */
  readonly problem: { readonly code: string; readonly message: string } | null
}

/** What a version may have at most. */
export interface SiteLimits {
  readonly files: number
  /** Of one file. */
  readonly fileBytes: number
  /** Of all of them. */
  readonly bytes: number
}

/** What its pages ask the API with, for everybody to see. */
export interface SiteKey extends Partial<KeyRules> {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly sentence: string
}

export interface SiteDomain {
  readonly domain: string
  readonly state: 'waiting' | 'verified'
  /** Either shows whose it is. */
  readonly record: { readonly type: string; readonly name: string; readonly value: string }
  readonly file: { readonly url: string; readonly body: string }
}

/** An immutable set of files. */
export interface Deploy {
  readonly version: number
  readonly message: string
  /** By whom, in words. */
  readonly author: string
  readonly createdAt: string
  readonly files: number
  readonly bytes: number
  readonly isLive: boolean
  /** Of its preview. */
  readonly url: string | null
}

/** The same right after it was made, with the address of the site where it is live. */
export interface Deployed extends Deploy {
  /** The first hundred. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[]
  readonly leftOutCount: number
}

export interface DeployedFile {
  readonly path: string
  readonly bytes: number
  readonly type: string
  /** SHA-256 in hexadecimal. */
  readonly hash: string
}

/** The same with what is in it. */
export interface FullDeploy extends Deploy {
  readonly list: readonly DeployedFile[]
  readonly settings: SiteSettings
}

export function siteRead(slug: string): Read<Site> {
  return ofAppRead(slug, '/site')
}

export function deploysRead(slug: string): Read<readonly Deploy[]> {
  return ofAppRead(slug, '/deploys')
}

export function deployRead(slug: string, version: string): Read<FullDeploy> {
  return ofAppRead(slug, deployPath(version))
}

/** Behind the path of the app. */
export function deployPath(version: number | string): string {
  return `/deploys/${encodeURIComponent(version)}`
}

/** Whether a site is at an address that leads each machine to itself (RFC 6761, section 6.3). */
export function isOnlyHere(url: string): boolean {
  return new URL(url).hostname.endsWith('.localhost')
}

/** Where a page shows one version. */
export function versionPage(slug: string, version: number): string {
  return `${appPath(slug)}/sites/${version}`
}

export function useSite(slug: string) {
  return useOfApp<Site>(slug, '/site')
}

export function useDeploys(slug: string) {
  return useOfApp<readonly Deploy[]>(slug, '/deploys')
}

export function useDeploy(slug: string, version: string) {
  return useOfApp<FullDeploy>(slug, deployPath(version))
}
