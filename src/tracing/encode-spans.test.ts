import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeSpans } from './encode-spans.ts'
import type { SpanBatch } from './span.ts'

const BATCH: SpanBatch = {
  resource: { 'service.name': 's' },
  scope: { name: 'sheaf', version: '1' },
  spans: [
    {
      traceId: '0102030405060708090a0b0c0d0e0f10',
      spanId: '1112131415161718',
      parentId: '2122232425262728',
      name: 'GET é',
      kind: 'server',
      startedAt: 1.0005,
      endedAt: 2,
      attributes: { a: 'b', n: 300, none: undefined },
      isFailed: true,
    },
  ],
}

describe('spans', () => {
  it('are the JSON of OTLP', () => {
    const { type, bytes } = encodeSpans(BATCH, 'http/json')
    assert.equal(type, 'application/json')
    assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 's' } }] },
          scopeSpans: [
            {
              scope: { name: 'sheaf', version: '1' },
              spans: [
                {
                  traceId: '0102030405060708090a0b0c0d0e0f10',
                  spanId: '1112131415161718',
                  parentSpanId: '2122232425262728',
                  name: 'GET é',
                  kind: 2,
                  startTimeUnixNano: '1001000',
                  endTimeUnixNano: '2000000',
                  attributes: [
                    { key: 'a', value: { stringValue: 'b' } },
                    { key: 'n', value: { intValue: '300' } },
                  ],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('are the protobuf of OTLP, byte by byte', () => {
    const { type, bytes } = encodeSpans(BATCH, 'http/protobuf')
    assert.equal(type, 'application/x-protobuf')
    const span = [
      '0a10 0102030405060708090a0b0c0d0e0f10',
      '1208 1112131415161718',
      '2208 2122232425262728',
      // "GET é" in UTF-8.
      '2a06 47455420c3a9',
      '3002',
      // 1,001,000 and 2,000,000 ns, little-endian.
      '39 28460f0000000000',
      '41 80841e0000000000',
      '4a08 0a0161 12030a0162',
      // 300 is ac 02 as a varint.
      '4a08 0a016e 120318ac02',
      '7a02 1802',
    ]
    const hex = (parts: readonly string[]): string => parts.join('').replaceAll(' ', '')
    const inside = (field: string, content: string): string =>
      field + (content.length / 2).toString(16).padStart(2, '0') + content
    const scopeSpans = inside('0a', hex(['0a05 7368656166', '1201 31'])) + inside('12', hex(span))
    const resource = inside('0a', hex(['0a0c 736572766963652e6e616d65', '1203 0a0173']))
    // The length of the whole is more than 127, a varint of two bytes.
    const body = inside('0a', resource) + inside('12', scopeSpans)
    const length = body.length / 2
    const varint = Buffer.from([(length % 128) | 128, length >> 7]).toString('hex')
    assert.equal(Buffer.from(bytes).toString('hex'), `0a${varint}${body}`)
  })
})
