import { type Environment, integer, invalid, listSetting, setting } from './settings.ts'

/** When and where operators are alerted. */
export interface AlertConfig {
  /** Of requests that fail, from which on it is told. */
  readonly errorPercent: number
  /** That a webhook may be at wherever they lead, and by http: names in lower case and ASCII, or addresses. */
  readonly webhookHosts: readonly string[]
}

export interface AlertArgs {
  readonly alertErrorPercent?: string | undefined
  readonly webhookHost?: readonly string[] | undefined
}

const PERCENT = { least: 1, most: 100 }

/** @throws AppError `invalid_configuration` */
export function alertsFrom(env: Environment, args: AlertArgs): AlertConfig {
  const percent = setting(args.alertErrorPercent, '--alert-error-percent', env.SHEAF_ALERT_ERROR_PERCENT)
  return {
    errorPercent: integer(
      'the part of requests that fail (--alert-error-percent, SHEAF_ALERT_ERROR_PERCENT)',
      percent ?? '5',
      PERCENT,
    ),
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
