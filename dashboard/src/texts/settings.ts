/** The words of an app's settings and of its activity. */
export const SETTINGS_TEXTS = {
  title: 'Settings',
  sharing: {
    title: 'Sharing',
    explained:
      'Viewers read documents, and see the app’s Analytics: its traffic with the names of all keys, the paths of requests that failed, requests live as they come, and all of it as CSV. Editors also write documents, make and change the keys that are for this app alone, but for its site’s, and deploy its site, make a version live and take it off line.',
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
      'Programs, accounts and visitors of its site get 404 within a second. For seven days you can restore it from the page of your apps; then its documents and its site are gone.',
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
  explained: 'Until it is removed, an app can be restored with its documents, site, shares and keys.',
  removed: 'removed',
  button: 'Restore',
  restore: (slug: string) => `Restore ${slug}`,
  remove: {
    title: (slug: string) => `Remove ${slug}`,
    explained:
      'Removes the app with all of its documents and its site at once, before its time. There is no undo. Its slug is free then.',
    button: 'Remove the app',
    short: 'Remove',
  },
} as const
