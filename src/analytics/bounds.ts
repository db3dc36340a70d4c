/** Newest examples that are kept of a code of errors. */
export const ERROR_EXAMPLES = 3
/** Codes of errors that are told apart, of an app on a day. */
export const ERROR_CODES = 60
/** Paths, and as many referrers, that are told apart, of a site on a day. */
export const VISIT_TEXTS = 1000
