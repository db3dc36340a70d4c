/** The words of what takes whole apps out, and brings them back. */
export const BACKUP_TEXTS = {
  begun: 'The server makes it, and reads it back; then the browser saves it. Look at its downloads.',
  app: {
    title: 'Backup',
    explained:
      'The app with its indexes and its keys, without its site, to be restored as a new app. Keep it to yourself: it has a hash of each key, and what the key may do.',
    button: 'Back up the app',
  },
  restore: {
    open: 'Restore a backup…',
    title: 'Restore a backup',
    explained: 'An app of the backup becomes a new one of yours. Nothing that is here changes.',
    hint: 'A backup that Sheaf has made, of an app or of a server.',
    slug: 'Slug of the new app',
    from: 'Slug of the app in the backup',
    fromHint: 'Only where the backup has several.',
    button: 'Restore the app',
    sent: 'Sent',
    restoring: 'Sent. The server looks through it, and makes the app…',
    stopped: 'Stopped.',
  },
  server: {
    title: 'Backups',
    note: 'Of everything on this server: apps with their documents and sites, accounts and keys.',
    reading: 'Reading which backups there are',
    noSchedule:
      'None is made by the clock. Start the server with --backup-dir and --backup-every to have that.',
    folder: 'Folder',
    schedule: 'Made',
    ofSchedule: (every: string | null, keep: number) =>
      `${every === null ? 'when somebody asks for one' : `every ${every}`}; the newest ${keep.toLocaleString()} are kept`,
    next: 'Next',
    last: 'Last',
    noneYet: 'none yet',
    failed: 'The last one failed',
    kept: 'Backups in the folder',
    columns: { name: 'Name', size: 'Size', made: 'Made' },
    make: 'Make one now',
    making: 'A backup is being made…',
    download: 'One to save elsewhere',
    secrets: 'With its secrets',
    withSecrets:
      'Hashes of passwords, second factors, sessions, what signs tokens, the private key of the certificate. After a restore all is as it was. Whoever has the file has the server: encrypt it, and give it to nobody.',
    withoutSecrets:
      'After a restore no password works until whoever runs the server makes links for new ones; second factors, sessions and tokens are gone, and the certificate is another one. Keys go on.',
    save: 'Save a backup',
  },
} as const
