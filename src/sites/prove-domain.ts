import type { Resolver } from 'node:dns/promises'
import { isPublicAddress } from '../domain/public-address.ts'
import { AppError } from '../errors.ts'
import { askAddress } from '../outbound/ask-address.ts'
import { resolveAddresses } from '../outbound/resolve-addresses.ts'

export interface DomainProofParts {
  readonly resolver: Pick<Resolver, 'resolveTxt' | 'resolve4' | 'resolve6'>
  /** Where the file may be fetched from; every public address without this. */
  readonly isAllowed?: (address: string) => boolean
  readonly port?: number
}

/** What has to be at a domain, in either of two places. */
export interface DomainProof {
  readonly record: { readonly type: 'TXT'; readonly name: string; readonly value: string }
  readonly file: { readonly url: string; readonly body: string }
}

/** In which place a proof was found. */
export type DomainProofPlace = keyof DomainProof

/** Where a proof is, or in words what was found instead. */
export type DomainLook = { readonly found: DomainProofPlace } | { readonly problem: string }

export type ProveDomain = (domain: string, token: string) => Promise<DomainLook>

const FILE_PATH = '/.well-known/sheaf-site'
const FILE_BYTES = 4096
const FETCH_MS = 5_000
/** At once, for whoever asks chooses whom this server asks. */
const MOST_LOOKS = 8

export function proofOf(domain: string, token: string): DomainProof {
  const value = `sheaf-site=${token}`
  return {
    record: { type: 'TXT', name: `_sheaf.${domain}`, value },
    file: { url: `http://${domain}${FILE_PATH}`, body: value },
  }
}

/**
 * Looks for the record and then for the file. It rejects with `overloaded` where too many do that already, and for no other
 * reason. The file is fetched from an address that was looked at
 * before, by that address: a name that leads somewhere else the second time leads nobody into this network.
 */
export function createProveDomain({
  resolver,
  isAllowed = isPublicAddress,
  port = 80,
}: DomainProofParts): ProveDomain {
  let underWay = 0
  const look: ProveDomain = async (domain, token) => {
    const { record, file } = proofOf(domain, token)
    const texts = await resolver.resolveTxt(record.name).catch(() => [])
    if (texts.some((chunks) => chunks.join('') === record.value)) return { found: 'record' }
    const noRecord =
      texts.length === 0
        ? `${record.name} has no TXT record`
        : `no TXT record of ${record.name} has the value ${record.value}`
    const addresses = await resolveAddresses(resolver, domain)
    const address = addresses.find(isAllowed)
    if (address === undefined) return { problem: `${noRecord}, and ${domain} has no public address` }
    const problem = await fileProblem({ address, port, domain, body: file.body })
    return problem === undefined ? { found: 'file' } : { problem: `${noRecord}, and ${file.url} ${problem}` }
  }
  return async (domain, token) => {
    if (underWay >= MOST_LOOKS)
      throw new AppError('overloaded', 'many domains are being looked at; try again in a while')
    underWay += 1
    try {
      return await look(domain, token)
    } finally {
      underWay -= 1
    }
  }
}

/** What is wrong with the file, in words that go behind its address. */
async function fileProblem(where: {
  readonly address: string
  readonly port: number
  readonly domain: string
  readonly body: string
}): Promise<string | undefined> {
  const { address, port, domain, body } = where
  const answer = await askAddress({
    ...{ address, port, method: 'GET', timeoutMs: FETCH_MS, answerBytes: FILE_BYTES },
    url: new URL(`http://${domain}${FILE_PATH}`),
    headers: { 'User-Agent': 'sheaf (sites)' },
  })
  if ('problem' in answer) return answer.problem
  if (answer.status !== 200) return `answers with the status ${answer.status}`
  if (answer.isCut) return `is longer than ${FILE_BYTES} bytes`
  return answer.text.trim() === body ? undefined : `does not have the text ${body}`
}
