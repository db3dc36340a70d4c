import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '../api.ts'
import { useAppSize } from '../app-size.ts'
import type { App } from '../apps-data.ts'
import { Button } from '../components/button.tsx'
import { ButtonLink } from '../components/button-link.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { FailedPart } from '../components/failed-part.tsx'
import { ReadProblem } from '../components/read-problem.tsx'
import { SegmentedSwitch } from '../components/segmented-switch.tsx'
import { Value } from '../components/value.tsx'
import { Waiting } from '../components/waiting.tsx'
import { indexesPage } from '../indexes-data.ts'
import { loaded } from '../loaded.tsx'
import { CREATES } from '../shortcuts.ts'
import { DATA_TEXTS } from '../texts/data.ts'
import { DOCUMENT_TEXTS } from '../texts/documents.ts'
import styles from './browser.module.css'
import { type BulkAct, BulkActs } from './bulk/bulk-acts.tsx'
import { curlOf } from './curl.ts'
import panelStyles from './document/document-panel.module.css'
import { useUndoDeletion } from './document/undo-deletion.tsx'
import { ExportAct } from './export/export-act.tsx'
import { FirstSave } from './first-save.tsx'
import { ImportLink } from './import/import-link.tsx'
import { IndexOffer } from './index-offer.tsx'
import { QueryBar } from './query/query-bar.tsx'
import { type Asked, isSameQuery, useQueryHistory } from './query/query-history.ts'
import { ReadStatus } from './read-status.tsx'
import { CopyChosen } from './rows/copy-chosen.tsx'
import { Grid } from './rows/grid.tsx'
import type { RowSource } from './rows/row-source.ts'
import { useCount, useRowSource, useRowsSession, useRowsVersion } from './rows/use-rows.ts'
import { CollectionMenu } from './upkeep/collection-menu.tsx'
import { useBinUndo } from './upkeep/use-bin-undo.tsx'
import { NEW_DOCUMENT, type View } from './view-url.ts'

const DocumentPanel = loaded(
  async () => ({ default: (await import('./document/document-panel.tsx')).DocumentPanel }),
  () => null,
  (error, { onClose }) => (
    <section className={panelStyles.panel}>
      <FailedPart error={error}>
        <Button onClick={onClose}>{DOCUMENT_TEXTS.close}</Button>
      </FailedPart>
    </section>
  ),
)

interface BrowserProps {
  readonly app: App
  readonly collection: string
  readonly view: View
  readonly onShow: (view: View, how?: { readonly replace: boolean }) => void
  /** Called when the collection has another name. */
  readonly onRenamed: (name: string) => void
}

const NONE: ReadonlySet<string> = new Set()
const EVERYTHING: Asked = { q: '', s: '', f: '' }

/** Finds, shows and changes the documents of a collection. */
export function Browser({ app, collection, view, onShow, onRenamed }: BrowserProps) {
  const address = { slug: app.slug, collection }
  const source = useRowSource(address, view)
  useRowsVersion(source)
  useRowsSession(source)
  const count = useCount(source, address, view.q)
  const client = useQueryClient()
  const { data: size } = useAppSize(app.slug)
  const history = useQueryHistory(app.slug, collection)
  const [selection, setSelection] = useSelection(view)
  const [bulkAct, setBulkAct] = useState<BulkAct>()
  const ofCollection = size?.collections.find(({ name }) => name === collection)
  const all = ofCollection?.documents ?? (size && 0)
  const mayWrite = app.role !== 'viewer'
  const find = (asked: Asked) => {
    history.note(asked)
    setSelection(NONE)
    if (isSameQuery(asked, view)) refresh()
    else onShow({ ...view, ...asked, at: 0, doc: undefined })
  }
  const refresh = () => {
    source.refresh()
    void client.invalidateQueries({ queryKey: ['apps', app.slug] })
  }
  const open = (doc: string | undefined) => onShow({ ...view, doc }, { replace: view.doc !== undefined })
  const undo = useUndoDeletion(address, refresh)
  const binUndo = useBinUndo(app.slug, refresh)
  const create = mayWrite && (
    <Button onClick={() => open(NEW_DOCUMENT)} {...CREATES}>
      {DATA_TEXTS.create}
    </Button>
  )
  const columns = useRef<readonly string[]>([])
  const isFiltered = view.q.trim() !== ''
  return (
    <div className={styles.browser}>
      <h1 className={styles.title}>
        <Value text={collection} />
      </h1>
      <div className={styles.head}>
        <QueryBar
          asked={{ q: view.q, s: view.s, f: view.f }}
          names={source.fieldNames}
          history={history}
          onFind={find}
        >
          <CopyButton text={curlOf(address, view)} label={DATA_TEXTS.curl} words={DATA_TEXTS.curl} />
        </QueryBar>
        <div className={styles.acts}>
          <ReadStatus
            source={source}
            count={count.data}
            all={all}
            isFiltered={isFiltered}
            isAsked={isFiltered || view.s.trim() !== ''}
            onStop={() => {
              source.stop()
              void client.cancelQueries({ queryKey: ['apps', app.slug, 'count'] })
            }}
            onGoOn={() => {
              source.again()
              void count.refetch()
            }}
          >
            {mayWrite && <IndexOffer {...address} view={view} onReady={refresh} />}
          </ReadStatus>
          <SegmentedSwitch
            name="layout"
            label={DATA_TEXTS.layout}
            options={DATA_TEXTS.layouts}
            value={view.layout}
            onChange={(layout) => onShow({ ...view, layout }, { replace: true })}
          />
          {selection.size > 0 && <CopyChosen address={address} ids={[...selection]} columns={columns} />}
          {mayWrite && !isEmpty(source) && (
            <div className={selection.size > 0 ? styles.chosen : styles.bulk}>
              <BulkActs
                act={bulkAct}
                onAct={setBulkAct}
                address={address}
                q={view.q}
                ids={[...selection]}
                names={source.fieldNames}
                onDone={refresh}
                onDeleted={(documents) => {
                  setSelection(NONE)
                  undo.offer(documents)
                  refresh()
                }}
              />
            </div>
          )}
          <div className={styles.bulk}>
            <ButtonLink href={indexesPage(address)}>{DATA_TEXTS.indexes}</ButtonLink>
            {mayWrite && selection.size === 0 && <ImportLink {...address} />}
            {!isEmpty(source) && <ExportAct address={address} view={view} columns={columns} />}
            {mayWrite && ofCollection !== undefined && (
              <CollectionMenu
                address={address}
                documents={ofCollection.documents}
                onRenamed={onRenamed}
                onBinned={(entry) => {
                  setSelection(NONE)
                  undo.close()
                  if (entry !== undefined) binUndo.offer(entry)
                  refresh()
                }}
              />
            )}
          </div>
          {create}
        </div>
      </div>
      <div className={styles.body}>
        <div className={styles.list}>
          <RowsProblem source={source} />
          {isEmpty(source) && (
            <Nothing
              app={app}
              collection={collection}
              all={all}
              isFiltered={isFiltered}
              onClear={() => find(EVERYTHING)}
            >
              <div className={styles.acts}>
                {mayWrite && <ImportLink {...address} />}
                {create}
              </div>
            </Nothing>
          )}
          {!isEmpty(source) && !hasFailed(source) && (
            <Grid
              source={source}
              address={address}
              layout={view.layout}
              selection={selection}
              onSelection={setSelection}
              open={view.doc}
              onOpen={open}
              at={view.at}
              onAt={(at) => onShow({ ...view, at }, { replace: true })}
              onColumns={(names) => {
                columns.current = names
              }}
              {...(mayWrite && {
                onDelete: (ids) => {
                  setSelection(new Set(ids))
                  setBulkAct('delete')
                },
              })}
            />
          )}
          {source.loaded === 0 && source.progress.isRunning && <Waiting reading={DATA_TEXTS.reading} />}
        </div>
        {view.doc !== undefined && (
          <DocumentPanel
            {...address}
            id={view.doc === NEW_DOCUMENT ? undefined : view.doc}
            q={view.q}
            mayWrite={mayWrite}
            onClose={() => open(undefined)}
            onSaved={(id, kind) => {
              if (kind === 'created') open(id)
              refresh()
            }}
            onDeleted={undo.offer}
          />
        )}
      </div>
      {undo.toast}
      {binUndo.toast}
    </div>
  )
}

/** The documents that are chosen among those of a query; Back to another query shows others. */
function useSelection({ q, s, f }: Asked) {
  const of: Asked = { q, s, f }
  const [{ ids, asked }, setState] = useState({ ids: NONE, asked: of })
  const set = (next: ReadonlySet<string>) => setState({ ids: next, asked: of })
  return [isSameQuery(asked, of) ? ids : NONE, set] as const
}

/** Why there are no rows, or no more of them; what was asked wrongly is not asked again. */
function RowsProblem({ source }: { readonly source: RowSource }) {
  const { error = null } = source
  const isOurs = error instanceof ApiError && error.status >= 400 && error.status < 500
  return <ReadProblem error={error} {...(!isOurs && { onAgain: () => source.again() })} />
}

/** Whether no row came, and none is on its way. */
function hasFailed(source: RowSource): boolean {
  return source.error !== undefined && source.loaded === 0
}

/** Whether it is known that there is nothing to show. */
function isEmpty(source: RowSource): boolean {
  return source.total === 0 && source.loaded === 0 && !source.progress.isRunning
}

interface NothingProps extends Pick<BrowserProps, 'app' | 'collection'> {
  readonly all: number | undefined
  readonly isFiltered: boolean
  readonly onClear: () => void
  /** What makes a document. */
  readonly children: ReactNode
}

function Nothing({ app, collection, all, isFiltered, onClear, children }: NothingProps) {
  if (!isFiltered)
    return (
      <FirstSave slug={app.slug} collection={collection}>
        {children}
      </FirstSave>
    )
  return (
    <div className={styles.empty}>
      <h2>{DATA_TEXTS.nothing}</h2>
      {all !== undefined && <p>{DATA_TEXTS.nothingExplained(all)}</p>}
      <Button onClick={onClear}>{DATA_TEXTS.clear}</Button>
    </div>
  )
}
