import { APP_TEXTS } from './texts/apps.ts'

const LONGEST = 63

/** What keeps a text from being an app's slug, as the server sees it; undefined where nothing does. */
export function slugProblem(text: string): string | undefined {
  const { empty, upperCase, long, dash, character } = APP_TEXTS.newApp
  if (text === '') return empty
  if (/[A-Z]/.test(text)) return upperCase
  const other = /[^a-z0-9-]/u.exec(text)?.[0]
  if (other !== undefined) return character(JSON.stringify(other))
  if (text.startsWith('-') || text.endsWith('-')) return dash
  return text.length > LONGEST ? long(text.length) : undefined
}
