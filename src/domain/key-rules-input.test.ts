import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeRules } from './describe-rules.ts'
import { UNLIMITED } from './key-rules.ts'
import { type KeyRulesInput, parseKeyRules } from './key-rules-input.ts'

const NOW = Date.UTC(2026, 5, 15, 12)
const DAY = 24 * 60 * 60 * 1000

function parsed(input: KeyRulesInput) {
  return parseKeyRules(input, { now: NOW })
}

/** Each input and what its refusal has to say. */
function refuses(cases: readonly (readonly [KeyRulesInput, RegExp])[]): void {
  for (const [input, message] of cases)
    assert.throws(() => parsed(input), { code: 'invalid_rule', message }, JSON.stringify(input))
}

describe('names in rules', () => {
  it('are refused in a wrong form, and an empty list too', () => {
    refuses([
      [{ apps: [] }, /name at least one app, or lift the rule/],
      [{ apps: ['Shop'] }, /"Shop" can't be an app's slug: use 1 to 63/],
      [{ apps: ['shop,blog'] }, /"shop,blog" can't be an app's slug/],
      [{ apps: [''] }, /"" can't be an app's slug/],
      [{ collections: [] }, /name at least one collection/],
      [{ collections: ['$a'] }, /"\$a": that can't be a collection's name: it may not start with \$/],
      [{ collections: ['a/b'] }, /it may not contain \//],
      [{ collections: ['\ud800'] }, /"\\ud800": .*lone surrogate/],
      [{ addresses: [] }, /name at least one address/],
      [{ websites: [] }, /name at least one website/],
      [{ apps: Array.from({ length: 1001 }, (_, n) => `a${n}`) }, /at most 1000 of a kind/],
    ])
  })

  it('are kept as they are, each once; all is no name among others', () => {
    assert.deepEqual(parsed({ apps: ['b', 'a', 'b', 'all'], collections: ['All', 'é', 'constructor'] }), {
      apps: ['b', 'a', 'all'],
      collections: ['All', 'é', 'constructor'],
    })
    assert.deepEqual(parsed({ apps: 'all', addresses: 'all' }), { apps: 'all', addresses: 'all' })
  })
})

describe('permissions', () => {
  it('are refused with the word that is wrong', () => {
    refuses([
      [{ permission: 'write' }, /"write" can't be a permission: write full, or some of read,create,update,d/],
      [{ permission: 'read,Create' }, /"Create" can't be/],
      [{ permission: '' }, /"" can't be/],
      [{ permission: 'read,,create' }, /"" can't be/],
      [{ permission: 'full,read' }, /"full,read" can't be a permission: full is all of them/],
      [{ permission: 'constructor' }, /"constructor" can't be/],
    ])
  })

  it('are read, create, update and delete, in this order', () => {
    assert.deepEqual(parsed({ permission: 'delete, read,read' }), { permission: ['read', 'delete'] })
    const all = { permission: ['read', 'create', 'update', 'delete'] }
    assert.deepEqual(parsed({ permission: 'full' }), all)
    assert.deepEqual(parsed({ permission: 'update,delete,create,read' }), all)
  })
})

describe('addresses', () => {
  it('are refused with what to write', () => {
    refuses([
      [
        { addresses: ['10.0.0.5/8'] },
        /"10.0.0.5\/8" .*inside a network; write 10.0.0.0\/8 for the network, or 10.0.0.5$/,
      ],
      [{ addresses: ['2001:db8::1/32'] }, /write 2001:db8::\/32 for the network, or 2001:db8::1$/],
      [{ addresses: ['10.0.0.0/33'] }, /number of bits, up to 32/],
      [{ addresses: ['2001:db8::/129'] }, /number of bits, up to 128/],
      [{ addresses: ['10.0.0.0/'] }, /number of bits/],
      [{ addresses: ['10.0.0.0/8/8'] }, /number of bits|write an address/],
      [{ addresses: ['::ffff:0:0/95'] }, /number of bits from 96 to 128/],
      [{ addresses: ['10.0.0'] }, /"10.0.0" can't be an address rule: write an address or a network/],
      [{ addresses: ['010.0.0.1'] }, /write an address or a network/],
      [{ addresses: ['0x7f.1'] }, /write an address or a network/],
      [{ addresses: ['example.com'] }, /write an address or a network/],
      [{ addresses: ['fe80::1%eth0'] }, /leave out the zone/],
      [{ addresses: ['all'] }, /lift it/],
      [{ addresses: ['10.0.0.0/8,10.1.0.0/16'] }, /give each network an option of its own/],
      [{ addresses: [''] }, /write an address or a network/],
    ])
  })

  it('become networks in CIDR form, mapped IPv4 as IPv4', () => {
    const forms = [
      ['192.0.2.7', '192.0.2.7/32'],
      ['192.0.2.0/24', '192.0.2.0/24'],
      ['0.0.0.0/0', '0.0.0.0/0'],
      ['2001:DB8:0:0::/32', '2001:db8::/32'],
      ['::1', '::1/128'],
      ['::/0', '::/0'],
      ['::ffff:192.0.2.7', '192.0.2.7/32'],
      ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ]
    assert.deepEqual(parsed({ addresses: forms.map(([written]) => written!) }), {
      addresses: [
        '192.0.2.7/32',
        '192.0.2.0/24',
        '0.0.0.0/0',
        '2001:db8::/32',
        '::1/128',
        '::/0',
        '10.0.0.0/8',
      ],
    })
    for (const [written, kept] of forms) assert.deepEqual(parsed({ addresses: [written!] }).addresses, [kept])
  })
})

describe('websites', () => {
  it('are refused with what to write', () => {
    refuses([
      [{ websites: [''] }, /it is empty; write example.com/],
      [{ websites: ['https://Example.com/'] }, /an origin has no path; write https:\/\/example.com$/],
      [{ websites: ['example.com/a?b#c'] }, /an origin has no path; write example.com$/],
      [{ websites: ['https://user:pw@example.com'] }, /may not contain a user or a password/],
      [{ websites: ['ftp://example.com'] }, /only http:\/\/ and https:\/\//],
      [{ websites: ['null'] }, /the origin null is that of many pages/],
      [{ websites: ['*'] }, /it would be every website/],
      [{ websites: ['https://*'] }, /it would be every website/],
      [{ websites: ['example.*'] }, /a \* may stand for the first labels alone/],
      [{ websites: ['*.*.com'] }, /a \* may stand for the first labels alone/],
      [{ websites: ['*example.com'] }, /a \* may stand for the first labels alone/],
      [{ websites: ['*.192.0.2.7'] }, /an address has no names below it/],
      [{ websites: ['*.[::1]:8080'] }, /an address has no names below it/],
      [{ websites: ['::1'] }, /write an IPv6 address in brackets/],
      [{ websites: ['example.com:0'] }, /a port is a number from 1 to 65535/],
      [{ websites: ['example.com:65536'] }, /a port is a number/],
      [{ websites: ['example.com:*'] }, /a \* may stand for the first labels alone/],
      [{ websites: ['a.com, b.com'] }, /give each website an option of its own/],
      [{ websites: ['a..com'] }, /it is no host's name/],
      [{ websites: ['https://'] }, /it is no host's name/],
      [{ websites: ['a%41.com'] }, /it is no host's name/],
      [{ websites: ['a'.repeat(301)] }, /too long/],
    ])
  })

  it('become one form: lower case, punycode, no port that goes without saying', () => {
    const forms = [
      ['Example.COM', 'example.com'],
      ['example.com.', 'example.com'],
      ['HTTPS://Example.com:443', 'https://example.com'],
      ['http://example.com:80', 'http://example.com'],
      ['https://example.com:80', 'https://example.com:80'],
      ['example.com:443', 'example.com:443'],
      ['*.example.com', '*.example.com'],
      ['https://*.example.com:8443', 'https://*.example.com:8443'],
      ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
      ['http://localhost:3000', 'http://localhost:3000'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
      ['192.0.2.7', '192.0.2.7'],
    ]
    for (const [written, kept] of forms) assert.deepEqual(parsed({ websites: [written!] }).websites, [kept])
    assert.deepEqual(parsed({ websites: ['A.com', 'a.com'] }).websites, ['a.com'])
  })
})

describe('rates and times', () => {
  it('are refused with what to write', () => {
    const rate = /can't be a rate: write 1 to 1000000 requests a minute or a second/
    for (const text of ['', '10', '0/s', '-1/s', '1.5/s', '10/h', '10/minute', '1e3/s', '1000001/s', ' 1/s'])
      refuses([[{ rate: text }, rate]])
    const expiry = /can't be a time to expire: write how long from now/
    for (const text of ['', '30', '30 d', '1w', '2027-02-30', '2027-13-01', '2027-01-31T12:00', '31.1.2027'])
      refuses([[{ expires: text }, expiry]])
    refuses([
      [{ expires: '2026-06-15' }, /"2026-06-15" .*it is past; it is 2026-06-15T12:00:00.000Z now/],
      [{ expires: '2026-06-15T14:00:00+02:00' }, /it is past/],
      [{ expires: '0d' }, /it has to be longer than nothing/],
      [{ expires: '36501d' }, /the longest is 36500d/],
      [{ tokenLifetime: '0' }, /"0" can't be a token's lifetime: write a whole number of days/],
      [{ tokenLifetime: '0s' }, /longer than nothing/],
      [
        { tokenLifetime: 'never' },
        /write a whole number of days, hours, minutes or seconds: 30d, 12h, 90m, 2s$/,
      ],
      [{ tokenLifetime: '9999999999999d' }, /write a whole number/],
    ])
  })

  it('are read in every form', () => {
    assert.deepEqual(parsed({ rate: '100/min' }).rate, { requests: 100, perMs: 60_000 })
    assert.deepEqual(parsed({ rate: '5/s' }).rate, { requests: 5, perMs: 1000 })
    assert.equal(parsed({ rate: 'none' }).rate, null)
    const instants: [string, number | null][] = [
      ['never', null],
      ['30d', NOW + 30 * DAY],
      ['12h', NOW + DAY / 2],
      ['90m', NOW + 90 * 60_000],
      ['2s', NOW + 2000],
      ['2026-06-16', Date.UTC(2026, 5, 16)],
      ['2028-02-29', Date.UTC(2028, 1, 29)],
      ['2026-06-15T14:00:01+02:00', NOW + 1000],
      ['2026-06-15T12:01Z', NOW + 60_000],
    ]
    for (const [text, time] of instants) assert.equal(parsed({ expires: text }).expiresAt, time, text)
    assert.equal(parsed({ tokenLifetime: '2s' }).tokenLifetimeMs, 2000)
  })
})

describe('the description of rules', () => {
  it('is one that can be read back', () => {
    const rules = {
      ...UNLIMITED,
      ...parsed({
        permission: 'read,update',
        apps: ['shop'],
        addresses: ['10.0.0.0/8'],
        websites: ['https://*.example.com'],
        localhost: false,
        rate: '5/s',
        expires: '30d',
        tokenLifetime: '90m',
      }),
    }
    const described = describeRules(rules)
    assert.deepEqual(described, {
      permission: 'read,update',
      apps: ['shop'],
      collections: 'all',
      addresses: ['10.0.0.0/8'],
      websites: ['https://*.example.com'],
      localhost: false,
      rate: '5/s',
      expires: '2026-07-15T12:00:00.000Z',
      tokenLifetime: '90m',
    })
    assert.deepEqual(parsed(described), rules)
    assert.deepEqual(parsed(describeRules(UNLIMITED)), UNLIMITED)
  })
})
