import { type Environment, invalid, listSetting } from './settings.ts'

/** Where operators are alerted. */
export interface AlertConfig {
  /** That a webhook may be at wherever they lead, and by http: names in lower case and ASCII, or addresses. */
  readonly webhookHosts: readonly string[]
}

export interface AlertArgs {
  readonly webhookHost?: readonly string[] | undefined
}

/** @throws AppError `invalid_configuration` */
export function alertsFrom(env: Environment, args: AlertArgs): AlertConfig {
  return {
    webhookHosts: listSetting(args.webhookHost, '--webhook-host', env.SHEAF_WEBHOOK_HOSTS).map(hostFrom),
  }
}

/** As a URL has it, but for the brackets of an IPv6 address. */
function hostFrom(text: string): string {
  const isV6 = text.includes(':') && !text.startsWith('[')
  const url = URL.parse(`https://${isV6 ? `[${text}]` : text}/`)
  if (
    url === null ||
    url.port !== '' ||
    url.username !== '' ||
    url.pathname !== '/' ||
    url.search + url.hash !== ''
  )
    throw invalid(
      `${JSON.stringify(text)} is no host of a webhook (--webhook-host, SHEAF_WEBHOOK_HOSTS); give a name or an address alone`,
    )
  return url.hostname.replace(/^\[|\]$/g, '')
}
