import type { IncomingMessage } from 'node:http'
import type { Visit } from '../../analytics/request-facts.ts'
import type { Operation } from '../../analytics/traffic.ts'
import type { AppError } from '../../errors.ts'
import type { OpenSpan } from '../../tracing/tracer.ts'
import type { BodyMemoryLimit } from './body-memory-limit.ts'

/** What is kept of an open request beside what Node keeps: for its answer, the log and the bounds. */
export interface RequestState {
  readonly id: string
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The name of the key that was accepted; never the key. */
  keyName?: string
  /** The e-mail of the account that was let in to documents. */
  account?: string
  /** Whether it is for the dashboard, which no page of another origin may read. */
  isDashboard: boolean
  /** What of sites its host is for: the slug of an app, or nothing where it is none's; undefined for the server's own. */
  site?: string
  /** Where it is traced. */
  readonly span?: OpenSpan | undefined
  /** Where the request comes from; noted for the log alone. */
  address?: string
  /** What it is counted for, by ids: an app, and a key that was let in to it. */
  app?: string
  key?: string
  /** Of that app, as the path names it. */
  collection?: string
  operation?: Operation
  /** Documents that its answer has, as far as it was sent, and those that it wrote. */
  readDocuments: number | (() => number)
  writtenDocuments: number
  /** Of an error, which it was answered with. */
  errorCode?: string
  /** Where its answer is a page of a site that somebody looks at. */
  visit?: Visit
  /** Bytes of its body that were read. */
  requestBytes: number
  /** Bytes of the answer's body that were handed over. */
  responseBytes: number
  /** Whether its client had gone before its answer broke off. */
  isAbandoned?: boolean
  /** Bytes that its body takes from the budget. */
  heldBytes: number
  /** Bytes that it takes from the budget of memory. */
  heldMemory: number
  readonly bodyMemory: BodyMemoryLimit
  /** Whether more requests may come while its answer is on its way. */
  readonly mayPipeline: boolean
  /** Why it was refused before all of it had come, so that it is not done. */
  refusal?: AppError
  /** While its body is read: ends that with an error. */
  giveUp?: ((error: unknown) => void) | undefined
  /** Whether its body may take longer than other requests, because it is worked off as it comes. */
  isStreamed?: boolean
  /** Whether its answer carries `Strict-Transport-Security`. */
  readonly isStrict: boolean
  /** Whether the connection ends with its answer, so that nothing behind it may be looked at. */
  closeAfter: boolean
}

const STATE = Symbol('state')

type WithState = IncomingMessage & { [STATE]?: RequestState }

export function attachState(request: IncomingMessage, state: RequestState): void {
  ;(request as WithState)[STATE] = state
}

/** Every request that came through `RequestLifecycle` has one. */
export function stateOf(request: IncomingMessage): RequestState {
  return (request as WithState)[STATE]!
}

/** A request that waits for those before it has none yet. */
export function hasState(request: IncomingMessage): boolean {
  return (request as WithState)[STATE] !== undefined
}
