import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as sendHttp } from 'node:http'
import { Agent as HttpsAgent, request as sendHttps } from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { TraceSettings } from '../domain/trace-settings.ts'
import type { EncodedSpans } from './encode-spans.ts'

/** What a collector said, or why it said nothing. */
export interface PostOutcome {
  readonly isTaken: boolean
  /** Whether the same may be taken later. */
  readonly mayRetry: boolean
  /** The least time until then, where the collector names one. */
  readonly retryAfterMs: number | undefined
  /** In words, for the log; nothing of headers or of what was sent. */
  readonly problem: string
}

/** One request to a collector; never rejects. */
export type PostSpans = (encoded: EncodedSpans) => Promise<PostOutcome>

/** After which it is worth trying again (OTLP 1.0, "Retryable Response Codes"). */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Over one connection that is kept. Nothing is followed elsewhere, and of an answer nothing but its status is read. */
export function createPostSpans(settings: TraceSettings): PostSpans & { close(): void } {
  const { url, headers, timeoutMs, isCompressed, ca, clientKey, clientCertificate } = settings
  const isSecure = url.startsWith('https:')
  const tls = { ca, key: clientKey, cert: clientCertificate }
  const kept = { keepAlive: true, maxSockets: 1 }
  const agent = isSecure ? new HttpsAgent({ ...kept, ...tls }) : new HttpAgent(kept)
  const post = async ({ type, bytes }: EncodedSpans): Promise<PostOutcome> => {
    try {
      const body = isCompressed ? await promisify(gzip)(bytes) : bytes
      const options: RequestOptions = {
        ...{ agent, method: 'POST', signal: AbortSignal.timeout(timeoutMs) },
        headers: {
          ...headers,
          'Content-Type': type,
          'Content-Length': body.length,
          ...(isCompressed && { 'Content-Encoding': 'gzip' }),
        },
      }
      return outcomeOf(await sent(isSecure ? sendHttps(url, options) : sendHttp(url, options), body))
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException
      const problem = name === 'AbortError' ? `no answer for ${timeoutMs} ms` : (code ?? name)
      return { isTaken: false, mayRetry: true, retryAfterMs: undefined, problem }
    }
  }
  return Object.assign(post, { close: () => agent.destroy() })
}

function sent(request: ReturnType<typeof sendHttp>, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      response.once('error', reject)
      response.once('end', () => resolve(response))
      response.resume()
    })
    request.end(body)
  })
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): PostOutcome {
  const seconds = Number(headers['retry-after'])
  return {
    isTaken: statusCode >= 200 && statusCode < 300,
    mayRetry: RETRIED.has(statusCode),
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined,
    problem: `it answered ${statusCode}`,
  }
}
