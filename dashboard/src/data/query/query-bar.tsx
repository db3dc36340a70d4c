import type { KeyBinding } from '@codemirror/view'
import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Value } from '../../components/value.tsx'
import { CodeEditor, type EditorProblem } from '../../editor/code-editor.tsx'
import { DATA_TEXTS } from '../../texts/data.ts'
import { useSettled } from '../../use-settled.ts'
import styles from './query-bar.module.css'
import { queryCompletions } from './query-completions.ts'
import { type Asked, isSameQuery, type useQueryHistory } from './query-history.ts'
import { QueryList } from './query-list.tsx'
import { FieldsChoice, SortChoice } from './sort-choice.tsx'

interface QueryBarProps {
  /** What is shown. */
  readonly asked: Asked
  readonly names: readonly string[]
  readonly history: ReturnType<typeof useQueryHistory>
  readonly onFind: (asked: Asked) => void
  /** What stands beside sort and fields; on a phone all of it is behind one button. */
  readonly children: ReactNode
}

/** What is looked for; nothing is asked before Find. */
export function QueryBar({ asked, names, history, onFind, children }: QueryBarProps) {
  const [{ draft, of }, setState] = useState({ draft: asked, of: asked })
  // Another view, by Back for one, has another query.
  if (!isSameQuery(of, asked)) setState({ draft: asked, of: asked })
  const setDraft = (next: Asked) => setState({ draft: next, of })
  const [isListed, setIsListed] = useState(false)
  const [isRefined, setIsRefined] = useState(false)
  const problems = useQueryProblems(draft.q)
  const change = (part: Partial<Asked>) => setDraft({ ...draft, ...part })
  const find = (next: Asked) => {
    setDraft(next)
    onFind(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    find(draft)
  }
  const completions = useMemo(() => queryCompletions(names), [names])
  const keys: readonly KeyBinding[] = [
    { key: 'Enter', run: () => done(() => find(draft)) },
    { key: 'ArrowDown', run: () => draft.q === '' && done(() => setIsListed(true)) },
  ]
  return (
    <form className={styles.bar} onSubmit={submit}>
      <div className={styles.query} data-query="">
        <CodeEditor
          language="json"
          label={DATA_TEXTS.query}
          className={styles.editor}
          placeholder={DATA_TEXTS.queryHint}
          value={draft.q}
          onChange={(q) => change({ q })}
          problems={problems}
          completions={completions}
          onSubmit={() => find(draft)}
          keys={keys}
        />
        {problems.map(({ message }) => (
          <p key={message} className={styles.problem} role="status">
            <Value text={message} />
          </p>
        ))}
      </div>
      <Button
        data-refines=""
        className={styles.refine}
        aria-expanded={isRefined}
        onClick={() => setIsRefined(!isRefined)}
      >
        {DATA_TEXTS.refine}
      </Button>
      <div className={isRefined ? styles.choices : `${styles.choices} ${styles.folded}`}>
        <SortChoice text={draft.s} names={names} onChange={(s) => change({ s })} />
        <FieldsChoice text={draft.f} names={names} onChange={(f) => change({ f })} />
        <QueryList
          history={history}
          current={draft}
          isOpen={isListed}
          onOpenChange={setIsListed}
          onChoose={find}
        />
        {children}
      </div>
      <Button look="main" type="submit">
        {DATA_TEXTS.find}
      </Button>
    </form>
  )
}

/** How long nothing is typed before it is said what is wrong. */
const QUIET_MS = 300
const NO_PROBLEMS: readonly EditorProblem[] = []

/** What is wrong with a query, once it stays as it is for a while. */
function useQueryProblems(q: string): readonly EditorProblem[] {
  const settled = useSettled(q, QUIET_MS)
  const [checked, setChecked] = useState({ q: '', problems: NO_PROBLEMS })
  useEffect(() => {
    if (settled === '') return
    let isCurrent = true
    // What takes queries apart is large and comes when it is needed; without it the server says the same after Find.
    import('./check-query.ts').then(
      ({ checkQuery }) => isCurrent && setChecked({ q: settled, problems: checkQuery(settled) }),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [settled])
  return checked.q === q ? checked.problems : NO_PROBLEMS
}

/** For a key of the editor that does something. */
function done(act: () => void): boolean {
  act()
  return true
}
