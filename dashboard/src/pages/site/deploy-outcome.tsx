import type { ReactNode } from 'react'
import { ApiError } from '../../api.ts'
import formStyles from '../../components/form.module.css'
import { ReadProblem } from '../../components/read-problem.tsx'
import { type Deployed, useDeploy } from '../../site/site-data.ts'
import type { useDeploying } from '../../site/use-deploying.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { OutLink } from './out-link.tsx'
import { PathList } from './path-list.tsx'
import styles from './site.module.css'

const { deploy: TEXTS } = SITE_TEXTS

interface DeployOutcomeProps {
  readonly slug: string
  readonly deploying: ReturnType<typeof useDeploying>
  /** The version that is served now; null where none is. */
  readonly live: number | null
  /** What is next once there is a version. */
  readonly children: ReactNode
}

/** What became of a deploy: where it is now, or why there is no new version. */
export function DeployOutcome({ slug, deploying, live, children }: DeployOutcomeProps) {
  const { act, isSent, isStopped } = deploying
  const { data, error, isPending } = act
  if (isPending) return null
  if (isStopped) return <p role="status">{isSent ? TEXTS.stoppedLate : TEXTS.stopped}</p>
  if (error !== null)
    return (
      <>
        <ReadProblem error={error} />
        <p>{isRefused(error) ? TEXTS.failed : TEXTS.broken}</p>
      </>
    )
  if (data === undefined) return null
  return (
    <div role="status" className={styles.done}>
      <Made slug={slug} deployed={data} live={live} />
      {children}
    </div>
  )
}

/** Where no answer of the server came, nobody knows. */
function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.code !== 'unreachable' && error.code !== 'unknown'
}

interface MadeProps extends Pick<DeployOutcomeProps, 'slug' | 'live'> {
  readonly deployed: Deployed
}

function Made({ slug, deployed, live }: MadeProps) {
  const { version, isLive, url, leftOut, leftOutCount } = deployed
  const { data } = useDeploy(slug, String(version))
  const hasIndex = data?.list.some(({ path }) => path === 'index.html') ?? true
  return (
    <>
      <p>{live === version ? TEXTS.isMade(version) : TEXTS.isDraft(version)}</p>
      {!hasIndex && <p className={styles.warning}>{TEXTS.noIndex}</p>}
      {leftOutCount > 0 && (
        <PathList
          title={TEXTS.leftOutOfZip(leftOutCount)}
          paths={leftOut.map(({ path }) => path)}
          count={leftOutCount}
        />
      )}
      {url !== null && !isLive && (
        <div className={formStyles.acts}>
          <OutLink href={url}>{TEXTS.openPreview}</OutLink>
        </div>
      )}
    </>
  )
}
