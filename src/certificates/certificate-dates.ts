import { X509Certificate } from 'node:crypto'
import type { CertificateLog } from './load-or-create-certificate.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOTICE_MS = 21 * DAY_MS
/** Of a certificate's life: one for a few weeks is renewed, by whoever does that, when less than three are left. */
const NOTICE_PART = 1 / 4

export interface ServedCertificate {
  /** As the operator knows it. */
  readonly name: string
  /** In PEM. */
  readonly cert: string | Buffer
}

/** What an operator should know of a certificate's dates, to follow its name; undefined where all is well. */
export function datesProblem({ cert }: Pick<ServedCertificate, 'cert'>, now: number): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert)
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  if (to <= now) return `ended on ${day(to)}`
  if (from > now) return `is not valid before ${day(from)}, by the clock of this machine`
  const isEnding = to - now < Math.min(NOTICE_MS, (to - from) * NOTICE_PART)
  return isEnding ? `ends on ${day(to)}, in ${Math.floor((to - now) / DAY_MS)} days; renew it` : undefined
}

/** What is to be known of the dates of what is served; of one that has ended once more, beside that it ends. */
export function dateConditions(
  served: readonly ServedCertificate[],
  now: number,
): readonly { readonly subject: string; readonly message: string }[] {
  return served.flatMap(({ name, cert }) => {
    const problem = datesProblem({ cert }, now)
    if (problem === undefined) return []
    const message = `${name} ${problem}`
    const isOver = Date.parse(new X509Certificate(cert).validTo) <= now
    return [{ subject: name, message }, ...(isOver ? [{ subject: `${name}, ended`, message }] : [])]
  })
}

/** Warns of the dates of what is served, of each at once, and again every day for as long as it lasts. */
export class ExpiryWarning {
  private readonly log: Pick<CertificateLog, 'warn'>
  private readonly saidAt = new Map<string, number>()

  constructor(log: Pick<CertificateLog, 'warn'>) {
    this.log = log
  }

  check(served: readonly ServedCertificate[], now: number): void {
    for (const { name, cert } of served) {
      const problem = datesProblem({ cert }, now)
      const saidAt = this.saidAt.get(name) ?? Number.NEGATIVE_INFINITY
      if (problem === undefined) this.saidAt.delete(name)
      // A clock that was put back lets nothing be silent for longer.
      else if (Math.abs(now - saidAt) >= DAY_MS) {
        this.saidAt.set(name, now)
        this.log.warn(`${name} ${problem}`)
      }
    }
  }
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
