import { useEffect, useState } from 'react'
import { TEXTS } from '../texts.ts'
import { Button } from './button.tsx'

const TELLS_MS = 2_000

interface CopyButtonProps {
  readonly text: string
  /** What the text is, for those who don't see what the button stands beside. */
  readonly label: string
  /** What the button says where that is enough by itself. */
  readonly words?: string
}

/** Puts a text on the clipboard, and says so for a moment. */
export function CopyButton({ text, label, words }: CopyButtonProps) {
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
    <Button
      onClick={copy}
      aria-label={told === undefined && words === undefined ? `${TEXTS.copy}: ${label}` : undefined}
    >
      <span aria-live="polite">{told ?? words ?? TEXTS.copy}</span>
    </Button>
  )
}
