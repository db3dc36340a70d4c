import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import formStyles from '../../components/form.module.css'
import { Section } from '../../components/page.tsx'
import { ReadProblem } from '../../components/read-problem.tsx'
import { unreadable, type WantedDeploy } from '../../site/send-deploy.ts'
import type { Site, SiteLimits } from '../../site/site-data.ts'
import { type ChosenFolder, folderOfEntries, tooMuch } from '../../site/site-folder.ts'
import { useDeploying } from '../../site/use-deploying.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { ChosenSite } from './chosen-site.tsx'
import { DeployOutcome } from './deploy-outcome.tsx'
import { DeployProgress } from './deploy-progress.tsx'
import { SiteChoice } from './site-choice.tsx'

const { deploy: TEXTS } = SITE_TEXTS

/** The server takes no longer one. */
const MESSAGE_CHARACTERS = 500

interface DeployFormProps {
  readonly slug: string
  readonly site: Site
  /** Whether a key for its pages is offered once there is a version. */
  readonly offersKey: boolean
}

/** Makes a version of a folder or a zip. */
export function DeployForm({ slug, site: { live, limits }, offersKey }: DeployFormProps) {
  const [message, setMessage] = useState('')
  const [isLive, setIsLive] = useState(true)
  const deploying = useDeploying(slug)
  const { act } = deploying
  const looking = useLookThrough()
  const { data: chosen } = looking
  const isReady = chosen !== undefined && (chosen instanceof File || mayDeploy(chosen, limits))
  const isBusy = act.isPending || looking.isPending
  const choose = (wanted: Parameters<typeof looking.mutate>[0]) => {
    act.reset()
    looking.mutate(wanted)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || isBusy) return
    const wanted: WantedDeploy = {
      from: chosen instanceof File ? chosen : chosen.files,
      message: message.trim(),
      isLive,
    }
    act.mutate(wanted, {
      onSuccess: () => {
        setMessage('')
        looking.reset()
      },
    })
  }
  return (
    <Section title={TEXTS.title}>
      <form className={formStyles.form} onSubmit={submit}>
        <SiteChoice chosen={chosen} isBusy={isBusy} onChoose={choose}>
          {looking.isPending && <p role="status">{TEXTS.looking}…</p>}
          {chosen !== undefined && !looking.isPending && <ChosenSite chosen={chosen} limits={limits} />}
        </SiteChoice>
        <ReadProblem error={looking.error} />
        {chosen !== undefined && (
          <>
            <Field
              name="message"
              label={TEXTS.message}
              hint={TEXTS.messageHint}
              value={message}
              onChange={({ currentTarget }) => setMessage(currentTarget.value)}
              autoComplete="off"
              maxLength={MESSAGE_CHARACTERS}
              readOnly={act.isPending}
            />
            <div>
              <Choice
                type="checkbox"
                name="live"
                label={TEXTS.isLive}
                checked={isLive}
                disabled={act.isPending}
                onChange={({ currentTarget }) => setIsLive(currentTarget.checked)}
              />
              {!isLive && <p className={formStyles.note}>{TEXTS.isPreview}</p>}
            </div>
            <div className={formStyles.acts}>
              <Button look="main" type="submit" isBusy={act.isPending} disabled={!isReady}>
                {TEXTS.button}
              </Button>
            </div>
          </>
        )}
        <DeployProgress deploying={deploying} />
      </form>
      <DeployOutcome slug={slug} deploying={deploying} live={live}>
        {offersKey && <p>{SITE_TEXTS.key.offer}</p>}
      </DeployOutcome>
    </Section>
  )
}

function mayDeploy(folder: ChosenFolder, limits: SiteLimits): boolean {
  const { files, problems } = folder
  return files.length > 0 && problems.length === 0 && tooMuch(folder, limits) === undefined
}

export type ToLookThrough = File | ChosenFolder | readonly FileSystemEntry[]

/** What was chosen, with all that is in it: of what was dropped that has to be read first. */
function useLookThrough() {
  return useMutation({
    mutationFn: async (wanted: ToLookThrough): Promise<File | ChosenFolder> => {
      if (!isEntries(wanted)) return wanted
      return folderOfEntries(wanted).catch((error: unknown) => {
        throw error instanceof ApiError ? error : unreadable()
      })
    },
  })
}

function isEntries(wanted: ToLookThrough): wanted is readonly FileSystemEntry[] {
  return Array.isArray(wanted)
}
