import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { datesProblem, ExpiryWarning } from './certificate-dates.ts'
import { selfSignedCertificate } from './self-signed.ts'

const DAY = 86_400_000
const MADE = Date.UTC(2026, 0, 1)

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
/** From 2025-12-31 23:00:00 to 2028-04-04 22:59:59. */
const cert = await selfSignedCertificate({ key: privateKey, hostName: 'localhost', now: MADE })
const END = Date.UTC(2028, 3, 4, 22, 59, 59)
const renewed = await selfSignedCertificate({ key: privateKey, hostName: 'localhost', now: END })

describe('the dates of a certificate', () => {
  it('are told of from 21 days before it ends', () => {
    const cases: [now: number, problem: string | undefined][] = [
      [Date.UTC(1970, 0, 1), 'is not valid before 2025-12-31, by the clock of this machine'],
      [MADE, undefined],
      [END - 21 * DAY, undefined],
      [END - 21 * DAY + 1, 'ends on 2028-04-04, in 20 days; renew it'],
      [END - 1, 'ends on 2028-04-04, in 0 days; renew it'],
      [END, 'ended on 2028-04-04'],
    ]
    for (const [now, problem] of cases) assert.equal(datesProblem({ cert }, now), problem)
  })

  it('are told of at once, and again each day for as long as it lasts', () => {
    const told: string[] = []
    const warning = new ExpiryWarning({ warn: (message) => told.push(message) })
    const served = [{ name: 'the certificate', cert }]
    const newer = [{ name: 'the certificate', cert: renewed }]
    warning.check(served, MADE)
    for (let hour = 0; hour < 47; hour += 1) warning.check(served, END + (hour * DAY) / 24)
    assert.deepEqual(told, ['the certificate ended on 2028-04-04', 'the certificate ended on 2028-04-04'])
    warning.check(newer, END)
    warning.check(served, END)
    assert.equal(told.length, 3)
  })
})
