import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_SETTINGS } from './app-settings.ts'
import { describeAppSentence } from './describe-key-sentence.ts'
import { describeAppSettings, readAppSettings } from './read-app-settings.ts'

describe('settings of an app', () => {
  it('are refused in a wrong form, and where a name is none of them', () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [null, /must be an object/],
      [[], /must be an object/],
      [
        { address: 'all' },
        /"address" is no setting; the settings are addresses, websites, localhost, rate, /,
      ],
      // A rule of a key, which an app has none of.
      [{ permission: 'read' }, /"permission" is no setting/],
      [{ apps: ['shop'] }, /"apps" is no setting/],
      [{ addresses: [] }, /name at least one address, or lift the rule/],
      [{ addresses: ['10.1.2.3/8'] }, /write 10\.0\.0\.0\/8 for the network/],
      [{ websites: 'example.com' }, /websites must be "all" or a list of texts/],
      [{ localhost: 'no' }, /localhost must be true or false/],
      [{ rate: '5/h' }, /can't be a rate/],
      [{ documentBytes: 0 }, /documentBytes takes a whole number of bytes from 1 to 268435456, or null/],
      [{ documentBytes: '1000' }, /documentBytes takes/],
      [{ documentBytes: 1.5 }, /documentBytes takes/],
      [{ keyDefaults: [] }, /the rules must be an object/],
      [{ keyDefaults: null }, /the rules must be an object/],
      [{ keyDefaults: { apps: 'all' } }, /apps is no default/],
      [{ keyDefaults: { expires: '2030-01-01' } }, /expires says for how long a key is good/],
      [{ keyDefaults: { expires: '0d' } }, /longer than nothing/],
      [{ keyDefaults: { rates: '5/s' } }, /"rates" is no rule/],
    ]
    for (const [json, message] of wrong)
      assert.throws(() => readAppSettings(json), { code: 'invalid_rule', message }, JSON.stringify(json))
  })

  it('are kept in one form, and read as they are described', () => {
    const settings = readAppSettings({
      addresses: ['192.0.2.7', '10.0.0.0/8', '10.0.0.0/8'],
      websites: ['HTTPS://Example.com'],
      localhost: false,
      rate: '100/min',
      documentBytes: 2048,
      keyDefaults: { permission: 'update,read', expires: '30d', rate: '5/s' },
    })
    assert.deepEqual(settings.rate, { requests: 100, perMs: 60_000 })
    assert.deepEqual(settings.addresses, ['192.0.2.7/32', '10.0.0.0/8'])
    assert.deepEqual(settings.keyDefaults, { permission: 'read,update', rate: '5/s', expires: '30d' })
    const whole = { ...NO_SETTINGS, ...settings }
    assert.deepEqual(readAppSettings(describeAppSettings(whole)), whole)
    assert.deepEqual(readAppSettings(describeAppSettings(NO_SETTINGS)), NO_SETTINGS)
    assert.deepEqual(readAppSettings({}), {})
  })

  it('are told in one sentence, as far as they bound keys', () => {
    assert.equal(describeAppSentence(NO_SETTINGS), undefined)
    assert.equal(describeAppSentence({ ...NO_SETTINGS, keyDefaults: { rate: '5/s' } }), undefined)
    assert.equal(
      describeAppSentence({
        addresses: ['10.0.0.0/8', '192.0.2.7'],
        websites: ['example.com'],
        localhost: false,
        rate: { requests: 100, perMs: 60_000 },
        documentBytes: 2048,
        keyDefaults: {},
      }),
      'All keys of this app work only from the addresses 10.0.0.0/8 and 192.0.2.7, work only on pages of the website ' +
        'example.com, not of localhost, are used at most 100 times a minute together and write documents of at most 2048 bytes.',
    )
    assert.equal(
      describeAppSentence({ ...NO_SETTINGS, rate: { requests: 1, perMs: 1000 } }),
      'All keys of this app are used at most 1 time a second together.',
    )
  })
})
