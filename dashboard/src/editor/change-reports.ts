import type { Extension } from '@codemirror/state'
import { EditorView, ViewPlugin } from '@codemirror/view'
import { flushSync } from 'react-dom'
import type { CodeEditorProps } from './code-editor.tsx'

/** Of a longer text its value is made when typing pauses, for that alone takes longer than a key may. */
const PROMPT_CHARACTERS = 65_536
/** Longer than from key to key of whoever types fast. */
const PAUSE_MS = 250
/** Values that have been told and not come back as the editor's value yet. */
const MOST_TOLD = 50

/** Tells whoever shows an editor what its text has become. */
export class ChangeReports {
  readonly extension: Extension
  private readonly latest: { readonly current: CodeEditorProps }
  private told: string[] = []
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(latest: { readonly current: CodeEditorProps }) {
    this.latest = latest
    this.extension = [
      EditorView.updateListener.of(({ docChanged, view }) => {
        if (!docChanged) return
        clearTimeout(this.timer)
        if (view.state.doc.length <= PROMPT_CHARACTERS) this.tell(view)
        else this.timer = setTimeout(() => this.tell(view), PAUSE_MS)
      }),
      EditorView.domEventHandlers({ blur: (_, view) => this.tell(view) }),
      ViewPlugin.define((view) => {
        // Before whoever shows the editor keeps what it knows of.
        const leave = () => flushSync(() => this.tell(view))
        window.addEventListener('pagehide', leave, { capture: true })
        return {
          destroy: () => {
            clearTimeout(this.timer)
            window.removeEventListener('pagehide', leave, { capture: true })
          },
        }
      }),
    ]
  }

  /** Tells at once what whoever shows the editor has not drawn yet. */
  tell({ state }: EditorView): void {
    clearTimeout(this.timer)
    const text = state.doc.toString()
    if (text === this.latest.current.value) return
    this.told = [...this.told.slice(1 - MOST_TOLD), text]
    this.latest.current.onChange?.(text)
  }

  /** Whether a value came from the editor itself, which may have gone on meanwhile. */
  isOwn(value: string): boolean {
    const index = this.told.indexOf(value)
    this.told = index < 0 ? [] : this.told.slice(index)
    return index >= 0
  }
}
