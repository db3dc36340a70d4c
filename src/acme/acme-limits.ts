const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * What is asked of an authority at most, and waited for at most. Let's Encrypt takes five failed validations of a
 * name in an hour and five certificates for the same names in a week; one is left to whoever tries by hand.
 */
export const ACME_LIMITS = Object.freeze({
  ordersPerHour: 4,
  /** Certificates that were asked for and then lost, because the disk was full for instance. */
  lostCertificatesPerWeek: 4,
  /** Of sites, and of one registered domain: Let's Encrypt gives 50, and what is left is for others. Renewals don't count. */
  newCertificatesPerWeek: 40,
  /** Of all sites together. Let's Encrypt takes 300 orders of an account in three hours, and the server's own come first. */
  siteOrdersPerHour: 60,
  failedSiteOrdersPerHour: 10,
  /** For which one host that is refused can let all sites wait. */
  longestSitePauseMs: 3 * HOUR_MS,
  /** After the first failure; it doubles with each further one. */
  firstRetryMs: 5 * MINUTE_MS,
  longestRetryMs: 12 * HOUR_MS,
  /** An authority's Retry-After is believed up to here. */
  longestRetryAfterMs: 7 * DAY_MS,
  /** A look at the certificate's age, whatever timers and suspended machines have done. */
  checkMs: DAY_MS,
  /** The most that a renewal is put off at random, so that not all servers come at the same moment. */
  jitterMs: HOUR_MS,
  /** How often is looked for sites that came. */
  siteLookMs: 5 * SECOND_MS,
  requestMs: 30 * SECOND_MS,
  answerBytes: 1024 * 1024,
  /** For a validation, and again for the certificate. */
  pollMs: 5 * MINUTE_MS,
  pollPauseMs: 3 * SECOND_MS,
  longestPollPauseMs: MINUTE_MS,
  nonceTries: 8,
  authorizations: 100,
})

export { DAY_MS, HOUR_MS }
