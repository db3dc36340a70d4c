import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { linkOrigin, serverAddress } from './config/link-origin.ts'
import { type ConfigArgs, configFrom, limitVariable } from './config.ts'
import { DEFAULT_LIMITS } from './domain/limits.ts'

function refused(env: Record<string, string>, args: Parameters<typeof configFrom>[1], message: RegExp): void {
  assert.throws(() => configFrom(env, args), { code: 'invalid_configuration', message })
}

test('a port that is no port is refused', () => {
  for (const port of ['', 'abc', '-1', '65536', '1e3', '0x50', '80.5', ' 80', '99999999999'])
    refused({}, { port }, /port/)
  refused({ SHEAF_PORT: '70000' }, {}, /from 0 to 65535, not "70000"/)
})

test('a host that is a URL or has spaces is refused', () => {
  for (const host of ['https://localhost', 'local host', '[]', 'a/b']) refused({}, { host }, /not a host/)
})

test('half of a certificate is refused', () => {
  refused({}, { tlsCert: 'c.pem' }, /belong together/)
  refused({ SHEAF_TLS_KEY: 'k.pem' }, {}, /belong together/)
})

test('a limit that is not a number, out of its range or misspelt is refused', () => {
  refused({ SHEAF_LIMIT_DOCUMENT_BYTES: 'lots' }, {}, /SHEAF_LIMIT_DOCUMENT_BYTES must be a whole number/)
  refused({ SHEAF_LIMIT_NESTING_LEVELS: '5000' }, {}, /from 1 to 500/)
  refused({ SHEAF_LIMIT_DOCUMENT_SIZE: '5' }, {}, /SHEAF_LIMIT_DOCUMENT_SIZE is no limit; there are/)
})

test('a log level that there is not is refused', () => {
  refused({}, { logLevel: 'verbose' }, /no log level; there are silent, error, warn, info, debug/)
  refused({ SHEAF_LOG_LEVEL: 'INFO' }, {}, /"INFO" is no log level/)
  assert.equal(configFrom({}).logLevel, 'warn')
  assert.equal(configFrom({ SHEAF_LOG_LEVEL: 'debug' }, { logLevel: 'error' }).logLevel, 'error')
})

test('a public URL is an origin, and anything behind or before it is refused', () => {
  assert.equal(configFrom({}).publicUrl, undefined)
  assert.equal(configFrom({ SHEAF_PUBLIC_URL: '' }).publicUrl, undefined)
  const env = { SHEAF_PUBLIC_URL: 'https://a.example.org' }
  assert.equal(configFrom(env).publicUrl, 'https://a.example.org')
  assert.equal(
    configFrom(env, { publicUrl: 'https://b.example.org:8443' }).publicUrl,
    'https://b.example.org:8443',
  )
  // As browsers send it.
  for (const [text, origin] of [
    ['HTTPS://DB.example.org/', 'https://db.example.org'],
    ['https://db.example.org:443', 'https://db.example.org'],
    ['https://b\u00fccher.example', 'https://xn--bcher-kva.example'],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
  ] as const)
    assert.equal(configFrom({}, { publicUrl: text }).publicUrl, origin)
  for (const publicUrl of [
    'db.example.org',
    'http://db.example.org',
    'https://',
    'https:db.example.org',
    'https:\\\\db.example.org',
    'https://db.example.org/sheaf',
    'https://db.example.org/?',
    'https://db.example.org?a',
    'https://db.example.org#',
    'https://ada@db.example.org',
    'https://ada:secret@db.example.org',
    'https://@db.example.org',
    ' https://db.example.org',
    'https://db.example.org\n',
    'https://db example.org',
    'https://db.example.org:99999',
  ])
    refused({}, { publicUrl }, /is no address of this server .*write https:\/\/, its name/)
  refused({}, { publicUrl: '' }, /--public-url is empty/)
})

test('nobody may make an account without a link, unless that is asked for', () => {
  assert.equal(configFrom({}).isSignupOpen, false)
  assert.equal(configFrom({ SHEAF_OPEN_SIGNUP: 'on' }).isSignupOpen, true)
  assert.equal(configFrom({ SHEAF_OPEN_SIGNUP: 'on' }, { openSignup: 'off' }).isSignupOpen, false)
  refused({ SHEAF_OPEN_SIGNUP: 'yes' }, {}, /--open-signup takes on or off, not "yes"/)
})

test('links lead to the public URL, else to the address that is printed', () => {
  for (const [host, address] of [
    ['localhost', 'https://localhost:9000'],
    ['0.0.0.0', 'https://localhost:9000'],
    ['::', 'https://localhost:9000'],
    ['192.0.2.1', 'https://192.0.2.1:9000'],
    ['[2001:db8::1]', 'https://[2001:db8::1]:9000'],
    ['db.example.org', 'https://db.example.org:9000'],
  ] as const) {
    assert.equal(linkOrigin(configFrom({}, { host }), 9000), address)
    const config = configFrom({ SHEAF_PUBLIC_URL: 'https://a.example.org' }, { host })
    assert.deepEqual(
      [linkOrigin(config, 9000), serverAddress(config, 9000)],
      ['https://a.example.org', address],
    )
  }
})

test('a service name that can be no header is refused', () => {
  refused({}, { serviceName: ['My Service'] }, /can't be a service name/)
  refused({ SHEAF_SERVICE_NAMES: 'ok,bad:name' }, {}, /"bad:name"/)
})

test('a network that is none is refused', () => {
  for (const wrong of [
    '*',
    'loopback',
    '10.0.0.0/33',
    'fd00::/129',
    '10/8',
    '010.0.0.0/8',
    '10.0.0.0/8/8',
    '::ffff:10.0.0.0/8',
  ])
    refused({}, { trustProxy: [wrong] }, /is no network to trust proxies in/)
  refused({ SHEAF_TRUST_PROXY: '10.0.0.0/8,proxy.example' }, {}, /"proxy\.example"/)
})

test('trusted proxies are none without a setting, and networks or addresses with one', () => {
  assert.deepEqual(configFrom({}).trustProxy, [])
  assert.deepEqual(configFrom({ SHEAF_TRUST_PROXY: '' }).trustProxy, [])
  const networks = ['10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.1']
  assert.deepEqual(configFrom({ SHEAF_TRUST_PROXY: networks.join(', ') }).trustProxy, networks)
  assert.deepEqual(configFrom({ SHEAF_TRUST_PROXY: '::1' }, { trustProxy: networks }).trustProxy, networks)
})

test('without settings the documented defaults hold', () => {
  const config = configFrom({})
  assert.equal(config.dataDir, resolve('data'))
  assert.equal(config.port, 8443)
  assert.equal(config.host, 'localhost')
  assert.deepEqual(config.serviceNames, ['Service', 'Flybase', 'DataMcFly'])
  assert.deepEqual(config.limits, DEFAULT_LIMITS)
  assert.equal(config.tlsCert, undefined)
  assert.ok(config.readerThreads >= 2 && config.readerThreads <= 8)
})

test('threads of HTTP are as many as are asked for, else fewer than there are cores', () => {
  assert.equal(configFrom({ SHEAF_HTTP_THREADS: '3' }).httpThreads, 3)
  assert.equal(configFrom({ SHEAF_HTTP_THREADS: '3' }, { httpThreads: '4' }).httpThreads, 4)
  for (const text of ['0', '65', '1.5', 'all'])
    assert.throws(() => configFrom({ SHEAF_HTTP_THREADS: text }), { code: 'invalid_configuration' })
  assert.deepEqual(
    [1, 2, 3, 4, 8, 9, 64].map((cores) => configFrom({}, {}, cores).httpThreads),
    [1, 1, 2, 3, 7, 8, 8],
  )
})

test('the configuration is frozen, its lists too', () => {
  const config = configFrom({})
  assert.ok(Object.isFrozen(config) && Object.isFrozen(config.limits) && Object.isFrozen(config.serviceNames))
  assert.ok(Object.isFrozen(config.trustProxy))
})

test('an option wins over its variable, and an empty variable counts as not set', () => {
  assert.equal(configFrom({ SHEAF_PORT: '1' }, { port: '2' }).port, 2)
  assert.equal(configFrom({ SHEAF_PORT: '1' }).port, 1)
  assert.equal(configFrom({ SHEAF_PORT: '' }).port, 8443)
  assert.equal(configFrom({ SHEAF_DATA: '/a' }, { data: '/b' }).dataDir, '/b')
  assert.equal(configFrom({ SHEAF_HOST: '[::1]' }).host, '::1')
})

test('service names that are given come to Service and those of the known siblings, each once', () => {
  const usual = ['Service', 'Flybase', 'DataMcFly']
  assert.deepEqual(configFrom({ SHEAF_SERVICE_NAMES: '' }).serviceNames, usual)
  assert.deepEqual(configFrom({ SHEAF_SERVICE_NAMES: 'Acme, Service,Acme' }).serviceNames, [...usual, 'Acme'])
  const serviceName = ['One', 'DataMcFly', 'Two']
  assert.deepEqual(configFrom({}, { serviceName }).serviceNames, [...usual, 'One', 'Two'])
})

test('the service name none takes the known siblings away, and stands alone', () => {
  assert.deepEqual(configFrom({ SHEAF_SERVICE_NAMES: 'none' }).serviceNames, ['Service'])
  assert.deepEqual(configFrom({ SHEAF_SERVICE_NAMES: 'X' }, { serviceName: ['None'] }).serviceNames, [
    'Service',
  ])
  refused({ SHEAF_SERVICE_NAMES: 'none,Acme' }, {}, /none stands alone/)
  refused({}, { serviceName: ['Acme', 'none'] }, /none stands alone/)
})

test('every limit can be moved by its variable', () => {
  assert.equal(limitVariable('documentBytes'), 'SHEAF_LIMIT_DOCUMENT_BYTES')
  for (const limit of Object.keys(DEFAULT_LIMITS) as (keyof typeof DEFAULT_LIMITS)[])
    assert.equal(configFrom({ [limitVariable(limit)]: '300' }).limits[limit], 300)
})

test('a name that no authority vouches for is refused, and so is half of a wish for ACME', () => {
  for (const name of [
    'localhost',
    '*.example.org',
    '192.0.2.1',
    '::1',
    'https://a.example.org',
    '-a.example',
    'a..b',
  ])
    refused({}, { acmeDomain: [name] }, /is no name that an authority gives a certificate for/)
  refused({ SHEAF_ACME_EMAIL: 'a@example.org' }, {}, /need a name to be for; give --acme-domain/)
  refused({}, { acmeDomain: [''] }, /--acme-domain is empty/)
  refused({}, { trustProxy: [''] }, /--trust-proxy is empty/)
  refused(
    {},
    { trustProxy: ['127.0.0.9/8'] },
    /inside a network; write 127.0.0.0\/8 for the network, or 127.0.0.9$/,
  )
  const acmeDomain = ['a.example.org']
  refused({}, { acmeDomain, acmeEmail: 'nobody' }, /"nobody" is no address for mail/)
  refused({}, { acmeDomain, acmeDirectory: 'http://ca.example.org/' }, /give its https address/)
  refused({}, { acmeDomain, acmeHttpPort: '0' }, /must be a whole number from 1 to 65535/)
  refused({}, { acmeDomain, tlsCert: 'c', tlsKey: 'k' }, /two ways to a certificate/)
  refused({}, { sitesCert: 'c' }, /--sites-cert and --sites-key belong together/)
})

test('backups are made in a folder, by a clock where one is given', () => {
  assert.equal(configFrom({}).backups, undefined)
  const backups = configFrom(
    { SHEAF_BACKUP_DIR: '/b', SHEAF_BACKUP_EVERY: '6h' },
    { backupKeep: '3' },
  ).backups
  assert.deepEqual(backups, { folder: '/b', everyMs: 6 * 60 * 60 * 1000, keep: 3 })
  assert.deepEqual(configFrom({}, { backupDir: '/b' }).backups, { folder: '/b', everyMs: undefined, keep: 7 })
  const wrong: ConfigArgs[] = [
    { backupEvery: '1d' },
    { backupKeep: '7' },
    { backupDir: '' },
    { backupDir: '/b', backupEvery: '59s' },
    { backupDir: '/b', backupEvery: 'daily' },
    { backupDir: '/b', backupKeep: '0' },
  ]
  for (const args of wrong) assert.throws(() => configFrom({}, args), { code: 'invalid_configuration' })
})

test('a mail server is a URL with user and password, and needs a sender and a public URL', () => {
  const args = { mailFrom: 'sheaf@example.org', publicUrl: 'https://db.example.org' }
  const from = { from: 'sheaf@example.org' }
  assert.equal(configFrom({}).mail, undefined)
  for (const [SHEAF_SMTP_URL, server] of [
    ['smtps://mail.example.org', { host: 'mail.example.org', security: 'tls', port: 465 }],
    ['smtp://mail.example.org/', { host: 'mail.example.org', security: 'starttls', port: 587 }],
    ['smtp://localhost:25', { host: 'localhost', security: 'none', port: 25 }],
    ['smtp://127.8.8.8', { host: '127.8.8.8', security: 'none', port: 587 }],
    ['smtp://[::1]:2525', { host: '::1', security: 'none', port: 2525 }],
    ['smtp://[::ffff:127.0.0.1]', { host: '::ffff:7f00:1', security: 'none', port: 587 }],
    ['smtps://localhost', { host: 'localhost', security: 'tls', port: 465 }],
    [
      'smtps://ada%40example.org:a%3Ab%2F@m.example.org:1465',
      { host: 'm.example.org', security: 'tls', port: 1465, user: 'ada@example.org', password: 'a:b/' },
    ],
  ] as const)
    assert.deepEqual(configFrom({ SHEAF_SMTP_URL }, args).mail, { ...server, ...from })
  for (const SHEAF_SMTP_URL of [
    'mail.example.org',
    'https://secret@mail.example.org',
    'smtp:mail.example.org',
    'smtp://mail.example.org/secret',
    'smtp://mail.example.org?secret',
    'smtp://mail.example.org#secret',
    'smtp://secret%:x@mail.example.org',
    'smtp://mail.example.org:99999',
    'smtp://',
  ])
    assert.throws(
      () => configFrom({ SHEAF_SMTP_URL }, args),
      ({ code, message }) => code === 'invalid_configuration' && !message.includes('secret'),
      SHEAF_SMTP_URL,
    )
  const env = { SHEAF_SMTP_URL: 'smtps://mail.example.org' }
  refused(env, { publicUrl: args.publicUrl }, /--mail-from/)
  for (const mailFrom of ['Sheaf <a@b.example>', 'a@b.example,c@d.example', 'nobody', 'a@b>c'])
    refused(env, { ...args, mailFrom }, /--mail-from/)
  refused(env, { mailFrom: args.mailFrom }, /--public-url/)
  refused({}, args, /SHEAF_SMTP_URL/)
  refused({ ...env, SHEAF_SMTP_URL_FILE: '/nowhere' }, args, /one of them/)
  refused({}, { ...args, smtpUrlFile: '/nowhere' }, /can't be read: ENOENT/)
})
