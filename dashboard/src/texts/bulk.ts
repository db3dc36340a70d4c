import { counted } from '../texts.ts'

/** The words of what is done to many documents at once. */
export const BULK_TEXTS = {
  update: 'Update…',
  remove: 'Delete…',
  which: 'Which documents',
  chosen: (count: number) => `the ${counted(count, 'document')} chosen`,
  matching: (count: number | undefined) =>
    count === undefined ? 'all that match' : `all ${count.toLocaleString()} that match`,
  counting: 'Counting what matches',
  tooMany: 'These are too many to be named one by one. Choose fewer, or all that match.',
  close: 'Close',
  updating: {
    title: 'Update documents',
    explained: 'By modifiers, as the API takes them, such as {"$set": {"done": true}}.',
    editor: 'Modifiers',
    show: 'Show what changes',
    preview: 'What changes in the first documents',
    none: 'Nothing matches, so nothing would change.',
    previewed: (shown: number, all: number) =>
      `The first ${shown.toLocaleString()} of ${counted(all, 'document')}:`,
    unchanged: 'Nothing in them would change.',
    button: (count: number) => `Update ${counted(count, 'document')}`,
    done: (n: number, modified: number) =>
      `${counted(n, 'document')} matched, ${modified.toLocaleString()} changed.`,
  },
  deleting: {
    title: 'Delete documents',
    undoable: (count: number) =>
      `This deletes ${counted(count, 'document')}. For 30 seconds it can be undone.`,
    final: (count: number) => `This deletes ${counted(count, 'document')}. There is no undo.`,
    button: (count: number) => `Delete ${counted(count, 'document')}`,
  },
} as const
