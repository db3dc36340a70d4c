import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type PageHeaders, parseWebsite, websiteMatches } from './website.ts'

function lets(pattern: string, headers: PageHeaders | string, localhost = false): boolean {
  const parsed = parseWebsite(pattern)
  assert.ok(parsed, `${pattern} should be a pattern`)
  return websiteMatches([parsed], typeof headers === 'string' ? { origin: headers } : headers, localhost)
}

function assertOrigins(pattern: string, { good, bad }: { good: string[]; bad: string[] }): void {
  for (const origin of good) assert.ok(lets(pattern, origin), `${pattern} should let ${origin} in`)
  for (const origin of bad) assert.ok(!lets(pattern, origin), `${pattern} should keep ${origin} out`)
}

/** Origins that look like example.com's and are not. */
const LOOKALIKES = [
  'https://evil-example.com',
  'https://evilexample.com',
  'https://example.com.evil.org',
  'https://example.comx',
  'https://example.co',
  'https://example',
  'https://com',
  'https://example-com',
  'https://examplexcom',
  'https://evil.org/example.com',
  'https://evil.org?example.com',
  'https://evil.org#example.com',
  'https://evil.org\\.example.com',
  'https://evil.org\t.example.com',
  'https://evil.org%2f.example.com',
  'https://example.com@evil.org',
  'https://evil.org:443@example.com',
  'https://example.com:443:443',
  'https://[example.com]',
  'https://ex%61mple.com',
  'https://exаmple.com',
]

describe('a website pattern', () => {
  it('keeps lookalikes out, below a wildcard too', () => {
    assertOrigins('example.com', { good: [], bad: [...LOOKALIKES, 'https://www.example.com'] })
    assertOrigins('https://*.example.com', { good: [], bad: [...LOOKALIKES, 'https://example.com'] })
  })

  it('keeps out what names no page', () => {
    const nothing = ['null', 'NULL', '', ' ', '*', 'file://', 'https://', 'example.com', '//example.com']
    const other = [
      'ftp://example.com',
      'chrome-extension://example.com',
      'https:example.com',
      'https:/example.com',
    ]
    const several = ['https://example.com, https://example.com', 'https://example.com https://evil.org']
    for (const pattern of ['example.com', '*.example.com', 'https://example.com', 'null', 'localhost'])
      assertOrigins(pattern, { good: [], bad: [...nothing, ...other, ...several] })
    assert.ok(!lets('example.com', {}))
    assert.ok(!websiteMatches([], { origin: 'https://example.com' }, true))
  })

  it('takes both schemes where it names none', () => {
    assertOrigins('example.com', {
      good: ['https://example.com', 'http://example.com', 'https://example.com:443', 'http://example.com:80'],
      bad: [
        'https://example.com:80',
        'http://example.com:443',
        'https://example.com:8443',
        'https://example.com:0',
      ],
    })
    assertOrigins('https://example.com', { good: ['https://example.com'], bad: ['http://example.com'] })
    assertOrigins('http://example.com', { good: ['http://example.com'], bad: ['https://example.com'] })
  })

  it('takes the port that it names, and no other', () => {
    assertOrigins('example.com:8080', {
      good: ['https://example.com:8080', 'http://example.com:8080'],
      bad: [
        'https://example.com',
        'http://example.com',
        'https://example.com:80800',
        'https://example.com:808',
      ],
    })
    assertOrigins('https://example.com:443', {
      good: ['https://example.com'],
      bad: ['http://example.com:443'],
    })
    assertOrigins('http://example.com:443', {
      good: ['http://example.com:443'],
      bad: ['https://example.com'],
    })
  })

  it('means every host below a wildcard, however deep, and not the apex', () => {
    assertOrigins('https://*.example.com', {
      good: ['https://www.example.com', 'https://a.b.example.com', 'https://xn--mnchen-3ya.example.com'],
      bad: [
        'https://example.com',
        'http://www.example.com',
        'https://www.example.com:8443',
        'https://.example.com',
      ],
    })
    assertOrigins('https://*.co.uk', {
      good: ['https://shop.co.uk', 'https://www.shop.co.uk'],
      bad: ['https://co.uk', 'https://shop.uk', 'https://evilco.uk', 'https://shop.co.uk.evil.org'],
    })
    assertOrigins('*.example.com:8080', {
      good: ['http://a.example.com:8080', 'https://a.example.com:8080'],
      bad: ['https://a.example.com', 'https://example.com:8080'],
    })
  })

  it('takes letters of any case, and a name with the dot at its end for the same host', () => {
    assertOrigins('HTTPS://WWW.Example.COM', {
      good: ['https://www.example.com', 'HTTPS://www.EXAMPLE.com'],
      bad: [],
    })
    assertOrigins('example.com', {
      good: ['https://example.com.'],
      bad: ['https://example.com..', 'https://.'],
    })
    assertOrigins('example.com.', { good: ['https://example.com', 'https://example.com.'], bad: [] })
  })

  it('compares names of any script by their punycode', () => {
    assertOrigins('münchen.de', {
      good: [
        'https://xn--mnchen-3ya.de',
        'https://münchen.de',
        'https://MÜNCHEN.de',
        'https://mu\u0308nchen.de',
      ],
      bad: ['https://munchen.de', 'https://muenchen.de', 'https://xn--mnchen-3ya.de.evil.org'],
    })
    assertOrigins('xn--mnchen-3ya.de', { good: ['https://münchen.de'], bad: [] })
    assertOrigins('*.日本.jp', { good: ['https://a.xn--wgv71a.jp'], bad: ['https://xn--wgv71a.jp'] })
    assertOrigins('apple.com', { good: [], bad: ['https://аррӏе.com', 'https://xn--80ak6aa92e.com'] })
  })

  it('takes addresses, of IPv6 in any of their forms', () => {
    assertOrigins('http://[2001:db8::1]:8080', {
      good: ['http://[2001:db8::1]:8080', 'http://[2001:DB8:0:0::1]:8080'],
      bad: ['http://[2001:db8::1]', 'http://[2001:db8::2]:8080', 'http://2001:db8::1:8080'],
    })
    assertOrigins('192.0.2.7', {
      good: ['http://192.0.2.7'],
      bad: ['http://192.0.2.70', 'http://1.192.0.2.7'],
    })
  })

  it('has to be one', () => {
    const wrong = [
      '',
      '*',
      '*.',
      'https://',
      'https://*',
      '*.*.com',
      'a.*.com',
      '*example.com',
      'https://*.*',
      'a..b',
    ]
    const more = [
      'ftp://example.com',
      'example.com/',
      'https://example.com/path',
      'example.com:',
      'example.com:0',
    ]
    const evenMore = [
      'example.com:65536',
      'user@example.com',
      'a b',
      'exam\tple.com',
      'ex%61mple.com',
      '.example.com',
    ]
    const addresses = [
      '*.192.0.2.7',
      '*.0.0.1',
      '*.[::1]',
      '[::1',
      '::1',
      '[zz]',
      '256.256.256.256',
      'a.com,b.com',
    ]
    for (const text of [...wrong, ...more, ...evenMore, ...addresses])
      assert.equal(parseWebsite(text), undefined, text)
  })

  it('is asked by the Origin, and by the Referer only where there is none', () => {
    const good = 'https://example.com/a?b#c'
    assert.ok(lets('example.com', { referer: good }))
    assert.ok(lets('example.com', { referer: 'https://example.com' }))
    assert.ok(!lets('example.com', { origin: 'null', referer: good }))
    assert.ok(!lets('example.com', { origin: '', referer: good }))
    assert.ok(!lets('example.com', { origin: 'https://evil.org', referer: good }))
    assert.ok(lets('example.com', { origin: 'https://example.com', referer: 'https://evil.org/' }))
    for (const referer of [
      'https://evil.org/https://example.com/',
      'https://evil.org?https://example.com/',
      'https://example.com@evil.org/',
      'https://evil.org\\@example.com/',
      'https://evil.org\\.example.com/',
      'https://example.com.evil.org/',
      'about:client',
      'example.com',
      '',
    ])
      assert.ok(!lets('example.com', { referer }), referer)
  })

  it('lets pages of this machine in on any port, unless it is told not to', () => {
    for (const origin of [
      'http://localhost',
      'https://LOCALHOST:3000',
      'http://127.0.0.1:5173',
      'http://[::1]:8080',
    ]) {
      assert.ok(lets('example.com', origin, true), origin)
      assert.ok(!lets('example.com', origin, false), origin)
    }
    for (const origin of [
      'http://localhost.evil.org',
      'http://a.localhost',
      'http://127.0.0.2',
      'http://127.0.0.1.evil.org',
      'http://[::2]',
      'http://localhost@evil.org',
      'null',
    ])
      assert.ok(!lets('example.com', origin, true), origin)
  })

  it('without a wildcard lets in exactly the hosts that are the same, with one those that end in it', () => {
    const label = fc.stringMatching(/^[a-z][a-z-]{0,3}[a-z]$/).filter((text) => !text.startsWith('xn--'))
    const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
    fc.assert(
      fc.property(host, host, fc.constantFrom('', '.', '-', 'x'), (one, other, glue) => {
        const asked = `${other}${glue}${one}`
        assert.equal(lets(one, `https://${asked}`), asked === one)
        assert.equal(lets(`*.${one}`, `https://${asked}`), asked.endsWith(`.${one}`))
      }),
    )
  })

  it('never fails on whatever a client sends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const letters = `https://${text}`
        for (const headers of [{ origin: text }, { origin: letters }, { referer: letters }])
          assert.equal(typeof lets('*.example.com', headers), 'boolean')
        parseWebsite(text)
      }),
    )
  })
})
