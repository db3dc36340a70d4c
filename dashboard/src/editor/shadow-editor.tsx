import { setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ChangeReports } from './change-reports.ts'
import type { CodeEditorProps, EditorProblem } from './code-editor.tsx'
import { editorSetup } from './editor-setup.ts'

/**
 * CodeMirror in a shadow root: there its styles are style sheets of the root, which the policy lets be; in the document they
 * would be an element, which it refuses.
 */
export default function ShadowEditor(props: CodeEditorProps) {
  const { value, problems, className, isFocused } = props
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  const editor = useRef<EditorView>(undefined)
  const [reports] = useState(() => new ChangeReports(latest))
  const { label, language, isReadOnly, isDocument, original, extensions } = props
  useLayoutEffect(() => {
    latest.current = props
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what else changes is read when it is needed.
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: latest.current.value, extensions: editorSetup(latest, reports) }),
    })
    editor.current = view
    return () => view.destroy()
  }, [label, language, isReadOnly, isDocument, original, extensions])
  useEffect(() => {
    if (reports.isOwn(value)) return
    const view = editor.current!
    const shown = view.state.doc
    if (shown.length === value.length && shown.toString() === value) return
    view.dispatch({ changes: { from: 0, to: shown.length, insert: value } })
  }, [value, reports])
  useEffect(() => {
    const { state } = editor.current!
    editor.current!.dispatch(
      setDiagnostics(
        state,
        (problems ?? []).map((problem) => within(state, problem)),
      ),
    )
  }, [problems])
  useEffect(() => {
    if (isFocused) editor.current!.focus()
  }, [isFocused])
  return <div ref={host} className={className} />
}

/** A problem of a text that may have become shorter meanwhile. */
function within({ doc }: EditorState, { from, to, message, severity = 'error' }: EditorProblem) {
  return { from: Math.min(from, doc.length), to: Math.min(to, doc.length), message, severity }
}
