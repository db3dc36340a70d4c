import type { ReactNode } from 'react'
import { KEY_TEXTS } from '../texts/keys.ts'
import { Snippet } from './snippet.tsx'

interface SecretProps {
  readonly title: string
  readonly secret: string
  readonly children: ReactNode
}

/** A secret that is nowhere else. It is gone when this is. */
export function Secret({ title, secret, children }: SecretProps) {
  return (
    <>
      <h1>{title}</h1>
      <p role="status">{KEY_TEXTS.once}</p>
      <Snippet text={secret} label={KEY_TEXTS.secret} isValue />
      {children}
    </>
  )
}
