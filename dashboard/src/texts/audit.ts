/** The words of audit trails: of an account, of an app, of the server. */
export const AUDIT_TEXTS = {
  list: 'Changes, the newest first',
  reading: 'Reading the audit trail',
  columns: { at: 'When', actor: 'Who', action: 'What', subject: 'Of', details: 'Details' },
  filters: { actor: 'Who', action: 'What', subject: 'Of', address: 'From address', app: 'App' },
  filterHints: {
    actor: 'ada@example.org',
    action: 'key.create',
    subject: 'a key, an app …',
    address: '192.0.2.7',
    app: 'its whole slug',
  },
  from: 'from',
  pagesOfSite: 'pages of its site',
  /** Before the slug of an app. */
  inApp: 'in the app',
  none: 'Nothing was changed yet.',
  noneFound: 'No change has all of these texts.',
  clear: 'Show all changes',
  more: 'Show older changes',
} as const
