import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useApp } from '../../apps-data.ts'
import { Button } from '../../components/button.tsx'
import { ReadState } from '../../components/read-state.tsx'
import { useSession } from '../../session.ts'
import { showUnseen } from '../../show-unseen.ts'
import { DOCUMENT_TEXTS } from '../../texts/documents.ts'
import {
  askDocuments,
  type CollectionAddress,
  documentsPath,
  readDocument,
  type StoredDocument,
} from '../documents-api.ts'
import { isId } from './check-document.ts'
import styles from './document-panel.module.css'
import { Drafts } from './drafts.ts'
import { OpenDocument } from './open-document.tsx'
import { prettyPrint } from './pretty-print.ts'
import type { DeletedDocument } from './undo-deletion.tsx'

/** What became of a document. */
export type SavedKind = 'created' | 'changed' | 'deleted'

export interface DocumentPanelProps extends CollectionAddress {
  /** JSON text; undefined for a new document. */
  readonly id: string | undefined
  /** The query of the list beside it. */
  readonly q: string
  readonly mayWrite: boolean
  readonly onClose: () => void
  /** @param id as it is stored, JSON text */
  readonly onSaved: (id: string, kind: SavedKind) => void
  /** Offers to undo it, for which the panel is closed too early. */
  readonly onDeleted: (documents: readonly DeletedDocument[]) => void
}

/** One document beside the list, or on a phone above it. */
export function DocumentPanel(props: DocumentPanelProps) {
  const { id, onClose } = props
  const [isWide, setIsWide] = useState(false)
  const [copied, setCopied] = useState<Copy>()
  const copy = copied?.of === id ? copied : undefined
  const isNew = id === undefined || copy !== undefined
  const title = isNew ? DOCUMENT_TEXTS.newPanel : DOCUMENT_TEXTS.panel(id)
  const close = ({ key, target, defaultPrevented }: KeyboardEvent) => {
    const isInEditor = target instanceof Element && target.shadowRoot !== null
    if (key === 'Escape' && !isInEditor && !defaultPrevented) onClose()
  }
  return (
    <section
      aria-label={showUnseen(title)}
      className={isWide ? `${styles.panel} ${styles.wide}` : styles.panel}
      onKeyDown={close}
    >
      <header className={styles.head}>
        <h2 className={styles.title}>
          <bdi>{showUnseen(isNew ? title : id)}</bdi>
        </h2>
        <Button look="quiet" className={styles.widen} onClick={() => setIsWide(!isWide)}>
          {isWide ? DOCUMENT_TEXTS.narrow : DOCUMENT_TEXTS.widen}
        </Button>
        <Button look="quiet" aria-label={DOCUMENT_TEXTS.close} onClick={onClose}>
          ✕
        </Button>
      </header>
      {isNew && <NewDocument key={copy?.of} {...props} copy={copy} />}
      {!isNew && !isId(id) && <Gone onClose={onClose} />}
      {!isNew && isId(id) && (
        <ReadDocument key={id} {...props} id={id} onDuplicate={(text) => setCopied({ of: id, text })} />
      )}
    </section>
  )
}

/** Of which document a new one is a copy. */
interface Copy {
  readonly of: string
  readonly text: string
}

function NewDocument({ copy, ...props }: DocumentPanelProps & { readonly copy: Copy | undefined }) {
  const drafts = useDrafts({ ...props, id: copy && `copy of ${copy.of}` })
  const begin = prettyPrint(copy?.text ?? '{}')
  return (
    <>
      {!props.mayWrite && <OnlyLook slug={props.slug} />}
      <OpenDocument {...props} id={undefined} opened={undefined} begin={begin} drafts={drafts} />
    </>
  )
}

interface ReadDocumentProps extends DocumentPanelProps {
  readonly id: string
  readonly onDuplicate: (text: string) => void
}

function ReadDocument(props: ReadDocumentProps) {
  const { slug, collection, id, mayWrite, onClose } = props
  const client = useQueryClient()
  const queryKey = ['apps', slug, 'documents', collection, id]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await readDocument({ slug, collection }, id, signal)) ?? null,
  })
  const isElsewhere = useIsElsewhere(props)
  const drafts = useDrafts(props)
  const [draft] = useState(() => drafts.read())
  const [last, setLast] = useState<StoredDocument>()
  if (query.data && query.data !== last) setLast(query.data)
  if (query.data === undefined) return <ReadState query={query} reading={DOCUMENT_TEXTS.reading} />
  // What somebody types in stays, though it be deleted.
  const opened = query.data ?? last ?? draft?.base
  if (opened === undefined) return <Gone onClose={onClose} />
  return (
    <>
      {!mayWrite && <OnlyLook slug={slug} />}
      {query.data === null && <p className={styles.note}>{DOCUMENT_TEXTS.deletedMeanwhile.title}.</p>}
      {query.data !== null && isElsewhere && <p className={styles.note}>{DOCUMENT_TEXTS.elsewhere}</p>}
      <OpenDocument
        {...props}
        opened={opened}
        drafts={drafts}
        onChanged={(document) => client.setQueryData<StoredDocument | null>(queryKey, document)}
        onReadAgain={() => query.refetch()}
      />
    </>
  )
}

/** Whether the query of the list is known not to find the document. */
function useIsElsewhere({ slug, collection, id, q }: ReadDocumentProps): boolean {
  const { data } = useQuery({
    queryKey: ['apps', slug, 'documents', collection, id, 'found', q],
    queryFn: async ({ signal }) => {
      const parameters = { q: `{"$and":[{"_id":${id}},${q}]}`, c: 'true' }
      return (await askDocuments(documentsPath({ slug, collection }), { parameters, signal })).text
    },
    enabled: q.trim() !== '',
  })
  return data === '0'
}

function OnlyLook({ slug }: { readonly slug: string }) {
  const { data: app } = useApp(slug)
  return app && <p className={styles.note}>{showUnseen(DOCUMENT_TEXTS.onlyLook(app.owner))}</p>
}

function Gone({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className={styles.told}>
      <h3>{DOCUMENT_TEXTS.gone.title}</h3>
      <p>{DOCUMENT_TEXTS.gone.explained}</p>
      <Button onClick={onClose}>{DOCUMENT_TEXTS.gone.button}</Button>
    </div>
  )
}

function useDrafts({
  slug,
  collection,
  id,
}: CollectionAddress & { readonly id: string | undefined }): Drafts {
  const { account } = useSession()
  return new Drafts({ account: account?.id ?? '', slug, collection, id }, sessionStorage)
}
