import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../components/button.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { useIndexes, useMakeIndex } from '../indexes-data.ts'
import type { CollectionAddress } from './documents-api.ts'
import { IndexProgress } from './index-progress.tsx'

interface MakeIndexProps extends CollectionAddress {
  readonly fields: string
  /** What the button says. */
  readonly children: ReactNode
  /** What it is called where that doesn’t name the fields. */
  readonly label?: string
  /** Once the index can be used. */
  readonly onReady?: () => void
}

/** A button that makes an index; then it says how far it is. */
export function MakeIndex({ slug, collection, fields, children, label, onReady }: MakeIndexProps) {
  const client = useQueryClient()
  const make = useMakeIndex({ slug, collection })
  const { data: indexes } = useIndexes({ slug, collection }, make.isSuccess)
  const made = indexes?.find((index) => index.fields === fields)
  const isReady = make.isSuccess && made?.state === 'ready'
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told once.
  useEffect(() => {
    if (!isReady) return
    void client.invalidateQueries({ queryKey: ['apps', slug] })
    onReady?.()
  }, [isReady])
  if (make.isSuccess) return <IndexProgress index={made} />
  return (
    <>
      <Button aria-label={label} isBusy={make.isPending} onClick={() => make.mutate({ fields })}>
        {children}
      </Button>
      <ReadProblem error={make.error} />
    </>
  )
}
