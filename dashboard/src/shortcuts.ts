import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { APP_PAGES, shownApp } from './app-pages.ts'
import { appPath } from './apps-data.ts'
import { usePreferences } from './preferences.ts'

/** For the one link or field of a page by which something is made there: `n` opens or enters it. */
export const CREATES = { 'data-creates': '' }

/** For the one button of a page that opens what takes its documents out. */
export const EXPORTS = { 'data-exports': '' }

/** Where letters are typed, or lead to a choice of that name. */
const TYPING =
  'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog], [role=alertdialog]'
/** How long `g` waits for the letter of a page. */
const SEQUENCE_MS = 1500

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** What stands on the key beside a letter in a shortcut, such as `⌘K`. */
export const COMMAND = IS_APPLE ? '⌘' : 'Ctrl '

interface ShortcutActs {
  readonly openPalette: () => void
  readonly openHelp: () => void
}

/** Listens to the keys that do something on every page. */
export function useShortcuts({ openPalette, openHelp }: ShortcutActs): void {
  const client = useQueryClient()
  const [path, navigate] = useLocation()
  const { data: preferences } = usePreferences()
  const sequenceAt = useRef(-SEQUENCE_MS)
  // Not before it is known that they were not switched off.
  const hasLetterKeys = preferences !== undefined && preferences.hasLetterKeys !== false
  useEffect(() => {
    const goTo = (letter: string): void => {
      const slug = shownApp(path)
      const page = APP_PAGES.find((each) => each.letter === letter)
      if (slug !== undefined && page !== undefined) navigate(`${appPath(slug)}${page.path}`)
    }
    const acts: Readonly<Record<string, () => void>> = {
      '?': openHelp,
      g: () => {
        sequenceAt.current = performance.now()
      },
      n: create,
      '/': enterQuery,
      r: () => void client.invalidateQueries(),
    }
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const { key } = event
      const isCommand = IS_APPLE ? event.metaKey : event.ctrlKey
      if (isCommand && !event.shiftKey && key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (event.metaKey || event.ctrlKey || !hasLetterKeys || isTyping(event)) return
      const isSecond = performance.now() - sequenceAt.current < SEQUENCE_MS
      sequenceAt.current = -SEQUENCE_MS
      const act = isSecond ? () => goTo(key) : Object.hasOwn(acts, key) ? acts[key] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [client, path, navigate, hasLetterKeys, openPalette, openHelp])
}

/** Also in the editor, which is in a shadow tree. */
function isTyping(event: KeyboardEvent): boolean {
  return event.composedPath().some((each) => each instanceof Element && each.matches(TYPING))
}

/** Opens or enters that by which the page makes something. */
export function create(): void {
  const element = document.querySelector<HTMLElement>('[data-creates]')
  if (element instanceof HTMLInputElement) element.focus()
  else element?.click()
}

/** What opens the export of the documents that the page shows; null where it shows none. */
export function exportButton(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-exports]')
}

/** Into the editor of the query, which is in a shadow tree. */
function enterQuery(): void {
  const host = document.querySelector('[data-query] > div')
  host?.shadowRoot?.querySelector<HTMLElement>('[contenteditable]')?.focus()
}
