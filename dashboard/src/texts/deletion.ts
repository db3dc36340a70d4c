import { counted } from '../texts.ts'

/** The words before an account is deleted. */
export const DELETION_TEXTS = {
  title: 'Delete the account',
  explained: (email: string) =>
    `This deletes the account ${email} with its sessions and tokens. There is no undo.`,
  fate: 'What becomes of its apps',
  fates: {
    operator: 'They become this server’s operator’s, with their documents',
    delete: 'They are deleted with all of their documents',
  },
  onlyDelete: 'An operator of this server can delete the account and keep its apps.',
  app: ({ keys, shares }: { keys: number; shares: number }) =>
    `${counted(keys, 'key')}, shared with ${counted(shares, 'account')}`,
  noApps: 'It owns no apps.',
  keys: (keys: number) => `It has ${counted(keys, 'key')}.`,
  shared: (apps: number) => `${counted(apps, 'app')} shared with it will stay as they are.`,
  button: 'Delete the account',
} as const
