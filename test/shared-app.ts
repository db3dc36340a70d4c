import type { TokenPermission } from '../src/domain/token-permissions.ts'
import type { AccountCaller } from '../src/operations/context.ts'
import type { AccountRecord } from '../src/storage/account-records.ts'
import { openAccountContext, type TestAccountContext } from './account-context.ts'

/** What an account is to the app `shop`; the operator owns other apps, and has no part in it. */
export const PEOPLE = ['owner', 'editor', 'viewer', 'stranger', 'operator'] as const

export type Person = (typeof PEOPLE)[number]

export interface SharedApp extends TestAccountContext {
  readonly people: Readonly<Record<Person, AccountRecord>>
  /** Somebody in a session, whose password was given so long ago. */
  session(person: Person, agoMs?: number): AccountCaller
  /** The same by a token. */
  token(person: Person, permissions: readonly TokenPermission[]): AccountCaller
}

export const ADDRESS = '192.0.2.7'

/** An app `shop` of an account, shared with two others, over a real store. */
export async function openSharedApp(): Promise<SharedApp> {
  const opened = await openAccountContext()
  const { accounts } = opened.context
  const add = (person: Person) => opened.addAccount(person, { isOperator: person === 'operator' })
  const made = []
  for (const person of PEOPLE) made.push([person, await add(person)] as const)
  const people = Object.fromEntries(made) as Record<Person, AccountRecord>
  const app = await accounts.createApp({ slug: 'shop', owner: people.owner.id }, 'test')
  await accounts.setShare({ app, account: people.editor.id, role: 'editor' }, 'test')
  await accounts.setShare({ app, account: people.viewer.id, role: 'viewer' }, 'test')
  const { now } = opened.clock
  for (const [person, { id }] of made)
    opened.run(
      `INSERT INTO sessions (id, account, hash, created_at, seen_at, authenticated_at, address, user_agent)
       VALUES ('session of ${person}', '${id}', '${person}', ${now}, ${now}, ${now}, '${ADDRESS}', '')`,
    )
  const callerOf = (person: Person) =>
    ({ kind: 'account', account: people[person], address: ADDRESS }) as const
  return {
    ...opened,
    people,
    session(person, agoMs = 0) {
      const times = { createdAt: 0, seenAt: 0, authenticatedAt: opened.clock.now - agoMs }
      const where = { address: ADDRESS, userAgent: '' }
      return {
        ...callerOf(person),
        session: { id: `session of ${person}`, account: people[person].id, ...times, ...where },
      }
    },
    token(person, permissions) {
      const times = { expiresAt: opened.clock.now + 1, createdAt: 0, lastUsedAt: null }
      const token = {
        id: `token of ${person}`,
        account: people[person].id,
        name: 'ci',
        permissions,
        ...times,
      }
      return { ...callerOf(person), token }
    },
  }
}
