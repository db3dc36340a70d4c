import { useEffect, useState } from 'react'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'

const TELLS_MS = 2_000

/** Puts a text on the clipboard, and says so for a moment. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [told, setTold] = useState<string>()
  useEffect(() => {
    if (told === undefined) return
    const timer = setTimeout(() => setTold(undefined), TELLS_MS)
    return () => clearTimeout(timer)
  }, [told])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setTold(TEXTS.copied),
      () => setTold(TEXTS.notCopied),
    )
  return (
    <Button onClick={copy} aria-label={told === undefined ? `${TEXTS.copy}: ${label}` : undefined}>
      <span aria-live="polite">{told ?? TEXTS.copy}</span>
    </Button>
  )
}
