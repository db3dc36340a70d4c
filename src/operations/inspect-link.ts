import type { Link, LinkTarget } from '../storage/account-records.ts'
import type { AccountsContext } from './context.ts'
import { endedLink, findOpenLink } from './find-open-link.ts'

export interface InspectedLink {
  readonly purpose: LinkTarget['purpose']
  /** The one address that an invitation is for, or that of the account that gets another password. */
  readonly email?: string
  /** Milliseconds since the Unix epoch. */
  readonly until: number
}

/** What a link is good for, which uses nothing of it up. @throws AppError `invalid_link` */
export async function inspectLink(
  context: Pick<AccountsContext, 'accounts'>,
  { secret }: { readonly secret: string },
): Promise<InspectedLink> {
  const link = await findOpenLink(context, secret)
  const email = await emailOf(context, link)
  return { purpose: link.purpose, until: link.until, ...(email !== null && { email }) }
}

async function emailOf({ accounts }: Pick<AccountsContext, 'accounts'>, link: Link): Promise<string | null> {
  if (link.purpose === 'setup') return null
  if (link.purpose === 'invite') return link.email
  const account = await accounts.findAccount({ id: link.account })
  if (account === undefined) throw endedLink()
  return account.email
}
