/** The words of the page for operators. */
export const SERVER_TEXTS = {
  title: 'Server',
  forOperators: 'Only an operator of this server sees this page. Ask whoever runs it.',
  accounts: {
    title: 'Accounts',
    reading: 'Reading the accounts',
    you: 'you',
    operator: 'operator',
    search: 'Search by e-mail',
    noneFound: 'No account has this in its e-mail.',
    more: 'Show more accounts',
    columns: { email: 'E-mail', name: 'Name', factor: 'Second factor', made: 'Made', acts: 'Actions' },
    hasFactor: 'on',
    noFactor: 'off',
    reset: 'Make a reset link',
    resetOf: (email: string) => `Make a reset link for ${email}`,
    resetMade: (email: string, until: string) =>
      `Give this link to ${email}: another password can be chosen by it, once, until ${until}. It is shown this once.`,
    resetLabel: 'the reset link',
    disable: 'Take the second factor away',
    disableOf: (email: string) => `Take the second factor of ${email} away`,
    disableExplained: (email: string) =>
      `The password alone will sign in to ${email}. All of its sessions end, and its recovery codes go.`,
    waysIn: 'Remove all ways in',
    waysInOf: (email: string) => `Remove all ways in to ${email}`,
    waysInExplained: (email: string) =>
      `For when somebody else got into ${email}. Its password, passkeys, connected sign-ins and tokens go, and all of its sessions end. You get a link to hand over, by which it gets another password. A second factor stays, as do API keys.`,
    delete: 'Delete',
    deleteOf: (email: string) => `Delete the account ${email}`,
  },
  invitation: {
    title: 'Invite somebody',
    note: 'A link by which they make an account, to be handed over.',
    email: 'E-mail, if the link is for one address alone',
    isOperator: 'as an operator, who sees the whole server',
    send: 'and send it to this address by mail',
    button: 'Make an invitation link',
    made: (until: string, sentTo: string | undefined) =>
      `The link is good once, until ${until}. It is shown this once.${
        sentTo === undefined
          ? ''
          : ` It is being sent to ${sentTo}, too; where no mail comes, hand it over yourself.`
      }`,
    label: 'the invitation link',
  },
  mail: {
    title: 'Mail',
    note: 'Links to another password, invitations, and notices of what was changed of an account.',
    off: 'This server sends no mail. It does when it is started with SHEAF_SMTP_URL, --mail-from and --public-url.',
    server: 'Mail server',
    security: 'Connection',
    securities: { tls: 'TLS', starttls: 'TLS by STARTTLS', none: 'without TLS, on this machine' },
    from: 'From',
    button: 'Send a test message',
    sent: 'The mail server took it, for',
  },
  facts: {
    reading: 'Reading how the server is',
  },
  storage: {
    title: 'Storage',
    note: 'By the sizes of files. A log is what was written and is not yet in its database’s file.',
    disk: 'Disk',
    free: (free: string, all: string) => `${free} free of ${all}`,
    level: { low: 'nearly full', critical: 'about to be full' },
    room: {
      title: 'Make room before it is full',
      explained:
        'On a full disk reads go on. All that writes is refused: saves, also deletes and drops, and signing in.',
      ways: [
        'Remove deleted apps: their owners do so below their apps, before the seven days are over.',
        'Empty the bins of apps, on the pages of their data. What is free in their files then is used before these grow; sheaf compact gives it back to the disk, while the server is stopped.',
        'Move old backups to another disk, if their folder is on this one.',
        'Make the disk larger, or move what else is on it.',
      ],
    },
    apps: 'Apps',
    ofApps: (count: string, bytes: string, log: string) => `${count}, ${bytes} and ${log} in logs`,
    control: 'Accounts, apps, keys and audit trail',
    ofControl: (bytes: string, log: string) => `${bytes} and ${log} in the log`,
    largest: 'The largest apps',
    none: 'No apps yet.',
    columns: { app: 'App', owner: 'Owner', size: 'Size', log: 'Log' },
    ofOperator: 'the operator',
    deleted: 'deleted',
  },
  health: {
    title: 'Health',
    ready: 'Requests',
    isReady: 'are answered',
    isNotReady: 'are refused: the server is overloaded, or can’t read its apps and keys',
    asking: 'asking',
    started: 'Started',
    version: 'Version',
    of: (version: string, node: string, system: string) => `Sheaf ${version} on Node.js ${node}, ${system}`,
    threads: 'Threads',
    ofThreads: (http: string, readers: string) => `${http} for HTTP, ${readers} that read documents`,
    memory: 'Memory',
    ofMemory: (used: string, most: string) => `${used} used; it may use ${most}`,
  },
  certificates: {
    title: 'Certificates',
    note: 'What is served to browsers and programs.',
    names: 'For',
    issuer: 'Issued by',
    ends: 'Ends',
    ended: (day: string) => `It ended on ${day}.`,
    left: (days: string, day: string) => `in ${days}, on ${day}`,
    fingerprint: 'SHA-256 fingerprint',
    source: {
      'self-made': 'Made by this server itself',
      files: 'Given to this server as files',
      acme: 'Got from an authority by ACME',
    },
    renewal: {
      'self-made':
        'The server makes it anew when less than 30 days are left. Programs that keep a copy of it need the new one then.',
      files:
        'Put the new certificate and its key in the place of these files before it ends. The server takes them up within seconds, without a restart.',
      acme: 'The server renews it by itself. If it ends in less than 21 days, look in the log for why that failed.',
    },
  },
  secrets: {
    title: 'Secrets of tokens',
    note: 'Programs make tokens from API keys, which the server signs. A new secret ends nothing by itself; keys go on in any case.',
    reading: 'Reading by which secrets tokens are signed',
    current: 'signs new tokens',
    until: (day: string) => `its tokens end by ${day}`,
    columns: { kid: 'Secret', state: 'State' },
    rotate: {
      button: 'Sign with a new secret',
      explained:
        'New tokens are signed with another secret. Those that there are go on until they end: do this now and then.',
    },
    end: {
      button: 'End all tokens',
      explained:
        'Every token of every key on this server gets 401 within a second: of all apps and all accounts. Programs make new ones from their keys. There is no undo.',
    },
    done: 'Done. It holds within a second.',
  },
  audit: {
    title: 'Audit trail',
    note: 'Who changed what on this server, the newest first.',
  },
} as const
