import type { Kysely, Transaction } from 'kysely'
import type { Show } from '../account-changes.ts'
import type { Actor } from '../account-store.ts'
import type { AccountDatabase } from './account-database.ts'
import { type AuditedChange, insertAuditEntry } from './audit.ts'
import { requireOpenSession } from './sessions.ts'
import type { Tables } from './tables.ts'

/** What a change did, for whoever asked for it and for the audit trail. */
export interface Change<Result> extends AuditedChange {
  readonly result: Result
  /** Whether it is one of apps, keys or token secrets, which every thread keeps. */
  readonly isOfDirectory?: boolean
}

type Work<Result> = (change: Transaction<Tables>) => Promise<Result>

/** How everything is read and changed: one after the other, and whole. */
export class AuditedTransactions {
  private readonly database: AccountDatabase
  private readonly now: () => number

  constructor(database: AccountDatabase, now: () => number) {
    this.database = database
    this.now = now
  }

  /** @throws AppError */
  async read<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.database.kysely)
    } catch (error) {
      throw this.database.errorOf(error)
    }
  }

  /** Reads everything as it is at one moment. */
  snapshot<Result>(work: Work<Result>): Promise<Result> {
    return this.read((db) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    )
  }

  /** A change of which nobody has to be told. */
  write<Result>(work: Work<Result>): Promise<Result> {
    return this.read((db) =>
      db.transaction().execute(async (change) => {
        await this.database.lockChanges(change)
        return work(change)
      }),
    )
  }

  /**
   * One change and its line in the audit trail: both are done, or neither. What has to be shown before is made first on
   * trial: showing it may take long, and nobody else could write meanwhile.
   * @throws AppError `invalid_credentials` where the actor's session has ended
   */
  async change<Result>(actor: Actor, make: Work<Change<Result>>, show?: Show<Result>): Promise<Result> {
    const work = async (change: Transaction<Tables>): Promise<Change<Result>> => {
      if (typeof actor !== 'string' && actor.session !== undefined)
        await requireOpenSession(change, actor.session)
      return make(change)
    }
    if (show !== undefined) show(await this.tryOut(work))
    return this.write(async (change) => {
      const { result, isOfDirectory = false, ...audited } = await work(change)
      await this.note(change, audited, actor)
      if (isOfDirectory) {
        await change
          .updateTable('directory_version')
          .set(({ eb }) => ({ version: eb('version', '+', 1n) }))
          .execute()
        await this.database.announce(change)
      }
      return result
    })
  }

  /** Adds a line to the audit trail, as a part of a change. */
  note(change: Kysely<Tables>, audited: AuditedChange, actor: Actor): Promise<void> {
    return insertAuditEntry(change, audited, { actor, at: this.now() })
  }

  private tryOut<Result>(work: Work<Change<Result>>): Promise<Result> {
    return this.read(async (db) => {
      const trial = await db.startTransaction().execute()
      try {
        await this.database.lockChanges(trial)
        return (await work(trial)).result
      } finally {
        await trial.rollback().execute()
      }
    })
  }
}
