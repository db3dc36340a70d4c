import { useEffect, useRef, useState } from 'react'
import type { StoredDocument } from '../documents-api.ts'
import type { Drafts } from './drafts.ts'
import { prettyPrint } from './pretty-print.ts'
import type { Base } from './review-document.ts'

/** How long typing has to pause before a draft is kept. */
const PAUSE_MS = 300

interface Begin {
  /** As it was read; undefined for a new document. */
  readonly opened: StoredDocument | undefined
  /** What a new one begins with. */
  readonly begin?: string | undefined
  readonly drafts: Drafts
}

/** The text of an open document: as it is stored until somebody types, and from then on kept as a draft. */
export function useDraft({ opened, begin = '', drafts }: Begin) {
  const [first] = useState(() => drafts.read())
  const [base, setBase] = useState<Base>(() => baseOf(first ? first.base : opened, begin))
  const [text, setText] = useState(first?.text ?? base.text)
  const [isKept, setIsKept] = useState(true)
  const isChanged = text !== base.text
  const latest = useRef(() => {})
  useEffect(() => {
    latest.current = () => {
      if (!isChanged) drafts.discard()
      else setIsKept(drafts.keep({ text, ...(base.stored && { base: base.stored }) }))
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the text has rested.
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, base])
  useEffect(() => {
    const keep = () => latest.current()
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  /** Begins anew with a document as it is stored; the draft before is done with, also where the panel closes now. */
  const rebase = (stored: StoredDocument | undefined, draft?: string): void => {
    latest.current = () => drafts.discard()
    const renewed = baseOf(stored, begin)
    setBase(renewed)
    setText(draft ?? renewed.text)
  }
  // What was read again shows at once where nobody has typed.
  if (!isChanged && opened !== undefined && opened.etag !== base.stored?.etag) {
    const renewed = baseOf(opened, begin)
    setBase(renewed)
    setText(renewed.text)
  }
  const isRestored = isChanged && text === first?.text
  return { base, text, isChanged, isKept, isRestored, setText, rebase }
}

function baseOf(stored: StoredDocument | undefined, begin: string): Base {
  return { stored, text: stored === undefined ? begin : prettyPrint(stored.text) }
}
