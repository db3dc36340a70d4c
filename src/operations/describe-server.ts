import { type DiskLevel, diskLevel } from '../domain/disk-level.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { DatabaseBytes, ProcessFacts, StorageFacts } from '../domain/server-facts.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { AccountStore } from '../storage/account-store.ts'
import { requireOperator } from './authorise-caller.ts'
import type { AccountsContext, Caller } from './context.ts'
import { findOwnerEmails } from './find-owner-emails.ts'

/** Apps that are told of one by one: the largest. */
const TOLD_APPS = 20

interface DescribedCertificate {
  readonly source: string
  readonly names: readonly string[]
  readonly issuer: string
  readonly validFrom: string
  readonly validTo: string
  readonly fingerprint: string
}

export interface LargeApp extends DatabaseBytes {
  readonly slug: string
  /** The e-mail of the account whose it is; null for the operator's. */
  readonly owner: string | null
  /** Whether it is deleted, and can be restored still. */
  readonly isDeleted: boolean
}

export interface DescribedServer {
  readonly process: Omit<ProcessFacts, 'startedAt'> & { readonly startedAt: string }
  readonly certificates: readonly DescribedCertificate[]
  /** Null where the server sends none. */
  readonly mail: MailService['server'] | null
  readonly storage: Pick<StorageFacts, 'freeBytes' | 'diskBytes' | 'control'> & {
    /** How near its disk is to being full. */
    readonly level: DiskLevel
    /** All together. */
    readonly apps: DatabaseBytes & { readonly count: number }
    /** 20 at most, the largest first. */
    readonly largestApps: readonly LargeApp[]
  }
}

/**
 * How the server is: its process, the certificates that it serves, and what its data takes. No document is read for it.
 * @throws AppError `permission_denied`, `store_unavailable`
 */
export async function describeServer(
  { accounts, server, limits, mail }: Pick<AccountsContext, 'accounts' | 'server' | 'limits' | 'mail'>,
  caller: Caller,
): Promise<DescribedServer> {
  requireOperator(caller)
  const { startedAt, ...process } = server.process()
  const { apps, ...storage } = await server.storage()
  const sizes = [...apps.values()]
  return {
    process: { ...process, startedAt: isoTime(startedAt) },
    certificates: server.certificates().map(({ validFrom, validTo, ...facts }) => ({
      ...facts,
      validFrom: isoTime(validFrom),
      validTo: isoTime(validTo),
    })),
    mail: mail?.server ?? null,
    storage: {
      ...storage,
      level: diskLevel(storage, limits),
      apps: {
        count: apps.size,
        bytes: sum(sizes.map(({ bytes }) => bytes)),
        walBytes: sum(sizes.map(({ walBytes }) => walBytes)),
      },
      largestApps: await largestApps(accounts, apps),
    },
  }
}

/** Without those whose files are about to be removed. */
async function largestApps(
  accounts: Pick<AccountStore, 'listApps' | 'listDeletedApps' | 'findAccount'>,
  sizes: StorageFacts['apps'],
): Promise<LargeApp[]> {
  const apps = [
    ...(await accounts.listApps()).map((app) => ({ ...app, isDeleted: false })),
    ...(await accounts.listDeletedApps()).map((app) => ({ ...app, isDeleted: true })),
  ]
  const total = ({ id }: { readonly id: string }): number => {
    const { bytes = 0, walBytes = 0 } = sizes.get(id) ?? {}
    return bytes + walBytes
  }
  const largest = apps
    .filter(({ id }) => sizes.has(id))
    .sort((one, other) => total(other) - total(one))
    .slice(0, TOLD_APPS)
  const emails = await findOwnerEmails(accounts, largest)
  return largest.map(({ id, slug, owner, isDeleted }) => ({
    ...sizes.get(id)!,
    slug,
    owner: emails.get(owner) ?? null,
    isDeleted,
  }))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
