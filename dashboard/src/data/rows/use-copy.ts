import { useEffect, useState } from 'react'
import type { JsonObject } from '../../../../src/json/value.ts'
import { ApiError } from '../../api.ts'
import { GRID_TEXTS } from '../../texts/grid.ts'
import { sentence } from '../../texts.ts'
import type { CollectionAddress } from '../documents-api.ts'
import { MOST_CHOSEN, readChosen } from './read-chosen.ts'

const TELLS_MS = 3000

interface Copied {
  /** JSON texts. */
  readonly ids: readonly string[]
  /** All where there are none. */
  readonly fields?: readonly string[]
  readonly format: (documents: readonly JsonObject[]) => string
}

/** Puts what is stored on the clipboard, and tells for a moment what became of it. */
export function useCopy(address: CollectionAddress) {
  const [told, setTold] = useState('')
  useEffect(() => {
    if (told === '') return
    const timer = setTimeout(() => setTold(''), TELLS_MS)
    return () => clearTimeout(timer)
  }, [told])
  const copy = async ({ ids, fields, format }: Copied): Promise<void> => {
    if (ids.length > MOST_CHOSEN) return setTold(GRID_TEXTS.tooMany(MOST_CHOSEN))
    const reading = readChosen(address, ids, fields)
    const blob = reading.then((documents) => new Blob([format(documents)], { type: 'text/plain' }))
    try {
      // With what is still to come: a browser lets it only at once after a key was pressed.
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
      setTold(GRID_TEXTS.copied((await reading).length))
    } catch {
      setTold(await reading.then(() => GRID_TEXTS.notCopied, problem))
    }
  }
  return { copy: (copied: Copied) => void copy(copied), told }
}

function problem(error: unknown): string {
  return error instanceof ApiError ? sentence(error.message) : GRID_TEXTS.notCopied
}
