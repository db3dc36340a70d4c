import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'

export interface AddressRequest {
  /** An IP address of the host that was looked at: the name is not resolved again, and may lead elsewhere by then. */
  readonly address: string
  /** Where another answers than the URL's. */
  readonly port?: number
  /** With `http:` or `https:`; its host is what is asked for there, and what a certificate has to be for. */
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  /** More of an answer's body is not read. */
  readonly answerBytes: number
  /** Answers as soon as the status is there, without a body, which is read and thrown away. */
  readonly isStatusEnough?: true
  /** Authorities in PEM that certificates may be from; those of Node.js without it. */
  readonly ca?: string | Buffer | undefined
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined
}

export type AddressAnswer =
  | {
      readonly status: number
      /** As Latin-1. */
      readonly text: string
      /** Whether the body was longer than is read. */
      readonly isCut: boolean
    }
  /** What went wrong, in words that go behind an address, with the code of the system where there is one. */
  | { readonly problem: string; readonly code?: string }

/** Asks a server at an address that was looked at before. No redirect is followed, and no connection is kept. */
export function askAddress(asked: AddressRequest): Promise<AddressAnswer> {
  const { address, url, method, body, timeoutMs, answerBytes, ca } = asked
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = asked.signal === undefined ? timeout : AbortSignal.any([timeout, asked.signal])
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const options = {
    ...{ host: address, method, agent: false, signal },
    port: asked.port ?? (url.port === '' ? undefined : Number(url.port)),
    path: url.pathname + url.search,
    headers: { ...asked.headers, Host: url.host, Connection: 'close' },
  }
  // An address has no name to be told by (RFC 6066, section 3).
  const tls = { servername: isIP(host) === 0 ? host : '', ...(ca !== undefined && { ca }) }
  return new Promise((resolve) => {
    const request = url.protocol === 'https:' ? requestHttps({ ...options, ...tls }) : requestHttp(options)
    const done = (answer: AddressAnswer): void => {
      resolve(answer)
      request.destroy()
    }
    const failed = ({ code }: NodeJS.ErrnoException): void => {
      if (timeout.aborted) done({ problem: `does not answer in ${timeoutMs / 1000} seconds` })
      else done({ problem: "can't be reached", ...(code !== undefined && { code }) })
    }
    request.on('error', failed)
    request.on('response', (response) => {
      const status = response.statusCode!
      let text = ''
      if (asked.isStatusEnough) resolve({ status, text, isCut: true })
      response.setEncoding('latin1')
      response.on('error', failed)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > answerBytes) done({ status, text: text.slice(0, answerBytes), isCut: true })
      })
      response.on('end', () => done({ status, text, isCut: false }))
    })
    request.end(body)
  })
}
