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
import { SECURITY_TEXTS as TEXTS } from '../texts/security.ts'
import { useSettingsPreview } from '../use-settings-preview.ts'
import { ActForm } from './act-form.tsx'
import { Button } from './button.tsx'
import { useConfirmed } from './password-required.tsx'
import { ReadProblem } from './read-problem.tsx'
import { Choice } from './rules-fields.tsx'
import styles from './settings-form.module.css'
import { Value } from './value.tsx'

interface SettingsFormProps {
  readonly slug: string
  /** As they are stored. */
  readonly settings: AppSettings
  readonly title: string
  /** Those that it is for. */
  readonly shown: readonly SettingName[]
  readonly typed: TypedSettings
  /** Those that differ from what is stored. */
  readonly changed: readonly SettingName[]
  /** Those that can't be read and have to be given anew, whatever it shows. */
  readonly damaged: readonly SettingName[]
  /** Those of them for which nobody has said yet what shall hold: nothing is saved before. */
  readonly unchosen: readonly SettingName[]
  /** Whether it says itself what is wrong with what is typed. */
  readonly isWrong?: boolean
  readonly onChoose: (name: SettingName, isChosen: boolean) => void
  readonly onSaved: (saved: readonly SettingName[]) => void
  readonly children: ReactNode
}

/** A part of what holds for all keys, with a button that saves it. */
export function SettingsForm({ slug, settings, title, shown, typed, damaged, ...props }: SettingsFormProps) {
  const { changed, unchosen, isWrong = false, onChoose, onSaved, children } = props
  const client = useQueryClient()
  const refresh = useRefreshApps()
  const confirmed = useConfirmed()
  const names = [...new Set([...changed.filter((name) => shown.includes(name)), ...damaged])]
  const written = JSON.stringify(writtenSettings(typed, names))
  const { mutate, variables, error, isPending, isSuccess } = useMutation({
    mutationFn: (tried: string) => {
      const json = JSON.parse(tried)
      return confirmed(() => askApi<AppSettings>(`${appPath(slug)}/settings`, { method: 'PATCH', json }))
    },
    onSuccess: (saved) => {
      client.setQueryData(appSettingsRead(slug).queryKey, saved)
      onSaved(names)
      void refresh()
    },
  })
  const isChanged = names.length > 0
  const isReady = isChanged && unchosen.length === 0 && !isWrong
  const preview = useSettingsPreview({
    ...{ slug, settings },
    json: isReady && damaged.length === 0 ? written : undefined,
  })
  return (
    <ActForm title={title} onSubmit={() => isReady && !isPending && mutate(written)}>
      {children}
      {damaged
        .filter((name) => shown.includes(name))
        .map((name) => (
          <Choice
            key={name}
            label={TEXTS.asItStands(TEXTS.settings[name])}
            isChosen={!unchosen.includes(name)}
            onChange={(isChosen) => onChoose(name, isChosen)}
          />
        ))}
      <IfSaved settings={settings} shown={shown} previewed={preview?.told} />
      <ReadProblem error={preview?.error ?? (variables === written ? error : null)} />
      <div className={styles.acts}>
        <Button
          look={isChanged ? 'main' : 'plain'}
          type="submit"
          isBusy={isPending}
          disabled={unchosen.length > 0 || isWrong}
        >
          {TEXTS.save}
        </Button>
        {unchosen.length > 0 && (
          <p className={styles.told}>
            {TEXTS.unchosen(unchosen.map((name) => TEXTS.settings[name]).join(', '))}
          </p>
        )}
        {!isChanged && (
          <p className={styles.told} role="status">
            {isSuccess ? TEXTS.saved : TEXTS.nothingToSave}
          </p>
        )}
      </div>
    </ActForm>
  )
}

interface IfSavedProps extends Pick<SettingsFormProps, 'settings' | 'shown'> {
  /** Undefined where nothing would be saved. */
  readonly previewed: AppSettings | undefined
}

/** What would hold, where that is something else than what does; and that one shuts out oneself. */
function IfSaved({ settings, shown, previewed = settings }: IfSavedProps) {
  const { sentence, address, isOutside } = previewed
  return (
    <div role="status" className={styles.preview}>
      {sentence !== settings.sentence && (
        <p>
          {TEXTS.ifSaved} <Value text={sentence ?? TEXTS.free} />
        </p>
      )}
      {isOutside && shown.includes('addresses') && (
        <p className={styles.warning}>{TEXTS.addresses.outside(address)}</p>
      )}
    </div>
  )
}
