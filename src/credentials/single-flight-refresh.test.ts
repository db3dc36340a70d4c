import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house, isRefused, NOW, recordOf } from '../../test/credentials-house.ts'
import type { Principal } from '../domain/principal.ts'
import { generateApiKey } from './api-key.ts'
import { createSingleFlightRefresh } from './single-flight-refresh.ts'

const EVE: Principal = {
  keyId: 'id-eve',
  name: 'eve',
  owner: null,
  rules: { ...house().ada.rules, apps: ['shop'] },
}

test('guesses cause one look in 20 ms, however many they are', async () => {
  const clock = { now: NOW }
  let looks = 0
  const refreshDirectory = createSingleFlightRefresh({
    now: () => clock.now,
    refresh: async () => {
      looks += 1
    },
  })
  const h = house({ refreshDirectory })
  for (let guess = 0; guess < 100; guess += 1) await isRefused(h, { apiKeyHeader: generateApiKey() })
  assert.equal(looks, 1)
  clock.now += 19
  await isRefused(h, { apiKeyHeader: generateApiKey() })
  assert.equal(looks, 1)
  clock.now += 1
  await isRefused(h, { apiKey: generateApiKey() })
  assert.equal(looks, 2)
})

test('nothing but a key that is not known is a reason to look', async () => {
  const h = house({ refreshDirectory: () => assert.fail('a look') })
  const token = await h.token(h.adaKey)
  for (const text of ['', 'shf_', 'token:x', `${h.adaKey} `, `token:${token.slice(1)}`])
    await isRefused(h, { apiKeyHeader: text })
  h.change([{ ...h.ada, rules: { ...h.ada.rules, expiresAt: NOW } }])
  await isRefused(h, { apiKeyHeader: h.adaKey })
  await isRefused(h, { jwttoken: token })
  await isRefused(h, {}, 'missing_credentials')
})

test('a key that the look finds is good, for all who came meanwhile', async () => {
  const key = generateApiKey()
  const found = Promise.withResolvers<void>()
  const h = house({
    refreshDirectory: createSingleFlightRefresh({ now: () => NOW, refresh: () => found.promise }),
  })
  const asking = [
    h.authenticator.authenticate({ apiKeyHeader: key }),
    h.authenticator.authenticate({ apiKey: key }),
    h.authenticator.authenticateKey(key),
  ]
  h.change([recordOf(EVE, key)])
  found.resolve()
  assert.deepEqual(await Promise.all(asking), [EVE, EVE, EVE])
  assert.deepEqual(h.authenticator.authenticate({ apiKeyHeader: key }), EVE)
})

test('a look that fails leaves the key unknown, and is tried again', async () => {
  const clock = { now: NOW }
  let looks = 0
  const refresh = async (): Promise<void> => {
    looks += 1
    throw new Error('the disk')
  }
  const h = house({ refreshDirectory: createSingleFlightRefresh({ now: () => clock.now, refresh }) })
  await isRefused(h, { apiKeyHeader: generateApiKey() })
  clock.now += 20
  await isRefused(h, { apiKeyHeader: generateApiKey() })
  assert.equal(looks, 2)
})
