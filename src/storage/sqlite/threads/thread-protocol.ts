import type { MessagePort } from 'node:worker_threads'
import type { DocumentId } from '../../../domain/document.ts'
import type { Limits } from '../../../domain/limits.ts'
import type { Failure } from '../protocol/failures.ts'
import type {
  ControlRequest,
  LeftWorkRequest,
  PackableWriteRequest,
  ReadRequest,
} from '../protocol/requests.ts'
import type { SeqlockCells } from '../protocol/seqlock-table.ts'
import type { StepRequest } from '../protocol/upkeep-requests.ts'

/** What a storage thread is started with. */
export interface ThreadSettings {
  readonly dataDir: string
  readonly limits: Limits
  readonly serviceNames: readonly string[]
  /** Apps whose files the thread keeps open. */
  readonly openApps: number
  /** Memory for pages of their files. */
  readonly pageBytes: number
  /**
   * One cell: the number of the request that the thread is working on, 0 between requests and while it commits, or
   * `GIVEN_UP`.
   */
  readonly progress: Int32Array<SharedArrayBuffer>
  /** By which the writer says what it changes. */
  readonly versions: SeqlockCells
  /** Whether the threads that others wait for go first when the processors are busy. */
  readonly isLowPriority: boolean
}

/**
 * Requests or replies that are sent at once, though more may follow: whoever gets them begins while the rest is still
 * being made. Each message costs some microseconds, so that one for each would be too much.
 */
export const MOST_TOGETHER = 8

/** Bits of a request's number that its client counts in; those above are the client's own number. */
const COUNTED_BITS = 24
/** Clients that a storage thread may have, as many as there is room for in 31 bits. */
export const MOST_CLIENTS = 127

/** The number after `last` of a client's requests, which no other client's has; it comes round after 2^24. */
export function nextNumber(client: number, last: number): number {
  const most = 2 ** COUNTED_BITS - 1
  const counted = last & most
  return client * 2 ** COUNTED_BITS + (counted % most) + 1
}

/** Whose request has the number. */
export function clientOf(number: number): number {
  return number >> COUNTED_BITS
}

/**
 * A request with the number by which its reply is known and the time (`monotonicMs`) since which it waits. Requests
 * travel in arrays, at the end of a turn of the event loop or when there are `MOST_TOGETHER`.
 */
export type Numbered<Request> = readonly [id: number, request: Request, since: number]

export type ThreadRequest =
  | ReadRequest
  | LeftWorkRequest
  | PackableWriteRequest
  | StepRequest
  | ControlRequest

export type Reply =
  | readonly [id: number, value: unknown]
  | readonly [id: number, value: undefined, failure: Failure]

/** What travels: requests by themselves, or reads of single documents with their numbers, flat, which costs a third. */
export type RequestMessage = readonly Numbered<ThreadRequest>[] | readonly FlatItem[]
/** Replies that failed by themselves, or the others: each number and its value. */
export type ReplyMessage = readonly Reply[] | readonly unknown[]

type FlatItem = DocumentId

/** The messages that carry some requests; those of a kind keep their order. */
export function packRequests(requests: readonly Numbered<ThreadRequest>[]): RequestMessage[] {
  const flat: FlatItem[] = []
  const others: Numbered<ThreadRequest>[] = []
  for (const numbered of requests) {
    const [id, request] = numbered
    if (request.kind === 'get' && request.projection === undefined)
      flat.push(id, request.app, request.collection, request.ids.length, ...request.ids)
    else others.push(numbered)
  }
  return [flat, others].filter(({ length }) => length > 0)
}

export function unpackRequests<Request>(message: RequestMessage): readonly Numbered<Request>[] {
  if (typeof message[0] !== 'number') return message as readonly Numbered<never>[]
  const flat = message as readonly FlatItem[]
  const requests: Numbered<ThreadRequest>[] = []
  for (let at = 0; at < flat.length; ) {
    const [id, app, collection, count] = flat.slice(at, at + FLAT_HEAD) as [number, string, string, number]
    at += FLAT_HEAD
    requests.push([id, { kind: 'get', app, collection, ids: flat.slice(at, at + count) }, 0])
    at += count
  }
  return requests as readonly Numbered<unknown>[] as readonly Numbered<Request>[]
}

/** Number, app, collection, count of ids. */
const FLAT_HEAD = 4

/** The messages that carry some replies to one client. */
export function packReplies(replies: readonly Reply[]): ReplyMessage[] {
  const flat: unknown[] = []
  const failed: Reply[] = []
  for (const reply of replies)
    if (reply.length === 3) failed.push(reply)
    else flat.push(reply[0], reply[1])
  return [flat, failed].filter(({ length }) => length > 0)
}

/** Tells of each reply in a message. */
export function unpackReplies(
  message: ReplyMessage,
  {
    onValue,
    onFailure,
  }: {
    readonly onValue: (id: number, value: unknown) => void
    readonly onFailure: (id: number, failure: Failure) => void
  },
): void {
  if (typeof message[0] !== 'number') {
    for (const [id, , failure] of message as readonly Extract<Reply, { length: 3 }>[]) onFailure(id, failure)
    return
  }
  for (let at = 0; at < message.length; at += 2) onValue(message[at] as number, message[at + 1])
}

/**
 * Put where a thread shows its progress, instead of the number of the request that it has spent too long on: from then on
 * it commits nothing more.
 */
export const GIVEN_UP = -1

/** What was lost with a thread; all else that it left unanswered is done by the one that takes its place. */
export interface LostRequests {
  /** The number of a request, whoever's it was; or all writes; or everything. */
  readonly what: number | 'writes' | 'everything'
  readonly failure: Failure
}

/** A client's way to a storage thread: one that is new, or has taken the place of another. */
export interface ThreadEndpoint {
  /** Which of the storage threads. */
  readonly thread: number
  readonly port: MessagePort
  /** What was lost with the thread before this one. */
  readonly lost?: LostRequests
}

/** What a thread says of itself to whoever started it. */
export type ThreadEvent =
  | { readonly event: 'ready' }
  | { readonly event: 'closed' }
  /** The process has as many files open as it may. */
  | { readonly event: 'scarce' }

/** Asks a thread to finish what it has taken, close its files and end. */
export const CLOSE = 'close'
/** Asks a thread to close every file that it can open again. */
export const RELEASE = 'release'
/** Tells a thread which apps there are, so that it lets go of the others. */
export interface AppsMessage {
  readonly apps: readonly string[]
}
/** Gives a thread one more client. */
export interface ConnectMessage {
  readonly client: number
  readonly port: MessagePort
}

/** Tells the writer that the threads which it replaces are gone: the versions may be trusted from here on. */
export interface RevalidateMessage {
  /** What `SeqlockTable.invalidateAll` answered. */
  readonly revalidate: number
}

/** What a thread is told by whoever started it. */
export type ThreadMessage = AppsMessage | ConnectMessage | RevalidateMessage | typeof CLOSE | typeof RELEASE
