import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { localTime } from '../../texts.ts'

interface TokenSecret {
  readonly kid: string
  /** When the last token of an old one ends. */
  readonly until: string | null
}

const { secrets: TEXTS } = SERVER_TEXTS
const KEY = ['server', 'token-secrets'] as const
const PATH = '/server/token-secrets'

/** By which secrets tokens are signed, to sign with another one or to end all tokens at once. */
export function TokenSecrets() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<'rotate' | 'end'>()
  const [isDone, setIsDone] = useState(false)
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => askApi<TokenSecret[]>(PATH, { signal }) })
  const act = async (): Promise<void> => {
    const json = { now: asked === 'end' }
    client.setQueryData(KEY, await askApi<TokenSecret[]>(PATH, { method: 'POST', json }))
    void client.invalidateQueries({ queryKey: ['server'] })
  }
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <ReadState query={query} reading={TEXTS.reading} />
      {query.data !== undefined && (
        <Table
          label={TEXTS.title}
          columns={TEXTS.columns}
          rows={query.data}
          keyOf={({ kid }) => kid}
          cells={({ kid, until }) => ({
            kid: <Value text={kid} />,
            state: until === null ? TEXTS.current : TEXTS.until(localTime(until)),
          })}
        />
      )}
      {isDone && <p role="status">{TEXTS.done}</p>}
      <div className={formStyles.acts}>
        <Button onClick={() => setAsked('rotate')}>{TEXTS.rotate.button}</Button>
        <Button look="danger" onClick={() => setAsked('end')}>
          {TEXTS.end.button}
        </Button>
      </div>
      {asked !== undefined && (
        <ActDialog
          title={TEXTS[asked].button}
          explained={TEXTS[asked].explained}
          button={TEXTS[asked].button}
          act={act}
          onDone={() => {
            setAsked(undefined)
            setIsDone(true)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Section>
  )
}
