import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from './button.tsx'
import formStyles from './form.module.css'

interface MoreOfListProps {
  readonly query: UseInfiniteQueryResult<InfiniteData<unknown>>
  readonly button: string
}

/** Goes on behind what is shown of a list; nothing where that is all. */
export function MoreOfList({ query, button }: MoreOfListProps) {
  if (!query.hasNextPage) return null
  return (
    <div className={formStyles.acts}>
      <Button isBusy={query.isFetchingNextPage} onClick={() => query.isFetching || query.fetchNextPage()}>
        {button}
      </Button>
    </div>
  )
}
