import type { GetCommand } from '../../store.ts'
import { anyDocumentSlot, documentSlot, idKey, type SeqlockTable } from '../protocol/seqlock-table.ts'
import { bytesOfText, VersionedCache } from './versioned-cache.ts'

/** Units of JSON text that a document may have to be kept. */
const DOCUMENT_LENGTH = 64 * 1024

/**
 * Texts of documents that were read by their ids, so that reading them again takes no trip to a storage thread. One
 * is good as long as no write that may have touched it has begun to be committed.
 */
export class DocumentCache {
  private readonly versions: SeqlockTable
  private readonly cache: VersionedCache<string>

  constructor(versions: SeqlockTable, mostBytes: number) {
    this.versions = versions
    this.cache = new VersionedCache(versions, mostBytes)
  }

  /**
   * The text of the document that a path names, at once where it is kept.
   * @param read asks a storage thread, which begins to read when it gets to it and not before
   */
  get(
    command: Omit<GetCommand, 'projection'>,
    read: () => Promise<string | undefined>,
  ): string | undefined | Promise<string | undefined> {
    const id = idKey(command.ids[0]!)
    const key = `${command.app}/${command.collection}/${id}`
    const kept = this.cache.get(key)
    if (kept !== undefined) return kept
    if (!this.cache.admits()) return read()
    return this.readThrough(key, [documentSlot(command, id), anyDocumentSlot(command)], read)
  }

  /** Forgets the documents of apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    this.cache.deleteWhere((key) => !apps.has(key.slice(0, key.indexOf('/'))))
  }

  private async readThrough(
    key: string,
    slots: readonly number[],
    read: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const version = this.versions.beginRead(slots)
    const text = await read()
    if (text !== undefined && version !== undefined && text.length <= DOCUMENT_LENGTH)
      this.cache.set(key, { value: text, bytes: bytesOfText(text), version })
    return text
  }
}
