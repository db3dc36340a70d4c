/** The words of editors, beside those that the editor brings. */
export const EDITOR_TEXTS = {
  keys: 'Tab indents; after Esc it leaves the editor.',
  placeholder: 'The server fills this in',
} as const
