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
  exporting: {
    title: 'Export',
    explained:
      'Every collection as it is, an NDJSON file each in a zip: for other programs, and to be imported again.',
    button: 'Export all collections',
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
  explained: 'Who changed the app, its keys and its shares, the newest first.',
  onlyEditors: 'You may look at this app. Its owner and editors see who changed it.',
} as const

export const DELETED_TEXTS = {
  title: 'Deleted apps',
  explained: 'Until it is removed, an app can be restored with its documents, shares and keys.',
  removed: 'removed',
  button: 'Restore',
  restore: (slug: string) => `Restore ${slug}`,
  remove: {
    title: (slug: string) => `Remove ${slug}`,
    explained:
      'Removes the app with all of its documents at once, before its time. There is no undo. Its slug is free then.',
    button: 'Remove the app',
    short: 'Remove',
  },
} as const
