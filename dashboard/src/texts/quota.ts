import { byteCount, counted } from '../texts.ts'

/** What an amount is called. */
const AMOUNTS = {
  apps: (count: number) => counted(count, 'app'),
  keys: (count: number) => counted(count, 'key'),
  bytes: byteCount,
  requestsPerDay: (count: number) => counted(count, 'request'),
} as const

/** The words about what accounts may have. */
export const QUOTA_TEXTS = {
  names: { apps: 'Apps', keys: 'API keys', bytes: 'Storage', requestsPerDay: 'Requests a day' },
  fields: { apps: 'Apps', keys: 'API keys', bytes: 'Storage, in MB', requestsPerDay: 'Requests a day' },
  noLimit: 'no limit',
  limit: (name: keyof typeof AMOUNTS, most: number) => AMOUNTS[name](most),
  problem: 'Type a whole number, or none.',
  bytesProblem: 'Type a number, such as 500 or 2.5, or none.',
  forAll: {
    title: 'What an account may have',
    note: 'Holds for every account but operators. What is there already stays; only more is refused.',
    reading: 'Reading what an account may have',
    button: 'Change what an account may have',
    explained:
      'Deleted apps count until they are removed for good. A field that is left empty is no limit. An account with limits of its own keeps these.',
    hint: 'empty: no limit',
  },
  ofOne: {
    button: 'Limits',
    buttonOf: (email: string) => `Limits of ${email}`,
    title: 'What this account may have',
    explained: (email: string) =>
      `For ${email} alone. A field that is left empty is as for all accounts; none is no limit. What is there already stays.`,
    save: 'Save the limits',
    has: (used: string | undefined, all: string) =>
      used === undefined ? `empty: as for all, ${all}` : `it has ${used}; empty: as for all, ${all}`,
  },
  own: {
    title: 'What you may have',
    note: 'As the operator of this server says. What would be more is refused; ask them if you need it.',
    used: (name: keyof typeof AMOUNTS, used: number | null, most: number) => {
      if (used === null) return `not measured yet, of ${AMOUNTS[name](most)}`
      const left = used >= most ? '; nothing is left' : ''
      return `${name === 'bytes' ? byteCount(used) : used.toLocaleString()} of ${AMOUNTS[name](most)}${left}`
    },
    notes: {
      apps: 'Deleted apps count until they are removed for good.',
      keys: '',
      bytes:
        'Documents, indexes and files of sites. Measured every 30 seconds; what is deleted makes room, once it is in no bin and of no app that can be restored.',
      requestsPerDay: 'To your apps and sites, but not by these pages. The day ends at midnight by UTC.',
    },
  },
} as const
