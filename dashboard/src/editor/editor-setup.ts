import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { unifiedMergeView } from '@codemirror/merge'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
  MatchDecorator,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { flushSync } from 'react-dom'
import { textDifferences } from '../data/document/line-differences.ts'
import { placeholderPattern } from '../data/document/placeholders.ts'
import { showUnseen, UNSEEN } from '../show-unseen.ts'
import { EDITOR_TEXTS } from '../texts/editor.ts'
import type { ChangeReports } from './change-reports.ts'
import type { CodeEditorProps } from './code-editor.tsx'
import { EDITOR_THEME } from './editor-theme.ts'

/** What an editor can do, by what it was last given. */
export function editorSetup(
  latest: { readonly current: CodeEditorProps },
  reports: ChangeReports,
): Extension {
  const {
    label,
    language,
    isReadOnly = false,
    isDocument = false,
    original,
    placeholder: words,
    extensions = [],
  } = latest.current
  return [
    EDITOR_THEME,
    history(),
    drawSelection(),
    UNSEEN_CHARACTERS,
    REPLACING,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': showUnseen(label),
      // What scrolls has to be reached by keys, and be known to be.
      tabindex: '0',
      ...(isDocument && { 'aria-description': EDITOR_TEXTS.keys }),
    }),
    EditorState.readOnly.of(isReadOnly),
    reports.extension,
    language === 'json' ? [json(), indentOnInput(), bracketMatching(), closeBrackets()] : [],
    autocompletion({ override: [(context) => latest.current.completions?.(context) ?? null], icons: false }),
    isDocument ? DOCUMENT : [],
    original === undefined
      ? []
      : [
          unifiedMergeView({
            original,
            mergeControls: false,
            collapseUnchanged: COLLAPSED,
            diffConfig: DIFFS,
          }),
          EditorView.editorAttributes.of({ class: 'difference' }),
        ],
    words === undefined ? [] : placeholder(words),
    extensions,
    keymap.of([...givenKeys(latest, reports), ...KEYS, ...(isDocument ? DOCUMENT_KEYS : [])]),
  ]
}

/** Lines around a change that are shown, and how many unchanged ones are worth folding. */
const COLLAPSED = { margin: 3, minSize: 4 }
const DIFFS = { override: textDifferences }

const UNSEEN_CHARACTERS = highlightSpecialChars({
  specialChars: UNSEEN,
  render: (code) => {
    const shown = document.createElement('span')
    shown.textContent = showUnseen(String.fromCodePoint(code))
    shown.className = 'unseen'
    return shown
  },
})

const PLACEHOLDER = Decoration.mark({ class: 'placeholder', attributes: { title: EDITOR_TEXTS.placeholder } })
/** Texts that are, as a whole, what the server fills in; of which services is its own to know. */
const PLACEHOLDERS = new MatchDecorator({ regexp: placeholderPattern(), decoration: PLACEHOLDER })

const MARKED_PLACEHOLDERS = ViewPlugin.define(
  (view) => ({
    marks: PLACEHOLDERS.createDeco(view),
    update(change: ViewUpdate) {
      this.marks = PLACEHOLDERS.updateDeco(change, this.marks)
    },
  }),
  { decorations: ({ marks }) => marks },
)

/** What is chosen is replaced here: a browser would keep its look in an attribute for styles, which the policy refuses. */
const REPLACING = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || data === null || empty || view.composing) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert())
    return true
  },
})

const DOCUMENT: Extension = [
  MARKED_PLACEHOLDERS,
  lineNumbers(),
  codeFolding(),
  foldGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true }),
]

const KEYS: readonly KeyBinding[] = [
  ...completionKeymap,
  ...closeBracketsKeymap,
  ...defaultKeymap,
  ...historyKeymap,
]
const DOCUMENT_KEYS: readonly KeyBinding[] = [...searchKeymap, ...foldKeymap, indentWithTab]

/** Those of whoever shows the editor, as they are when one is pressed; by then it has been told the text. */
function givenKeys(
  latest: { readonly current: CodeEditorProps },
  reports: ChangeReports,
): readonly KeyBinding[] {
  const submit: KeyBinding = {
    key: 'Mod-Enter',
    run: () => {
      latest.current.onSubmit?.()
      return latest.current.onSubmit !== undefined
    },
  }
  return [...(latest.current.keys ?? []), submit].map((binding, index) => ({
    ...binding,
    run: (view) => {
      // What the key does is about the text as it is, and not as it was drawn last.
      flushSync(() => reports.tell(view))
      return (latest.current.keys?.[index] ?? submit).run?.(view) ?? false
    },
  }))
}
