import formStyles from '../../components/form.module.css'
import { Progress, ShareDone } from '../../components/progress.tsx'
import type { useDeploying } from '../../site/use-deploying.ts'
import { SITE_TEXTS } from '../../texts/site.ts'

const { deploy: TEXTS } = SITE_TEXTS

interface DeployProgressProps {
  readonly deploying: ReturnType<typeof useDeploying>
}

/** How far a deploy is: its files are looked at first, then those are sent that are new. */
export function DeployProgress({
  deploying: { act, readFiles, sentBytes, allBytes, stop },
}: DeployProgressProps) {
  if (!act.isPending) return null
  const { from } = act.variables
  const all = from instanceof File ? undefined : from.length
  return (
    <>
      {allBytes === undefined && all !== undefined ? (
        <ShareDone
          label={TEXTS.progress}
          share={readFiles < all ? Math.floor((100 * readFiles) / all) : undefined}
          told={readFiles < all ? TEXTS.readFiles(readFiles, all) : TEXTS.asking}
          onStop={stop}
        />
      ) : (
        <Progress
          label={TEXTS.progress}
          sentBytes={sentBytes}
          allBytes={allBytes ?? (from as File).size}
          after={TEXTS.after}
          onStop={stop}
        />
      )}
      <p className={formStyles.note}>{TEXTS.stay}</p>
    </>
  )
}
