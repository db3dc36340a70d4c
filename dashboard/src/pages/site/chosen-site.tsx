import choiceStyles from '../../components/file-choice.module.css'
import { Value } from '../../components/value.tsx'
import { showUnseen } from '../../show-unseen.ts'
import type { SiteLimits } from '../../site/site-data.ts'
import { type ChosenFolder, type FileProblem, tooMuch } from '../../site/site-folder.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { byteCount } from '../../texts.ts'
import { PathList } from './path-list.tsx'
import styles from './site.module.css'

const { deploy: TEXTS } = SITE_TEXTS

/** As many paths as stand in a line. */
const FEW = 3

interface ChosenSiteProps {
  readonly chosen: File | ChosenFolder
  readonly limits: SiteLimits
}

/** What was chosen: how much it is, what stays out, and what is wrong with it. */
export function ChosenSite({ chosen, limits }: ChosenSiteProps) {
  if (chosen instanceof File) return <Named name={chosen.name} holds={byteCount(chosen.size)} />
  const { name = TEXTS.several, files, leftOut, problems } = chosen
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const modules = files.filter(({ path }) => /(?:^|\/)node_modules\//.test(path)).length
  const refusal = tooMuch(chosen, limits)
  const hasIndex = files.some(({ path }) => path === 'index.html')
  return (
    <>
      <Named name={name} holds={TEXTS.holds(files.length, bytes)} />
      {leftOut.length > FEW && <PathList title={TEXTS.leftOut(leftOut.length)} paths={leftOut} />}
      {leftOut.length > 0 && leftOut.length <= FEW && (
        <p className={choiceStyles.dim}>
          {TEXTS.leftOutFew} <Value text={leftOut.join(', ')} />
        </p>
      )}
      {files.length === 0 && <p role="alert">{TEXTS.empty}</p>}
      {refusal !== undefined && (
        <p role="alert" className={styles.warning}>
          {showUnseen(refusal)}
        </p>
      )}
      {modules > 0 && <p className={styles.warning}>{TEXTS.modules(modules, files.length)}</p>}
      {problems.length > 0 && (
        <div role="alert" className={styles.warning}>
          <PathList title={TEXTS.refused(problems.length)} isOpen paths={problems.map(told)} />
        </div>
      )}
      {files.length > 0 && !hasIndex && <p className={styles.warning}>{TEXTS.noIndex}</p>}
    </>
  )
}

function Named({ name, holds }: { readonly name: string; readonly holds: string }) {
  return (
    <p className={choiceStyles.file}>
      <Value text={name} />
      <span className={choiceStyles.dim}>{holds}</span>
    </p>
  )
}

function told({ path, problem, same }: FileProblem): string {
  return `${path} ${same === undefined ? problem : TEXTS.same(same)}`
}
