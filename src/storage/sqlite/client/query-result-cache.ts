import type { CollectionAddress } from '../../store.ts'
import { collectionSlot, type ReadVersions, type SeqlockTable } from '../protocol/seqlock-table.ts'
import { VersionedCache } from './versioned-cache.ts'

/** Units of text that a question may have; longer ones are rarely asked twice. */
const QUESTION_LENGTH = 2 * 1024
/** Questions that are remembered after they were asked once. */
const ASKED_ONCE = 1000

interface QueryResultCacheOptions<Answer> {
  readonly mostBytes: number
  readonly versions: SeqlockTable
  /** An answer as it is kept, with the bytes that it takes; undefined where it can't be kept. */
  readonly toKeep: (answer: Answer) => { readonly value: Answer; readonly bytes: number } | undefined
}

/**
 * Whole answers about collections, good as long as no write to the collection has begun to be committed. One is kept
 * when the same is asked a second time of the same state, so that what is asked once pushes nothing out.
 */
export class QueryResultCache<Answer> {
  private readonly versions: SeqlockTable
  private readonly toKeep: QueryResultCacheOptions<Answer>['toKeep']
  private readonly cache: VersionedCache<Answer>
  private readonly askedOnce = new Map<string, ReadVersions>()

  constructor({ versions, toKeep, mostBytes }: QueryResultCacheOptions<Answer>) {
    this.versions = versions
    this.toKeep = toKeep
    this.cache = new VersionedCache(versions, mostBytes)
  }

  /**
   * The answer to a question about a collection, at once where it is kept.
   * @param question all that the answer depends on beside the data; without one nothing is kept
   * @param read asks storage threads, which begin to read when they get to it and not before
   */
  get(
    address: CollectionAddress,
    question: string | undefined,
    read: () => Promise<Answer>,
  ): Answer | Promise<Answer> {
    if (question === undefined || question.length > QUESTION_LENGTH) return read()
    const key = `${address.app}/${address.collection}/${question}`
    return this.cache.get(key) ?? this.readThrough(key, collectionSlot(address), read)
  }

  /** Forgets the answers about apps that are no more. */
  keepOnly(apps: ReadonlySet<string>): void {
    this.cache.deleteWhere((key) => !apps.has(key.slice(0, key.indexOf('/'))))
  }

  private async readThrough(key: string, slot: number, read: () => Promise<Answer>): Promise<Answer> {
    const version = this.versions.beginRead([slot])
    if (version === undefined || !this.isRepeated(key, version)) return read()
    const answer = await read()
    const made = this.toKeep(answer)
    if (made !== undefined)
      this.cache.set(key, { value: made.value, bytes: made.bytes + 2 * key.length, version })
    return answer
  }

  private isRepeated(key: string, version: ReadVersions): boolean {
    const earlier = this.askedOnce.get(key)
    this.askedOnce.delete(key)
    if (earlier !== undefined && this.versions.isCurrent(earlier)) return true
    this.askedOnce.set(key, version)
    if (this.askedOnce.size > ASKED_ONCE) this.askedOnce.delete(this.askedOnce.keys().next().value!)
    return false
  }
}
