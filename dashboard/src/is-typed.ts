import { showUnseen } from './show-unseen.ts'

/** What separates thousands in the languages of browsers. */
const SEPARATORS = /[\s.,'’]/g

/** Whether `text` is what had to be typed; a number may have its separators, as it is shown. */
export function isTyped(text: string, wanted: string | number): boolean {
  if (typeof wanted === 'number') return text.replace(SEPARATORS, '') === String(wanted)
  return showUnseen(text) === showUnseen(wanted)
}
