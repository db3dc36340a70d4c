/** The words of the page for operators. */
export const SERVER_TEXTS = {
  title: 'Server',
  forOperators: 'Only an operator of this server sees this page. Ask whoever runs it.',
  accounts: {
    title: 'Accounts',
    reading: 'Reading the accounts',
    you: 'you',
    operator: 'operator',
    factor: 'with a second factor',
    made: 'made',
    reset: 'Make a reset link',
    resetOf: (email: string) => `Make a reset link for ${email}`,
    resetMade: (email: string, until: string) =>
      `Give this link to ${email}: another password can be chosen by it, once, until ${until}. It is shown this once.`,
    resetLabel: 'the reset link',
    disable: 'Take the second factor away',
    disableOf: (email: string) => `Take the second factor of ${email} away`,
    disableExplained: (email: string) =>
      `The password alone will sign in to ${email}. All of its sessions end, and its recovery codes go.`,
    delete: 'Delete',
    deleteOf: (email: string) => `Delete the account ${email}`,
  },
  invitation: {
    title: 'Invite somebody',
    note: 'A link by which they make an account. The server sends no mail: hand it over yourself.',
    email: 'E-mail, if the link is for one address alone',
    isOperator: 'as an operator, who sees the whole server',
    button: 'Make an invitation link',
    made: (until: string) => `The link is good once, until ${until}. It is shown this once.`,
    label: 'the invitation link',
  },
  audit: {
    title: 'Audit trail',
    note: 'Who changed what on this server, the newest first.',
  },
} as const
