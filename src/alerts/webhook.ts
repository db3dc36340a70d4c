/** Where alerts are told, and what messages are signed by. Times are milliseconds since the Unix epoch. */
export interface Webhook {
  readonly url: string
  /** The newest first, the others until they end. */
  readonly secrets: readonly { readonly secret: string; readonly until: number | null }[]
  readonly madeAt: number
}

/** Undefined where there is none, or it can't be read. */
export function webhookFrom(text: string | undefined): Webhook | undefined {
  try {
    const webhook = JSON.parse(text ?? 'null') as Webhook | null
    const isWhole =
      webhook !== null &&
      URL.canParse(webhook.url) &&
      Number.isSafeInteger(webhook.madeAt) &&
      webhook.secrets.length > 0 &&
      webhook.secrets.every(({ secret }) => typeof secret === 'string')
    return isWhole ? webhook : undefined
  } catch {
    return undefined
  }
}
