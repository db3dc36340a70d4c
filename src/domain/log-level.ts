/** What is written to the log, from nothing to everything; each level has those before it, `info` a line a request. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]
