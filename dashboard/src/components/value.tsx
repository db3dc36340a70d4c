import { showUnseen } from '../show-unseen.ts'

interface ValueProps {
  readonly text: string | undefined
  readonly className?: string | undefined
}

/** A name or a value as somebody wrote it, which stays one line and turns nothing round that stands beside it. */
export function Value({ text = '', className }: ValueProps) {
  return <bdi className={className}>{showUnseen(text)}</bdi>
}
