import { useQuery, useQueryClient } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { QuotaDialog } from '../../components/quota-dialog.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { type DescribedQuota, type Quota, typedQuota, UNLIMITED_WORD } from '../../quota.ts'
import { QUOTA_TEXTS } from '../../texts/quota.ts'
import type { ListedAccount } from './account-list.tsx'

const { ofOne: TEXTS, forAll, noLimit, limit: limitText } = QUOTA_TEXTS

interface AccountQuotaProps {
  readonly account: ListedAccount
  readonly onClose: () => void
}

interface BothQuotas {
  readonly described: DescribedQuota
  readonly forAll: Quota
}

/** What one account may have, with what it has. */
export function AccountQuota({ account: { id, email }, onClose }: AccountQuotaProps) {
  const client = useQueryClient()
  const path = `/server/accounts/${id}/quota`
  const query = useQuery({
    queryKey: ['server', 'accounts', id, 'quota'],
    queryFn: async ({ signal }): Promise<BothQuotas> => ({
      described: await askApi<DescribedQuota>(path, { signal }),
      forAll: await askApi<Quota>('/server/quota', { signal }),
    }),
    // What it has is another by now.
    gcTime: 0,
  })
  const { data } = query
  if (data === undefined) return <ReadState query={query} reading={forAll.reading} />
  const { described } = data
  const hintOf = (limit: keyof Quota): string => {
    const [used, most] = [described.used[limit], data.forAll[limit]]
    return TEXTS.has(
      used === null ? undefined : limitText(limit, used),
      most === null ? noLimit : limitText(limit, most),
    )
  }
  return (
    <QuotaDialog
      title={TEXTS.title}
      explained={TEXTS.explained(email)}
      button={TEXTS.save}
      initial={typedQuota(described.own ?? {}, UNLIMITED_WORD)}
      hintOf={hintOf}
      act={(json) =>
        Object.keys(json).length === 0
          ? askApi(path, { method: 'DELETE' })
          : askApi(path, { method: 'PUT', json })
      }
      onDone={() => {
        onClose()
        return client.invalidateQueries({ queryKey: ['server'] })
      }}
      onClose={onClose}
    />
  )
}
