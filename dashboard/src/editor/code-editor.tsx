import type { CompletionSource } from '@codemirror/autocomplete'
import type { Diagnostic } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import type { KeyBinding } from '@codemirror/view'
import { FailedPart } from '../components/failed-part.tsx'
import { loaded } from '../loaded.tsx'

/** Something that is wrong with the text from one place to another, in the API's words. */
export type EditorProblem = Pick<Diagnostic, 'from' | 'to' | 'message'> &
  Partial<Pick<Diagnostic, 'severity'>>

export interface CodeEditorProps {
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly language?: 'json'
  /** Its accessible name. */
  readonly label: string
  readonly className?: string | undefined
  /** What stands there while it is empty. */
  readonly placeholder?: string
  readonly isReadOnly?: boolean
  /** Takes the focus when it becomes true. */
  readonly isFocused?: boolean
  /** Whether it has line numbers, folding and search, and the Tab key indents, but right after Esc. */
  readonly isDocument?: boolean
  /** Shows `value` as what has become of this text: by lines, and by words within a line. */
  readonly original?: string | undefined
  readonly problems?: readonly EditorProblem[]
  readonly completions?: CompletionSource
  /** By `⌘Enter`, which is Ctrl elsewhere. */
  readonly onSubmit?: () => void
  /** Keys that come before the editor's own. */
  readonly keys?: readonly KeyBinding[]
  /** The same ones for as long as the editor is there. */
  readonly extensions?: Extension
}

/** Loads what draws editors, which comes in a file of its own. */
function loadCodeEditor() {
  return import('./shadow-editor.tsx')
}

/** An editor of code, which takes the width and height that its class gives it. */
export const CodeEditor = loaded<CodeEditorProps>(
  loadCodeEditor,
  ({ className }) => <div className={className} aria-busy="true" />,
  (error) => <FailedPart error={error} />,
)
