/** Every word that a page shows, but for what the server says itself. */
export const TEXTS = {
  product: 'Sheaf',
  titleOf: (page: string) => `${page} · Sheaf`,
  email: 'E-mail',
  name: 'Name',
  password: 'Password',
  newPassword: 'New password',
  passwordHint: '12 characters or more; none of the commonest',
  show: 'Show',
  hide: 'Hide',
  reading: 'Waiting for the server',
  again: 'Try again',
  stop: 'Stop',
  stopped: 'Stopped; nothing was read.',
  cancel: 'Cancel',
  close: 'Close',
  requestId: 'Request',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied: select the text instead',
  download: 'Save as a file',
  done: 'Done',
  never: 'never',
  file: {
    choose: 'Choose a file',
    other: 'Choose another file',
    drop: 'or drop it on this page',
    sent: (share: number, sent: string, all: string) => `${share} % sent: ${sent} of ${all}`,
  },
  typeToConfirm: (text: string) => `Type ${text} to confirm`,
  toApps: 'Go to your apps',
  toSignIn: 'Go to sign-in',

  signIn: {
    title: 'Sign in',
    button: 'Sign in',
    codeTitle: 'Second factor',
    code: 'Code',
    codeHint: 'Six digits from your authenticator, or a recovery code',
    otherAccount: 'Use another account',
    forgotten: 'Forgotten? Whoever runs this server can make a link:',
    forgottenCommand: 'sheaf account reset-password',
    changed:
      'The password was changed, and every session has ended. Sign in with the new one. If somebody else was in your account, remove passkeys, connected sign-ins and tokens that you don’t know on its page then: they still let in.',
  },
  passkeys: {
    signIn: 'Sign in with a passkey',
    confirm: 'Confirm with a passkey',
    refused: {
      none: 'no passkey came: it was cancelled, took too long, or there is none for this server here',
      known: 'this device has a passkey of your account already',
      certificate:
        'this browser takes no passkeys here, for it doesn’t trust the server’s certificate. Whoever runs the server can give it one that is trusted',
      elsewhere: (host: string) =>
        `passkeys of this server belong to ${host}; open this page at that address`,
      unsupported: 'this browser has no passkeys on this device',
      other: (reason: string) => `the browser could not do it (${reason})`,
    },
  },
  provider: {
    /** Before the name of the provider. */
    button: 'Continue with',
    reading: 'Asking who you are there',
    failed: 'You could not be signed in',
    confirmed:
      'It is confirmed that it is you, for ten minutes. What you were about to do is not done yet: do it again.',
  },
  forgot: {
    link: 'Forgot the password?',
    title: 'Another password',
    explained: 'A link by which you choose another password is sent to the e-mail address of your account.',
    button: 'Send the link',
    sentTo: 'If there is an account with this address, a link is on its way to it:',
    sent: 'It is good for an hour, and once. If nothing comes, look among the junk, and wait five minutes before you ask again.',
  },
  setup: {
    title: 'Make the first account',
    explained: 'It will be an operator’s: it sees the whole server and invites others.',
    button: 'Make the account',
  },
  invite: {
    title: 'Make your account',
    explained: (email: string | undefined) =>
      email === undefined
        ? 'You were invited to this server.'
        : 'You were invited to this server by this address.',
    button: 'Make the account',
  },
  reset: {
    title: 'Choose a new password',
    explained: (email: string) =>
      `For ${email}. Every session of the account ends. A second factor, passkeys, connected sign-ins and tokens stay.`,
    button: 'Change the password',
  },
  link: {
    title: 'Link',
    until: (time: string) => `This link is good until ${time}, and once.`,
    reading: 'Asking the server what this link is good for',
    unusable: 'This link can’t be used',
    missing: 'The part behind # is missing. Open the link once more, as it was given to you.',
    commands: 'Whoever runs this server can make another one:',
    command: {
      setup: 'sheaf account setup-link',
      invite: 'sheaf account create EMAIL',
    },
  },
  apps: {
    title: 'Apps',
    reading: 'Reading the list of your apps',
    none: 'No apps yet',
    noneExplained: 'An app holds collections of documents and the keys that open it.',
    role: { owner: 'yours', editor: 'you may edit', viewer: 'you may look' },
    sharedBy: (owner: string) => `shared by ${owner}`,
    ofOperator: 'of this server’s operator',
    made: 'made',
  },
  account: {
    menu: 'Account',
    page: 'Your account',
    server: 'Server',
    scheme: 'Colours',
    schemes: { system: 'As the system', light: 'Light', dark: 'Dark' },
    signOut: 'Sign out',
  },
  ended: {
    title: 'Your session has ended',
    explained: 'Sign in to go on where you are. What is on this page is kept.',
  },
  passwordRequired: {
    title: 'Your password once more',
    explained: 'It was last given more than ten minutes ago, and this must be yours to do.',
    button: 'Go on',
    otherTitle: 'Confirm that it is you',
    otherExplained: 'You showed it last more than ten minutes ago, and this must be yours to do.',
    notGiven: 'Nothing was done: it has to be confirmed that it is you.',
  },
  disk: {
    low: (free: string, all: string) => `The server’s disk is nearly full: ${free} of ${all} are free.`,
    critical: (free: string, all: string) =>
      `The server’s disk is about to be full: ${free} of ${all} are free. Without room nothing can be saved, and nothing deleted.`,
    link: 'See what takes room',
  },
  alerts: {
    told: 'The server needs you:',
    more: (count: string) => `(and ${count} more)`,
    link: 'See the alerts',
  },
  notFound: {
    title: 'There is nothing at this address',
    explained: 'It may have been mistyped, or what it showed was deleted.',
  },
  notLoaded: {
    title: 'This could not be loaded',
    explained: 'The server may be away, or have a newer dashboard than this page.',
    part: 'The server may be away, or have a newer dashboard than this page. What is on it is kept: copy what you typed, then load it again.',
    button: 'Load the page again',
  },
  failed: {
    title: 'This page failed',
    explained: 'That is a mistake in the dashboard. The others still work.',
    part: 'That is a mistake in the dashboard. What is on this page is kept.',
    answered: 'The server did not do it',
    unreachable:
      'The server does not answer. It may be stopped, or the network is away. What you typed is kept.',
    away: 'The server does not answer. What you see may be old; the server is asked again by itself.',
    noApp: 'There is no such app here. It may have been deleted, or is not shared with you any more.',
    slow: 'This takes longer than it should. The server may be busy.',
  },
} as const

/** A message of the server as a sentence: its first letter is large, unless that is of a name, and it has an end. */
export function sentence(message: string): string {
  const isWord = /^[a-z'’-]+[,:;]?(?:\s|$)/.test(message)
  const told = isWord ? `${message.slice(0, 1).toUpperCase()}${message.slice(1)}` : message
  return `${told}${/[.!?]$/.test(message) ? '' : '.'}`
}

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** @param time in ISO 8601 */
export function localTime(time: string): string {
  return TIME.format(new Date(time))
}

/** @param time in ISO 8601 */
export function localDate(time: string): string {
  return DATE.format(new Date(time))
}

/** Such as `1 key`, `1,204 keys`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`
}

const BYTE_UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const BYTE_FORMATS = BYTE_UNITS.map(
  (unit) => new Intl.NumberFormat(undefined, { style: 'unit', unit, maximumSignificantDigits: 3 }),
)

/** Such as `470 MB`, to three digits: a unit is 1,000 of the one before. */
export function byteCount(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte')
  const power = Math.min(BYTE_UNITS.length, Math.floor(Math.log10(bytes) / 3))
  return BYTE_FORMATS[power - 1]!.format(bytes / 1000 ** power)
}
