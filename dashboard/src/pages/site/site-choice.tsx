import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
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

/**
 * Chromium keeps what fields hold for going back, files among them, and ends a page whose process may not read one of
 * those (RFH_CAN_ACCESS_FILES_OF_PAGE_STATE).
 */
const FORGOTTEN = { hidden: true, autoComplete: 'off' } as const

/** Takes a folder or a zip that is chosen, or dropped anywhere on the page. */
export function SiteChoice({ chosen, isBusy, onChoose, children }: SiteChoiceProps) {
  const folder = useRef<HTMLInputElement>(null)
  const zip = useRef<HTMLInputElement>(null)
  const isFirst = chosen === undefined
  useEffect(() => {
    if (isFirst) empty(folder.current, zip.current)
  }, [isFirst])
  const isOver = useDrop((dropped) => {
    if (isBusy) return
    empty(folder.current, zip.current)
    onChoose(droppedSite(dropped))
  })
  const open = (input: HTMLInputElement | null) => isBusy || input?.click()
  const takeFolder = (input: HTMLInputElement) => {
    empty(zip.current)
    onChoose(folderOfFiles([...(input.files ?? [])]))
  }
  const takeZip = (input: HTMLInputElement) => {
    empty(folder.current)
    onChoose(input.files?.[0] ?? folderOfFiles([]))
  }
  useSameAgain(folder, takeFolder)
  useSameAgain(zip, takeZip)
  return (
    <div className={choiceStyles.choice} data-over={isOver || undefined}>
      <input
        ref={folder}
        type="file"
        name="folder"
        {...FORGOTTEN}
        webkitdirectory=""
        onChange={({ currentTarget }) => takeFolder(currentTarget)}
      />
      <input
        ref={zip}
        type="file"
        name="zip"
        {...FORGOTTEN}
        accept=".zip"
        onChange={({ currentTarget }) => takeZip(currentTarget)}
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

/** A field says that it was cancelled where the same was chosen again, too, whose files may have changed since. */
function useSameAgain(field: RefObject<HTMLInputElement | null>, take: (input: HTMLInputElement) => void) {
  useEffect(() => {
    const input = field.current
    if (input === null) return
    const again = () => input.files !== null && input.files.length > 0 && take(input)
    input.addEventListener('cancel', again)
    return () => input.removeEventListener('cancel', again)
  })
}

/**
 * Only the field of what is chosen has files: a folder without any that is chosen next to it is a change, and none next to an
 * empty field.
 */
function empty(...inputs: readonly (HTMLInputElement | null)[]): void {
  for (const input of inputs) if (input !== null) input.value = ''
}

/** A zip by itself is one; all else is files and folders. */
function droppedSite({ files, items }: DataTransfer): ToLookThrough {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const [only] = files
  const isZip = entries.length === 1 && entries[0]!.isFile && /\.zip$/i.test(only?.name ?? '')
  return isZip ? only! : entries
}
