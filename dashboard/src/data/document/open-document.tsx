import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { FailedPart } from '../../components/failed-part.tsx'
import { loaded } from '../../loaded.tsx'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import { documentCurl } from '../curl.ts'
import type { StoredDocument } from '../documents-api.ts'
import { checkDocument, isSameId } from './check-document.ts'
import { DeletedMeanwhile } from './deleted-meanwhile.tsx'
import styles from './document-panel.module.css'
import type { DocumentPanelProps } from './document-panel.tsx'
import { DocumentText } from './document-text.tsx'
import type { Drafts } from './drafts.ts'
import { prettyPrint } from './pretty-print.ts'
import { newReview, type Review, reviewDocument } from './review-document.ts'
import { useDocumentActs } from './use-document-acts.ts'
import { useDraft } from './use-draft.ts'

const DocumentDifference = loaded(() => import('./document-difference.tsx'), undefined, failedStage)
const DocumentConflict = loaded(() => import('./document-conflict.tsx'), undefined, failedStage)

interface OpenDocumentProps extends DocumentPanelProps {
  /** As it was read; undefined for a new one. */
  readonly opened: StoredDocument | undefined
  /** What a new one begins with. */
  readonly begin?: string
  readonly drafts: Drafts
  readonly onChanged?: (document: StoredDocument) => void
  readonly onReadAgain?: () => unknown
  readonly onDuplicate?: (text: string) => void
}

interface Conflicting {
  readonly kind: 'conflict'
  /** Undefined where they deleted it. */
  readonly theirs: StoredDocument | undefined
}

type Stage =
  | { readonly kind: 'edit' }
  | { readonly kind: 'review'; readonly review: Review; readonly from: Stage }
  | Conflicting

const EDIT: Stage = { kind: 'edit' }

/** A document's text, the way to save it, and what is to be decided on that way. */
export function OpenDocument(props: OpenDocumentProps) {
  const { id, opened, begin, drafts, onChanged, onSaved } = props
  const draft = useDraft({ opened, begin, drafts })
  const [stage, setStage] = useState<Stage>(EDIT)
  const [told, setTold] = useState<string>()
  const { save, remove } = useDocumentActs({
    ...props,
    onSaveEnded: (outcome, { condition }) => {
      if (outcome.kind === 'conflict') return setStage(outcome)
      const { saved } = outcome
      const savedId = checkDocument(saved.text).id!
      const isOther = id !== undefined && !isSameId(savedId, id)
      draft.rebase(isOther ? draft.base.stored : saved)
      if (!isOther) onChanged?.(saved)
      setTold(DOCUMENT_TEXTS.saved)
      setStage(EDIT)
      onSaved(savedId, condition === 'isNew' ? 'created' : 'changed')
    },
    onDeleteEnded: (text) => {
      if (text === undefined) {
        setTold(DOCUMENT_TEXTS.changedOrGone)
        props.onReadAgain?.()
        return
      }
      draft.rebase(draft.base.stored)
      props.onDeleted([{ id: id!, text }])
      onSaved(id!, 'deleted')
      props.onClose()
    },
  })
  const go = (next: Stage, words?: string) => {
    save.reset()
    setTold(words)
    setStage(next)
  }
  /** @param base what it is compared with */
  const review = (text: string, base = draft.base) => {
    const reviewed = reviewDocument(text, { base, id })
    if (reviewed.kind === 'wrong') return go(EDIT, reviewed.told)
    if (reviewed.kind === 'same') return go(EDIT, DOCUMENT_TEXTS.nothing)
    go({ kind: 'review', review: reviewed.review, from: EDIT })
  }
  const submit = () => {
    if (save.isPending || !props.mayWrite) return
    if (stage.kind === 'review') return save.mutate(stage.review)
    if (stage.kind === 'conflict') return
    const reviewed = id === undefined && reviewDocument(draft.text, { base: draft.base, id })
    // Of a new document there is nothing to compare.
    if (reviewed && reviewed.kind === 'review') save.mutate(reviewed.review)
    else review(draft.text)
  }
  const submitByKey = (event: KeyboardEvent) => {
    const isAsked = (event.metaKey || event.ctrlKey) && (event.key === 'Enter' || event.key === 's')
    if (!isAsked || event.defaultPrevented) return
    event.preventDefault()
    submit()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside.
    <div className={styles.body} onKeyDown={submitByKey}>
      <DocumentText
        {...props}
        draft={draft}
        isHidden={stage.kind !== 'edit'}
        told={told}
        isSaving={save.isPending}
        isDeleting={remove.isPending}
        curl={id === undefined ? '' : documentCurl(props, id)}
        error={stage.kind === 'edit' ? (save.error ?? remove.error) : null}
        onSubmit={submit}
        onDelete={() => !remove.isPending && draft.base.stored && remove.mutate(draft.base.stored)}
      />
      {stage.kind === 'review' && (
        <DocumentDifference
          review={stage.review}
          isPending={save.isPending}
          error={save.error}
          onSave={submit}
          onBack={() => go(stage.from)}
        />
      )}
      {stage.kind === 'conflict' && stage.theirs === undefined && (
        <DeletedMeanwhile
          isPending={save.isPending}
          error={save.error}
          onSave={() => save.mutate(newReview(prettyPrint(draft.text)))}
          onBack={() => go(EDIT)}
        />
      )}
      {stage.kind === 'conflict' && stage.theirs !== undefined && (
        <DocumentConflict
          base={draft.base.text}
          theirs={stage.theirs}
          text={draft.text}
          onMerged={(merged, theirs) => {
            draft.rebase(theirs.stored, merged)
            review(merged, theirs)
          }}
          onOverwrite={(overwriting) => go({ kind: 'review', review: overwriting, from: stage })}
          onBack={() => go(EDIT)}
        />
      )}
    </div>
  )
}

/** Leads back to the text, which can be copied. */
function failedStage(error: Error, { onBack }: { readonly onBack: () => void }) {
  return (
    <FailedPart error={error}>
      <Button onClick={onBack}>{DOCUMENT_TEXTS.back}</Button>
    </FailedPart>
  )
}
