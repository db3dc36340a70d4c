import { byteCount, counted } from '../texts.ts'

const THINGS = { drop: 'dropped', empty: 'emptied' } as const

/** The words of what is done to collections as a whole, of their bin, and of the room that they take. */
export const UPKEEP_TEXTS = {
  menu: 'Collection',
  menuOf: (name: string) => `Rename, empty or drop ${name}`,
  acts: 'Actions',
  rename: {
    item: 'Rename…',
    title: (name: string) => `Rename ${name}`,
    explained:
      'Programs that use the old name find nothing under it, and what they save makes a collection of that name again.',
    field: 'New name',
    button: 'Rename the collection',
    keys: 'These keys name the collection. They do not follow: change their rules, too.',
  },
  empty: {
    item: 'Empty…',
    title: (name: string) => `Empty ${name}`,
    explained: (count: number) =>
      count === 0
        ? 'There are no documents in it.'
        : `This takes out ${counted(count, 'document')}. The collection and its indexes stay. What was taken out can be restored for 7 days, and takes its room until then.`,
    button: 'Empty the collection',
  },
  drop: {
    item: 'Drop…',
    title: (name: string) => `Drop ${name}`,
    explained: (count: number) =>
      `This drops the collection with ${counted(count, 'document')} and its indexes. It can be restored for 7 days, and takes its room until then. What programs save under its name makes a new one.`,
    button: 'Drop the collection',
  },
  undo: {
    button: 'Undo',
    close: 'Close',
    done: (reason: keyof typeof THINGS, name: string) => `${name} was ${THINGS[reason]}.`,
    restored: (name: string) => `${name} is back.`,
  },
  inBin: {
    had: (reason: keyof typeof THINGS, count: number) =>
      `A collection of this name was ${THINGS[reason]}: ${counted(count, 'document')} of it can be had back.`,
    link: 'See the bin',
  },
  bin: {
    title: 'Bin',
    explained:
      'What was dropped or emptied here in the last 7 days. It takes its room until it is removed. What programs drop by the API is not in it.',
    reason: (reason: keyof typeof THINGS, count: number) =>
      `${counted(count, 'document')}, ${THINGS[reason]}`,
    by: (account: string) => `by ${account}`,
    removed: 'removed',
    restore: 'Restore',
    restoreOf: (name: string, count: number) => `Restore ${name} with ${counted(count, 'document')}`,
    taken: {
      title: (name: string) => `Restore ${name}`,
      explained: (name: string) =>
        `A collection with documents, or with other indexes, has the name ${name} by now. Give this one another name.`,
      field: 'Name',
      suggested: (name: string) => `${name}-restored`,
      button: 'Restore the collection',
    },
    remove: 'Remove',
    removeOf: (name: string, count: number) => `Remove ${name} with ${counted(count, 'document')}`,
    removal: {
      title: (name: string) => `Remove ${name}`,
      explained: (count: number) =>
        `This deletes ${counted(count, 'document')} and the indexes at once, before their time. There is no undo.`,
      button: 'Remove the collection',
    },
  },
  storage: {
    title: 'Storage',
    file: 'In use',
    ofFile: (bytes: number) => `${byteCount(bytes)} by documents and indexes, those in the bin among them`,
    free: 'Free in its file',
    ofFree: (bytes: number) => `${byteCount(bytes)}, used by what is saved next before the file grows`,
    compact:
      'Whoever runs the server gives that back to the disk, while the server is stopped. It takes as much room as there is in use, twice, until it is done:',
    command: (slug: string) => `sheaf compact ${slug}`,
    commandLabel: 'the command',
  },
} as const
