/** The bounds that an operator may move (`config.ts`), each with its unit last. */
export interface Limits {
  /** One document as stored: compact JSON in UTF-8. */
  readonly documentBytes: number
  readonly bodyBytes: number
  /** Levels of objects and arrays, in documents, queries and update bodies. */
  readonly nestingLevels: number
  readonly queryConditions: number
  readonly inValues: number
  readonly urlBytes: number
  readonly bulkDocuments: number
  /** Elements by which one update may lengthen an array beyond its end. */
  readonly arrayPaddingElements: number
  /** Time that one request may spend in the store. */
  readonly queryDeadlineMs: number
  /** Requests that may wait for one storage thread before new ones get 503. */
  readonly queuedRequests: number
  /** Requests that may be open at once, one a connection, before new ones get 503. */
  readonly openRequests: number
  /** How late the event loop may run, on average of the last second, before new requests get 503. */
  readonly eventLoopDelayMs: number
  /** Connections that may be open at once; more are dropped before they cost a handshake. */
  readonly openConnections: number
  /** Of these, from one address of IPv4 or one network of IPv6 (64 bits). */
  readonly addressConnections: number
  /** Memory for the bodies of all open requests; at least one body of the greatest length always has room. */
  readonly heldBodyBytes: number
  /** All of them are read, and kept in memory, whenever one changes. */
  readonly keys: number
  readonly apps: number
  /** Of one version of a site, unpacked; here and below. */
  readonly siteFiles: number
  readonly siteFileBytes: number
  readonly siteBytes: number
  /** Time that a stopping server gives to what is in flight. */
  readonly shutdownMs: number
}

export const DEFAULT_LIMITS: Limits = Object.freeze({
  documentBytes: 1024 * 1024,
  bodyBytes: 32 * 1024 * 1024,
  nestingLevels: 100,
  queryConditions: 1000,
  inValues: 10_000,
  urlBytes: 64 * 1024,
  bulkDocuments: 10_000,
  arrayPaddingElements: 1000,
  queryDeadlineMs: 30_000,
  queuedRequests: 10_000,
  openRequests: 5_000,
  eventLoopDelayMs: 500,
  openConnections: 10_000,
  addressConnections: 1_000,
  heldBodyBytes: 256 * 1024 * 1024,
  keys: 10_000,
  apps: 1_000,
  siteFiles: 20_000,
  siteFileBytes: 100 * 1024 * 1024,
  siteBytes: 1024 * 1024 * 1024,
  shutdownMs: 10_000,
})
