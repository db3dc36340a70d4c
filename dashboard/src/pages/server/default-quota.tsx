import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Facts } from '../../components/facts.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { QuotaDialog } from '../../components/quota-dialog.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { QUOTA_LIMITS, type Quota, typedQuota } from '../../quota.ts'
import { QUOTA_TEXTS } from '../../texts/quota.ts'

const { forAll: TEXTS, names, noLimit, limit: limitText } = QUOTA_TEXTS
const KEY = ['server', 'quota'] as const
const PATH = '/server/quota'

/** What an account may have for which nothing else is set. */
export function DefaultQuota() {
  const client = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => askApi<Quota>(PATH, { signal }) })
  const close = () => setIsAsked(false)
  const { data } = query
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <ReadState query={query} reading={TEXTS.reading} />
      {data !== undefined && (
        <>
          <Facts
            facts={QUOTA_LIMITS.map((limit) => {
              const most = data[limit]
              return [names[limit], most === null ? noLimit : limitText(limit, most)]
            })}
          />
          <div className={formStyles.acts}>
            <Button onClick={() => setIsAsked(true)}>{TEXTS.button}</Button>
          </div>
        </>
      )}
      {isAsked && data !== undefined && (
        <QuotaDialog
          title={TEXTS.title}
          explained={TEXTS.explained}
          button={TEXTS.button}
          initial={typedQuota(data, '')}
          hintOf={() => TEXTS.hint}
          act={async (json) => client.setQueryData(KEY, await askApi<Quota>(PATH, { method: 'PUT', json }))}
          onDone={() => {
            close()
            return client.invalidateQueries({ queryKey: ['server'] })
          }}
          onClose={close}
        />
      )}
    </Section>
  )
}
