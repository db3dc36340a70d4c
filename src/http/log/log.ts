import type { IncomingMessage, ServerResponse } from 'node:http'
import pino from 'pino'
import type { LogLevel } from '../../domain/log-level.ts'
import type { RequestState } from '../request/request-state.ts'
import { createFaultText } from './fault-text.ts'
import { LogOutput } from './log-output.ts'
import { redact, redactedPath } from './redact.ts'
import { standardErrorSink } from './standard-error.ts'

/** What a line is about; nothing that a client chose freely. */
export interface LogFields {
  /** Of a request. */
  readonly id?: string
  /** Where a connection comes from. */
  readonly address?: string
}

/** The one place that writes a log. Nothing that has the form of a key or a token gets past it. */
export interface Log {
  /** Whether a line is written for each request. */
  readonly logsRequests: boolean
  /** Something unexpected, with its stack once a minute for each kind; `id` is the request's. */
  fault(message: string, error: unknown, id?: string): void
  warn(message: string): void
  info(message: string, about?: LogFields): void
  debug(message: string, about?: LogFields): void
  /** An answered request. */
  request(request: IncomingMessage, response: ServerResponse, state: RequestState): void
  /** Lines that a log of the same level has made on another thread, whole ones. */
  relay(lines: string): void
  /** Writes what is buffered, and waits for that, for a second at most. */
  close(): Promise<void>
  /** Writes of what is buffered what can be written at once: the process ends. */
  end(): void
}

type WriteLine = (line: string) => void

/** Where lines go. */
export interface LogTarget {
  readonly write: WriteLine
  /** Called behind a line that should not wait. */
  readonly flush: () => void
  readonly close: () => Promise<void>
  readonly end: () => void
}

/**
 * A log of JSON lines.
 * @param to standard error, buffered, where it is left out
 */
export function createLog(level: LogLevel, to: LogTarget | WriteLine = standardError()): Log {
  const target = typeof to === 'function' ? targetOf(to) : to
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: target.write },
  )
  const faultText = createFaultText(() => performance.now())
  return {
    logsRequests: logger.isLevelEnabled('info'),
    fault(message, error, id) {
      logger.error({ ...(id !== undefined && { id }), error: redact(faultText(error)) }, redact(message))
      target.flush()
    },
    warn(message) {
      logger.warn(redact(message))
      target.flush()
    },
    info: (message, about) => logger.info(about ?? {}, redact(message)),
    debug: (message, about) => logger.debug(about ?? {}, redact(message)),
    request(request, response, state) {
      logger.info(requestFields(request, response, state), 'request')
    },
    relay: (lines) => target.write(lines),
    close: target.close,
    end: target.end,
  }
}

function requestFields(request: IncomingMessage, response: ServerResponse, state: RequestState) {
  return {
    id: state.id,
    method: request.method,
    path: redactedPath(request.url!),
    // A client that hung up was told nothing.
    status: response.headersSent ? response.statusCode : 0,
    ms: Math.round((performance.now() - state.startedAt) * 100) / 100,
    bytes: state.responseBytes,
    key: state.keyName === undefined ? undefined : redact(state.keyName),
    account: state.account,
    site: state.site,
    address: state.address,
  }
}

function standardError(): LogTarget {
  const output = new LogOutput(standardErrorSink())
  return {
    write: (line) => output.write(line),
    flush: () => output.flush(),
    close: () => output.close(),
    end: () => output.end(),
  }
}

function targetOf(write: WriteLine): LogTarget {
  return { write, flush: () => {}, close: async () => {}, end: () => {} }
}
