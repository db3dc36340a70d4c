/** The words of what holds for all keys of an app. */
export const SECURITY_TEXTS = {
  title: 'Security',
  explained:
    'What holds for every key of this app, beside the rules of the key itself. The dashboard and commands on the server are not bound by it, but by the size of documents.',
  reading: 'Reading what holds for all keys',
  sums: 'What holds for all keys',
  free: 'Nothing is set that holds for all keys: each may do what its own rules say.',
  onlyLook: 'Only the owner of the app changes this.',
  damaged: (what: string) =>
    `No key of this app works now, for of its settings ${what}. Choose below what shall hold of each; nothing is saved before. With any part all of them are saved.`,
  asItStands: (what: string) => `Set ${what} as it stands here`,
  unchosen: (what: string) => `First choose what shall hold of: ${what}.`,
  settings: {
    websites: 'the websites',
    localhost: 'pages on localhost',
    addresses: 'the addresses',
    rate: 'the rate',
    documentBytes: 'the size of documents',
    keyDefaults: 'what new keys begin with',
  },
  /** Before what would hold then. */
  ifSaved: 'If this is saved:',
  save: 'Save',
  saved: 'Saved. It holds within a second.',
  nothingToSave: 'Nothing to save.',
  websites: {
    title: 'Websites',
    label: 'On which websites keys may be used',
    hint: 'One a line: example.com, https://example.com:8443 or *.example.com. Empty means any, and programs. With an entry, only pages get in; this limits browsers, not programs that say they are one.',
    localhost: 'Pages on localhost, too',
  },
  addresses: {
    title: 'Addresses',
    label: 'From which addresses keys may be used',
    hint: 'One a line: 192.0.2.7 or 192.0.2.0/24, IPv6 too. Empty means any.',
    outside: (address: string) =>
      `Your address ${address} is not in the list: keys would not work from here. The dashboard still does.`,
  },
  rate: {
    title: 'Rate',
    label: 'How often all keys together may be used',
    hint: 'Such as 600/min or 50/s. Empty means as often as they like. What is over it gets 429.',
  },
  size: {
    title: 'Size of documents',
    label: 'Bytes of one document at most',
    problem: (most: string) => `Type digits alone, for a number from 1 to the ${most} that the server takes.`,
    hint: (most: string) =>
      `Empty means what the server takes: ${most}. It counts for whoever writes, also on these pages; what is stored already stays.`,
  },
  defaults: {
    title: 'New keys',
    explained:
      'What a new key begins with; whoever makes it may change that, and keys that are there stay as they are. On the page it begins with read alone as long as May do has all four here.',
  },
  tokens: {
    title: 'End all tokens',
    explained:
      'Ends every token that was made from a key of this app, such as after a leak. The keys themselves go on.',
    lost: 'Whatever uses a token of these keys gets 401 within a second, until it makes a new one from its key. Keys that open other apps as well lose their tokens there, too. There is no undo.',
    button: 'End all tokens of the app',
    done: 'Done: every token that was made from these keys until now is void.',
  },
} as const
