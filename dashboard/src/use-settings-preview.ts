import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { askApi } from './api.ts'
import type { AppSettings } from './app-settings.ts'
import { appPath } from './apps-data.ts'
import { useSettled } from './use-settled.ts'

const SETTLES_MS = 300

interface PreviewedSettings {
  readonly slug: string
  /** As they are stored. */
  readonly settings: AppSettings
  /** What would be saved; undefined where nothing would be. */
  readonly json: string | undefined
}

/** How an app's settings would be told if some were saved, or what is wrong with these; undefined where none would be. */
export function useSettingsPreview({ slug, settings, json }: PreviewedSettings) {
  const settled = useSettled(json, SETTLES_MS)
  const isAny = json !== undefined && settled !== undefined
  const { data, error } = useQuery({
    queryKey: ['settings-summary', slug, settled, settings],
    queryFn: ({ signal }) =>
      askApi<AppSettings>(`${appPath(slug)}/settings/summary`, {
        method: 'POST',
        json: JSON.parse(settled!),
        signal,
      }),
    enabled: isAny,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return isAny ? { told: error === null ? data : undefined, error } : undefined
}
