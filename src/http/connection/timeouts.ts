/** How long a client may take for each part of its side, in milliseconds. */
export interface HttpTimeouts {
  /** To finish the TLS handshake, from the moment that the connection is there. */
  readonly handshakeMs: number
  readonly headersMs: number
  /** For a whole request, its body included. */
  readonly requestMs: number
  /** Between two looks at whether those two are over. */
  readonly checkMs: number
  /** Between two looks at whether a body comes as fast as it should. */
  readonly bodyRateCheckMs: number
  /** For which a connection is kept open between two requests. */
  readonly keepAliveMs: number
  /** For which a client may take nothing of an answer that is being sent. */
  readonly writeStallMs: number
  /** For which a connection is still read after its last answer, and again, up to five times, while bytes come. */
  readonly lingerMs: number
}

/** What a body has to bring between two looks, on average: less than the slowest modem does. */
export const BODY_BYTES_PER_SECOND = 256

export const DEFAULT_TIMEOUTS: HttpTimeouts = Object.freeze({
  handshakeMs: 10_000,
  headersMs: 20_000,
  requestMs: 120_000,
  checkMs: 2_000,
  bodyRateCheckMs: 10_000,
  // Longer than the idle timeouts of the usual load balancers, which then close first.
  keepAliveMs: 65_000,
  writeStallMs: 60_000,
  lingerMs: 2_000,
})
