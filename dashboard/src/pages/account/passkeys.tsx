import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { askApi } from '../../api.ts'
import { ActDialog } from '../../components/act-dialog.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { useConfirmed } from '../../components/password-required.tsx'
import { Problem } from '../../components/problem.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { Table, TableActs } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { Value } from '../../components/value.tsx'
import { hasPasskeys, makePasskey } from '../../passkeys.ts'
import { ACCOUNT_TEXTS } from '../../texts/account.ts'
import { localDate, TEXTS } from '../../texts.ts'
import type { WaysIn } from '../../ways-in.ts'

interface ListedPasskey {
  readonly id: string
  /** Of the server, to which browsers bind it. */
  readonly host: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

interface Asked {
  readonly act: 'rename' | 'remove'
  readonly passkey: ListedPasskey
}

const texts = ACCOUNT_TEXTS.passkeys
const KEY = ['account', 'passkeys'] as const

/** What signs in to the account without a password, where the server has that. */
export function Passkeys() {
  const { data } = useQuery({
    queryKey: ['ways-in'],
    queryFn: ({ signal }) => askApi<WaysIn>('/ways-in', { signal }),
  })
  return data?.passkeys ? <PasskeyList /> : null
}

function PasskeyList() {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askApi<ListedPasskey[]>('/account/passkeys', { signal }),
  })
  const changed = () => {
    setAsked(undefined)
    // With them whether there is another way in than the password.
    return client.invalidateQueries({ queryKey: ['account'] })
  }
  return (
    <Section title={texts.title} note={texts.note} isWide>
      <ReadState query={query} reading={texts.reading} />
      {query.data?.length === 0 && <p>{texts.none}</p>}
      {query.data !== undefined && query.data.length > 0 && (
        <Table
          label={texts.title}
          columns={texts.columns}
          plain={['acts']}
          rows={query.data}
          keyOf={({ id }) => id}
          cells={(passkey) => ({
            name: <PasskeyName {...passkey} />,
            since: <Time at={passkey.createdAt} />,
            used: <Time at={passkey.lastUsedAt} />,
            acts: (
              <TableActs>
                <Button
                  aria-label={texts.renameOf(passkey.name)}
                  onClick={() => setAsked({ act: 'rename', passkey })}
                >
                  {texts.rename}
                </Button>
                <Button
                  aria-label={texts.removeOf(passkey.name)}
                  onClick={() => setAsked({ act: 'remove', passkey })}
                >
                  {texts.remove}
                </Button>
              </TableActs>
            ),
          })}
        />
      )}
      {hasPasskeys() ? <PasskeyForm onMade={changed} /> : <p>{texts.unsupported}</p>}
      {asked !== undefined && <PasskeyAct {...asked} onDone={changed} onClose={() => setAsked(undefined)} />}
    </Section>
  )
}

function PasskeyName({ name, host }: ListedPasskey) {
  if (host === location.hostname) return <Value text={name} />
  return (
    <>
      <Value text={name} /> ({texts.elsewhere} <Value text={host} />)
    </>
  )
}

function PasskeyForm({ onMade }: { readonly onMade: () => unknown }) {
  const confirmed = useConfirmed()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const name = new FormData(form).get('name')
      const options = await confirmed(() =>
        askApi<PublicKeyCredentialCreationOptionsJSON>('/account/passkeys/options', {
          ...{ method: 'POST', json: {} },
        }),
      )
      const json = { name, ...(await makePasskey(options)) }
      await confirmed(() => askApi('/account/passkeys', { method: 'POST', json }))
    },
    onSuccess: onMade,
    gcTime: 0,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(event.currentTarget)
  }
  return (
    <form className={formStyles.form} onSubmit={submit}>
      <Field
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        autoComplete="off"
        required
        defaultValue={texts.nameOf(localDate(new Date().toISOString()))}
      />
      {error !== null && <Problem error={error} />}
      <div className={formStyles.acts}>
        <Button type="submit" isBusy={isPending}>
          {texts.add}
        </Button>
      </div>
    </form>
  )
}

interface PasskeyActProps extends Asked {
  readonly onDone: () => unknown
  readonly onClose: () => void
}

function PasskeyAct({ act, passkey: { id, name }, onDone, onClose }: PasskeyActProps) {
  const path = `/account/passkeys/${encodeURIComponent(id)}`
  if (act === 'remove')
    return (
      <ActDialog
        title={texts.removeTitle}
        explained={texts.removeExplained(name)}
        button={texts.removeTitle}
        act={() => askApi(path, { method: 'DELETE' })}
        onDone={onDone}
        onClose={onClose}
      />
    )
  return (
    <ActDialog
      title={texts.renameTitle}
      explained={texts.renameExplained(name)}
      look="main"
      button={texts.renameTitle}
      act={(form) => askApi(path, { method: 'PATCH', json: { name: form.get('name') } })}
      onDone={onDone}
      onClose={onClose}
    >
      <Field name="name" label={TEXTS.name} autoComplete="off" required defaultValue={name} autoFocus />
    </ActDialog>
  )
}
