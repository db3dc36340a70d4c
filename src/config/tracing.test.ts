import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tracingFrom } from './tracing.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318'

describe('the settings of traces', () => {
  it('refuse what is not there, by the name of the variable and without a secret', () => {
    for (const [name, value] of [
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
      ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/xml'],
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
      ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://user:secret@localhost/v1/traces'],
      ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
      ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=secret'],
      ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret%0d%0ab:c'],
      ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%secret'],
      ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
      ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
      ['OTEL_EXPORTER_OTLP_CERTIFICATE', '/nowhere/secret.pem'],
      ['OTEL_TRACES_EXPORTER', 'zipkin'],
      ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
      ['OTEL_PROPAGATORS', 'b3'],
      ['OTEL_RESOURCE_ATTRIBUTES', 'service'],
      ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
    ] as const)
      assert.throws(
        () => tracingFrom({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value }),
        ({ code, message }: { code: string; message: string }) =>
          code === 'invalid_configuration' &&
          message.includes(name) &&
          (name.endsWith('CERTIFICATE') || !message.includes('secret')),
        `${name}=${value}`,
      )
    for (const share of ['1.1', '-0.1', 'half', 'Infinity'])
      assert.throws(
        () =>
          tracingFrom({
            OTEL_EXPORTER_OTLP_ENDPOINT,
            OTEL_TRACES_SAMPLER: 'traceidratio',
            OTEL_TRACES_SAMPLER_ARG: share,
          }),
        /OTEL_TRACES_SAMPLER_ARG/,
      )
  })

  it('are none without an endpoint, and where they are turned off, whatever else is there', () => {
    const nonsense = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'x' }
    assert.equal(tracingFrom(nonsense), undefined)
    assert.equal(tracingFrom({ ...nonsense, OTEL_EXPORTER_OTLP_ENDPOINT: '' }), undefined)
    const given = { ...nonsense, OTEL_EXPORTER_OTLP_ENDPOINT }
    assert.equal(tracingFrom({ ...given, OTEL_SDK_DISABLED: 'TRUE' }), undefined)
    assert.equal(tracingFrom({ ...given, OTEL_TRACES_EXPORTER: 'none' }), undefined)
  })

  it('are those of the specification where only an endpoint is named', () => {
    const { resource, ...settings } = tracingFrom({ OTEL_EXPORTER_OTLP_ENDPOINT })!
    assert.equal(resource['service.name'], 'sheaf')
    assert.deepEqual(settings, {
      url: 'http://localhost:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: {},
      timeoutMs: 10_000,
      isCompressed: false,
      ca: undefined,
      clientKey: undefined,
      clientCertificate: undefined,
      sampler: { followsParent: true, share: 1 },
      takesParent: true,
      batch: { delayMs: 5000, queueSpans: 2048, batchSpans: 512, exportMs: 30_000 },
    })
  })

  it('take what is for traces before what is for all', () => {
    const settings = tracingFrom({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318/base/',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/here?x=1',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-team = ops ',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test%20lab',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
      OTEL_PROPAGATORS: 'none',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
    })!
    assert.equal(settings.url, 'https://traces/here?x=1')
    assert.equal(settings.protocol, 'http/json')
    assert.deepEqual(settings.headers, { authorization: 'Bearer a=b', 'x-team': 'ops' })
    assert.equal(settings.resource['service.name'], 'shop')
    assert.equal(settings.resource['deployment.environment.name'], 'test lab')
    assert.deepEqual(settings.sampler, { followsParent: true, share: 0.25 })
    assert.equal(settings.takesParent, false)
    assert.equal(settings.batch.batchSpans, 100)
    const all = tracingFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318/base/' })!
    assert.equal(all.url, 'http://all:4318/base/v1/traces')
  })
})
