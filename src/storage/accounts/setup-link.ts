/** The setting that has the link for making the first account, so that a start can write one without more than that. */
export const SETUP_LINK_SETTING = 'setup_link'

export interface SetupLink {
  readonly hash: string
  /** Milliseconds since the Unix epoch. */
  readonly until: number
}

export function setupLinkText({ hash, until }: SetupLink): string {
  return JSON.stringify({ hash, until })
}

/** Undefined where there is none, or none that can be read. */
export function setupLinkFrom(setting: string | undefined): SetupLink | undefined {
  try {
    const { hash, until } = JSON.parse(setting ?? '{}') as Partial<Record<keyof SetupLink, unknown>>
    return typeof hash === 'string' && Number.isSafeInteger(until)
      ? { hash, until: until as number }
      : undefined
  } catch {
    return undefined
  }
}
