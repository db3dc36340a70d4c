import type { CollectionAddress, StoredDocument } from '../documents-api.ts'

/** What somebody has typed of a document and not saved yet. */
export interface Draft {
  readonly text: string
  /** The document as it was when the typing began; not there of a new one. */
  readonly base?: StoredDocument
}

export interface DraftPlace extends CollectionAddress {
  /** Of the account whose draft it is: another one may sign in in the same window. */
  readonly account: string
  /** JSON text; undefined for a new document. */
  readonly id: string | undefined
}

/** Drafts live as long as the window: through reloads, through the way back, and through another sign-in. */
export class Drafts {
  private readonly key: string
  private readonly storage: Storage

  constructor({ account, slug, collection, id }: DraftPlace, storage: Storage) {
    this.key = `sheaf-draft ${JSON.stringify([account, slug, collection, id ?? null])}`
    this.storage = storage
  }

  read(): Draft | undefined {
    const kept = this.storage.getItem(this.key)
    return kept === null ? undefined : (JSON.parse(kept) as Draft)
  }

  /** Whether there was room for it. */
  keep(draft: Draft): boolean {
    try {
      this.storage.setItem(this.key, JSON.stringify(draft))
      return true
    } catch {
      // The quota of the window, about five million characters.
      this.discard()
      return false
    }
  }

  discard(): void {
    this.storage.removeItem(this.key)
  }
}
