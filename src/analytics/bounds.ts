/** Newest examples that are kept of a code of errors. */
export const ERROR_EXAMPLES = 3
/** Codes of errors that are told apart, of an app on a day. */
export const ERROR_CODES = 60
/** Paths, and as many referrers, that are told apart, of a site on a day. */
export const VISIT_TEXTS = 1000
/** Cells that a thread tells apart between two times that it hands over: of an app in a minute, and of all. */
export const APP_CELLS = 2000
export const THREAD_CELLS = 8000
/** Distinct addresses that a thread remembers until it hands them over, which it does at once then. */
export const THREAD_ADDRESSES = 5000
/** Units of text of a path that is kept. */
export const PATH_LENGTH = 300
