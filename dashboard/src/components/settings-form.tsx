import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { askApi } from '../api.ts'
import {
  type AppSettings,
  appSettingsRead,
  type SettingName,
  type TypedSettings,
  writtenSettings,
} from '../app-settings.ts'
import { appPath, useRefreshApps } from '../apps-data.ts'
import { SECURITY_TEXTS } from '../texts/security.ts'
import { ActForm } from './act-form.tsx'
import { Button } from './button.tsx'
import { useConfirmed } from './password-required.tsx'
import { ReadProblem } from './read-problem.tsx'
import { Choice } from './rules-fields.tsx'
import styles from './settings-form.module.css'

interface SettingsFormProps {
  readonly slug: string
  readonly title: string
  readonly typed: TypedSettings
  /** Those that it shows and that differ from what is stored. */
  readonly changed: readonly SettingName[]
  /** Those that can't be read and have to be given anew, whatever it shows. */
  readonly damaged: readonly SettingName[]
  /** Those of them for which nobody has said yet what shall hold: nothing is saved before. */
  readonly unchosen: readonly SettingName[]
  /** Those of them that it shows. */
  readonly asked: readonly SettingName[]
  readonly onChoose: (name: SettingName, isChosen: boolean) => void
  readonly onSaved: (saved: readonly SettingName[]) => void
  readonly children: ReactNode
}

/** A part of what holds for all keys, with a button that saves it. */
export function SettingsForm({ slug, title, typed, changed, damaged, ...props }: SettingsFormProps) {
  const { unchosen, asked, onChoose, onSaved, children } = props
  const client = useQueryClient()
  const refresh = useRefreshApps()
  const confirmed = useConfirmed()
  const names = [...new Set([...changed, ...damaged])]
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => {
      const json = writtenSettings(typed, names)
      return confirmed(() => askApi<AppSettings>(`${appPath(slug)}/settings`, { method: 'PATCH', json }))
    },
    onSuccess: (saved) => {
      client.setQueryData(appSettingsRead(slug).queryKey, saved)
      onSaved(names)
      void refresh()
    },
  })
  const isChanged = names.length > 0
  const isReady = isChanged && unchosen.length === 0
  return (
    <ActForm title={title} onSubmit={() => isReady && !isPending && mutate()}>
      {children}
      {asked.map((name) => (
        <Choice
          key={name}
          label={SECURITY_TEXTS.asItStands(SECURITY_TEXTS.settings[name])}
          isChosen={!unchosen.includes(name)}
          onChange={(isChosen) => onChoose(name, isChosen)}
        />
      ))}
      <ReadProblem error={error} />
      <div className={styles.acts}>
        <Button
          look={isChanged ? 'main' : 'plain'}
          type="submit"
          isBusy={isPending}
          disabled={unchosen.length > 0}
        >
          {SECURITY_TEXTS.save}
        </Button>
        {unchosen.length > 0 && (
          <p className={styles.told}>
            {SECURITY_TEXTS.unchosen(unchosen.map((name) => SECURITY_TEXTS.settings[name]).join(', '))}
          </p>
        )}
        {!isChanged && (
          <p className={styles.told} role="status">
            {isSuccess ? SECURITY_TEXTS.saved : SECURITY_TEXTS.nothingToSave}
          </p>
        )}
      </div>
    </ActForm>
  )
}
