import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { ReadProblem } from './read-problem.tsx'
import { Stopped, Waiting } from './waiting.tsx'

interface ReadStateProps {
  readonly query: UseQueryResult<unknown>
  /** What is being read, in words. */
  readonly reading: string
}

/** What shows of a read that has brought nothing yet: that it is under way, was stopped, or went wrong. */
export function ReadState({ query: { data, error, fetchStatus, refetch }, reading }: ReadStateProps) {
  const client = useQueryClient()
  if (error !== null) return <ReadProblem error={error} onAgain={refetch} />
  if (data !== undefined) return null
  if (fetchStatus === 'idle') return <Stopped onAgain={refetch} />
  // All reads of the page: they wait for the same.
  return <Waiting reading={reading} onStop={() => client.cancelQueries()} />
}
