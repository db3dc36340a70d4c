import { CopyButton } from '../../components/copy-button.tsx'
import { Facts } from '../../components/facts.tsx'
import { Section } from '../../components/page.tsx'
import { Value } from '../../components/value.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { counted, localDate } from '../../texts.ts'
import styles from './certificates.module.css'

export interface Certificate {
  readonly source: keyof typeof texts.source
  readonly names: readonly string[]
  readonly issuer: string
  readonly validTo: string
  readonly fingerprint: string
}

const texts = SERVER_TEXTS.certificates
const DAY_MS = 24 * 60 * 60 * 1000
/** The log warns from then on, too. */
const WARNED_DAYS = 21

export function Certificates({ certificates }: { readonly certificates: readonly Certificate[] }) {
  return (
    <Section title={texts.title} note={texts.note} isWide>
      {certificates.map((certificate) => (
        <OneCertificate key={certificate.fingerprint} certificate={certificate} />
      ))}
    </Section>
  )
}

function OneCertificate({ certificate }: { readonly certificate: Certificate }) {
  const { source, names, issuer, validTo, fingerprint } = certificate
  return (
    <div className={styles.certificate}>
      <h3>{texts.source[source]}</h3>
      <Facts
        facts={[
          [texts.names, <Value key="names" text={names.join(', ')} />],
          [texts.issuer, <Value key="issuer" text={issuer} />],
          [texts.ends, <End key="ends" at={validTo} />],
          [
            texts.fingerprint,
            <span key="fingerprint" className={styles.fingerprint}>
              <code>{fingerprint}</code>
              <CopyButton text={fingerprint} label={texts.fingerprint} />
            </span>,
          ],
        ]}
      />
      <p className={styles.renewal}>{texts.renewal[source]}</p>
    </div>
  )
}

/** @param at in ISO 8601 */
function End({ at }: { readonly at: string }) {
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY_MS)
  const told = days < 0 ? texts.ended(localDate(at)) : texts.left(counted(days, 'day'), localDate(at))
  return (
    <time dateTime={at} className={days < WARNED_DAYS ? styles.warned : undefined}>
      {told}
    </time>
  )
}
