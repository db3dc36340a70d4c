/** The words of the account's own page. */
export const ACCOUNT_TEXTS = {
  title: 'Account',
  reading: 'Reading your account',
  profile: {
    title: 'Profile',
    note: 'You sign in by the e-mail. Others see it where an app is shared.',
    button: 'Save the profile',
    saved: 'Saved.',
  },
} as const
