import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The tokens of the pages, which reach into shadow roots. */
const THEME = EditorView.theme({
  '&': {
    height: '100%',
    maxHeight: 'inherit',
    borderRadius: '6px',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: '13px',
    boxSizing: 'border-box',
    border: '1px solid var(--control)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--select)',
  },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { color: 'var(--ink)' },
  '.cm-foldGutter .cm-gutterElement': { padding: '0 4px', cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    padding: '0 6px',
    border: '1px solid var(--line)',
    backgroundColor: 'var(--sunken)',
    color: 'var(--dim)',
  },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: 'var(--select)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--dangerSoft)' },
  '.cm-selectionMatch, .cm-searchMatch': {
    backgroundColor: 'var(--warnSoft)',
    outline: '1px solid var(--straw)',
  },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--select)' },
  '.placeholder': { borderBottom: '2px dotted var(--warn)', backgroundColor: 'var(--warnSoft)' },
  '.unseen': { color: 'var(--danger)', fontSize: '11px', fontWeight: 'normal' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { display: 'flex', flexWrap: 'wrap', gap: '4px', padding: '8px 36px 8px 8px' },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': { display: 'flex', alignItems: 'center', gap: '4px', fontSize: '13px' },
  '.cm-panel input, .cm-panel button': {
    minHeight: 'var(--hit)',
    margin: '0',
    border: '1px solid var(--control)',
    borderRadius: '6px',
    background: 'var(--surface)',
    color: 'var(--ink)',
    font: 'var(--t-13)',
  },
  '.cm-panel :focus-visible': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-panel input[type=checkbox]': { minHeight: '18px', width: '18px', accentColor: 'var(--accent)' },
  '.cm-panel.cm-search [name=close]': { minWidth: 'var(--hit)', top: '8px', right: '4px' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    boxShadow: '0 4px 16px rgb(0 0 0 / 20%)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '8px',
    minHeight: 'var(--row)',
    padding: '0 8px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--select)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--dim)', fontStyle: 'normal', fontFamily: 'var(--ui)' },
  '.cm-diagnostic': { padding: '6px 8px', fontFamily: 'var(--ui)', fontSize: '13px' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--danger)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--danger)' },
  '&.difference .cm-line, .cm-deletedChunk .cm-deletedLine': { position: 'relative', paddingLeft: '24px' },
  // Never by colour alone.
  '&.difference .cm-changedLine::before': { content: '"+"', position: 'absolute', left: '8px' },
  '.cm-deletedChunk .cm-deletedLine::before': { content: '"-"', position: 'absolute', left: '8px' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--add)' },
  '&.cm-merge-b .cm-changedText': { background: 'none', boxShadow: 'inset 0 -2px var(--ok)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--del)', paddingLeft: '0' },
  '.cm-deletedChunk .cm-deletedText': { background: 'none', boxShadow: 'inset 0 -2px var(--danger)' },
  '.cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-deletedLineGutter': { background: 'var(--danger)' },
  '.cm-collapsedLines': {
    minHeight: '24px',
    padding: '2px 8px',
    background: 'var(--sunken)',
    color: 'var(--dim)',
    font: 'var(--t-12)',
  },
  // Below 16 px phones zoom into what is typed in.
  '@media (pointer: coarse)': { '&': { fontSize: '16px' } },
})

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--text)' },
  { tag: tags.number, color: 'var(--number)' },
  { tag: tags.bool, color: 'var(--bool)' },
  { tag: tags.null, color: 'var(--nul)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--dim)' },
])

export const EDITOR_THEME = [THEME, syntaxHighlighting(COLOURS)]
