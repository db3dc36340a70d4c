import 'reflect-metadata'
import { randomUUID, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }
const ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' }
const DAY_MS = 86_400_000

export interface Issue {
  /** What the request must ask for. */
  readonly names: readonly string[]
  /** What is signed. */
  readonly issueFor: readonly string[]
  readonly notBefore: number
  readonly notAfter: number
}

export interface TestCa {
  readonly cert: string
  /** The certificate and its issuer, in PEM. */
  issue(csr: Buffer, issue: Issue): Promise<string>
  issueWithKey(name: string): Promise<{ cert: string; key: string }>
}

/** An authority whose root nobody trusts but a test. */
export async function createTestCa(now: number): Promise<TestCa> {
  const keys = await generate()
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    // Of two authorities of one name, a client that trusts both tries the wrong one.
    name: `CN=Test authority ${randomUUID()}`,
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + 3650 * DAY_MS),
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  })
  const sign = async (publicKey: x509.PublicKeyType, issue: Omit<Issue, 'names'>): Promise<string> => {
    const certificate = await x509.X509CertificateGenerator.create({
      subject: '',
      issuer: root.subject,
      publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      notBefore: new Date(issue.notBefore),
      notAfter: new Date(issue.notAfter),
      extensions: [
        new x509.SubjectAlternativeNameExtension(issue.issueFor.map((value) => ({ type: 'dns', value }))),
      ],
    })
    return `${certificate.toString('pem')}\n${root.toString('pem')}\n`
  }
  return {
    cert: root.toString('pem'),
    async issue(csr, issue) {
      const asked = new x509.Pkcs10CertificateRequest(csr)
      if (!(await asked.verify())) throw new Error('the request is not signed with its key')
      const names = asked.extensions.flatMap((extension) =>
        extension instanceof x509.SubjectAlternativeNameExtension ? extension.names.toJSON() : [],
      )
      const wanted = names.map(({ type, value }) => (type === 'dns' ? value : type))
      if (wanted.join() !== issue.names.join()) throw new Error('the request is for other names')
      return sign(asked.publicKey, issue)
    },
    async issueWithKey(name) {
      const { publicKey, privateKey } = await generate()
      const life = { notBefore: now - DAY_MS, notAfter: now + DAY_MS }
      const cert = await sign(publicKey, { issueFor: [name], ...life })
      const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', privateKey)
      return { cert, key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
    },
  }
}

function generate(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>
}
