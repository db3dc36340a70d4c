import { useState } from 'react'
import { isQuotaLimit, QUOTA_LIMITS, type Quota, quotaFrom, type TypedQuota } from '../quota.ts'
import { QUOTA_TEXTS } from '../texts/quota.ts'
import { ActDialog } from './act-dialog.tsx'
import { Field } from './field.tsx'

interface QuotaDialogProps {
  readonly title: string
  readonly explained: string
  readonly button: string
  readonly initial: TypedQuota
  /** What stands below a field. */
  readonly hintOf: (limit: keyof Quota) => string
  readonly act: (quota: Partial<Quota>) => Promise<unknown>
  readonly onDone: () => unknown
  readonly onClose: () => void
}

/** Asks for what accounts may have, and sets it. */
export function QuotaDialog({ initial, hintOf, act, ...dialog }: QuotaDialogProps) {
  const [typed, setTyped] = useState(initial)
  const isWrong = (limit: keyof Quota) => !isQuotaLimit(limit, typed[limit])
  return (
    <ActDialog
      {...dialog}
      look="main"
      isRefused={QUOTA_LIMITS.some(isWrong)}
      act={() => act(quotaFrom(typed))}
    >
      {QUOTA_LIMITS.map((limit) => (
        <Field
          key={limit}
          name={limit}
          label={QUOTA_TEXTS.fields[limit]}
          hint={hintOf(limit)}
          problem={isWrong(limit) ? problemOf(limit) : undefined}
          value={typed[limit]}
          onChange={({ currentTarget: { value } }) => setTyped({ ...typed, [limit]: value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ))}
    </ActDialog>
  )
}

function problemOf(limit: keyof Quota): string {
  return limit === 'bytes' ? QUOTA_TEXTS.bytesProblem : QUOTA_TEXTS.problem
}
