/** The words of an app's settings and of its activity. */
export const SETTINGS_TEXTS = {
  title: 'Settings',
  sharing: {
    title: 'Sharing',
    explained:
      'Viewers read documents. Editors also write them, and make and change the keys that are for this app alone.',
    reading: 'Reading with whom it is shared',
    none: 'Shared with nobody yet.',
    email: 'E-mail of an account',
    role: 'Role',
    roles: { viewer: 'viewer', editor: 'editor' },
    button: 'Share the app',
    end: 'Stop sharing',
    endWith: (email: string) => `Stop sharing with ${email}`,
  },
  leave: {
    title: 'Leave the app',
    explained: 'The app is shared with you. You see it no more then; its owner can share it again.',
    button: 'Leave the app',
  },
  remove: {
    title: 'Delete the app',
    explained:
      'Programs and accounts get 404 within a second. For seven days you can restore it from the page of your apps; then its documents are gone.',
    label: (slug: string) => `Type ${slug} to confirm`,
    button: 'Delete the app',
  },
} as const

export const ACTIVITY_TEXTS = {
  title: 'Activity',
  explained: 'Who changed the app, its keys and its shares: the newest 1,000 changes.',
  reading: 'Reading the audit trail',
  filter: 'Filter',
  filterHint: 'Shows the changes in which the text stands: a name, an address, key.create …',
  none: 'Nothing was changed yet.',
  noneFound: (all: number) => `None of ${all} has this text.`,
  onlyEditors: 'You may look at this app. Its owner and editors see who changed it.',
  columns: { at: 'When', actor: 'Who', action: 'What', subject: 'Of', details: 'Details' },
} as const

export const DELETED_TEXTS = {
  title: 'Deleted apps',
  explained: 'Until it is removed, an app can be restored with its documents, shares and keys.',
  removed: 'removed',
  button: 'Restore',
  restore: (slug: string) => `Restore ${slug}`,
} as const
