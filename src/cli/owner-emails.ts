import type { OwnerContext } from '../operations/context.ts'
import { table } from './output.ts'

interface Owned {
  /** An account, by its id; null for the operator's. */
  readonly owner: string | null
}

/**
 * Whose each of these is, by the account's e-mail, or by its id where it is gone; undefined for the operator's. Few
 * servers have accounts, and their commands are to read nothing more.
 */
export async function ownerEmails(
  { control }: OwnerContext,
  records: readonly Owned[],
): Promise<(string | undefined)[]> {
  if (records.every(({ owner }) => owner === null)) return records.map(() => undefined)
  const emails = new Map((await control.listAccounts()).map(({ id, email }) => [id, email]))
  return records.map(({ owner }) => (owner === null ? undefined : (emails.get(owner) ?? owner)))
}

/** A table with a column of owners, where not all is the operator's. */
export function tableWithOwners(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  owners: readonly (string | undefined)[],
): string {
  if (owners.every((owner) => owner === undefined)) return table(head, rows)
  return table(
    [...head, 'OWNER'],
    rows.map((row, index) => [...row, owners[index] ?? 'the operator']),
  )
}
