/** The setting that names the apps, by their ids, for which no index is made unasked. */
export const AUTO_INDEX_SETTING = 'auto_index_off'

/** Whether indexes may be made for an app, by its id, without being asked for; for none where that can't be read. */
export function hasAutoIndex(settings: { setting(name: string): string | undefined }, app: string): boolean {
  return idsWithoutAutoIndex(settings.setting(AUTO_INDEX_SETTING))?.has(app) === false
}

/** Undefined where the setting is damaged. */
export function idsWithoutAutoIndex(setting: string | undefined): Set<string> | undefined {
  try {
    const ids: unknown = setting === undefined ? [] : JSON.parse(setting)
    return Array.isArray(ids) ? new Set(ids) : undefined
  } catch {
    return undefined
  }
}
