import { type ReactNode, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import choiceStyles from '../../components/file-choice.module.css'
import { CREATES } from '../../shortcuts.ts'
import { type ChosenFolder, folderOfFiles } from '../../site/site-folder.ts'
import { SITE_TEXTS } from '../../texts/site.ts'
import { useDrop } from '../../use-drop.ts'
import type { ToLookThrough } from './deploy-form.tsx'

const { deploy: TEXTS } = SITE_TEXTS

interface SiteChoiceProps {
  readonly chosen: File | ChosenFolder | undefined
  /** Whether it can't be changed for now. */
  readonly isBusy: boolean
  readonly onChoose: (wanted: ToLookThrough) => void
  /** What was chosen. */
  readonly children: ReactNode
}

/** Some browsers of phones choose files alone. */
const CHOOSES_FOLDERS = 'webkitdirectory' in HTMLInputElement.prototype

/** Takes a folder or a zip that is chosen, or dropped anywhere on the page. */
export function SiteChoice({ chosen, isBusy, onChoose, children }: SiteChoiceProps) {
  const folder = useRef<HTMLInputElement>(null)
  const zip = useRef<HTMLInputElement>(null)
  const isOver = useDrop((dropped) => {
    if (!isBusy) onChoose(droppedSite(dropped))
  })
  const open = (input: HTMLInputElement | null) => isBusy || input?.click()
  const take = (input: HTMLInputElement, read: (files: readonly File[]) => ToLookThrough) => {
    const files = [...(input.files ?? [])]
    // So that the same can be chosen again, when it has changed.
    input.value = ''
    if (files.length > 0) onChoose(read(files))
  }
  const isFirst = chosen === undefined
  return (
    <div className={choiceStyles.choice} data-over={isOver || undefined}>
      <input
        ref={folder}
        type="file"
        name="folder"
        hidden
        webkitdirectory=""
        onChange={({ currentTarget }) => take(currentTarget, folderOfFiles)}
      />
      <input
        ref={zip}
        type="file"
        name="zip"
        hidden
        accept=".zip"
        onChange={({ currentTarget }) => take(currentTarget, ([first]) => first!)}
      />
      {children}
      <div className={choiceStyles.acts}>
        {CHOOSES_FOLDERS && (
          <Button
            look={isFirst ? 'main' : 'plain'}
            isBusy={isBusy}
            onClick={() => open(folder.current)}
            {...CREATES}
          >
            {isFirst ? TEXTS.folder : TEXTS.other}
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => open(zip.current)}>
          {isFirst ? TEXTS.zip : TEXTS.otherZip}
        </Button>
        <span className={choiceStyles.drop}>{TEXTS.drop}</span>
      </div>
      {isFirst && <p className={choiceStyles.dim}>{TEXTS.hint}</p>}
    </div>
  )
}

/** A zip by itself is one; all else is files and folders. */
function droppedSite({ files, items }: DataTransfer): ToLookThrough {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const [only] = files
  const isZip = entries.length === 1 && entries[0]!.isFile && /\.zip$/i.test(only?.name ?? '')
  return isZip ? only! : entries
}
