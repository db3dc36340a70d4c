import type { AddressInfo } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import type { ThreadDelta } from '../analytics/traffic-counter.ts'
import type { TlsIdentity } from '../http/connection/tls-identity.ts'
import type { ThreadFacts } from '../metrics/metric-facts.ts'
import type { Failure } from '../storage/sqlite/protocol/failures.ts'
import type { SharedStore } from '../storage/sqlite/threads/storage-threads.ts'
import type { Observation } from './batching-observer.ts'
import type { FittedConfig } from './fit-to-machine.ts'
import type { SharedLimits } from './shared-limits.ts'
import type { AppBatches, TailAsked } from './traffic-tails.ts'

/** What a thread that serves HTTP is started with; it listens at once. */
export interface HttpThreadData {
  readonly config: FittedConfig
  readonly store: SharedStore
  readonly tls: TlsIdentity
  readonly shared: SharedLimits
  /** Other than the configured one it is never 0. */
  readonly port: number
  /** Between the thread and the one that started it. */
  readonly control: MessagePort
}

/** What the thread is asked for, each with one answer of the same name. */
export type HttpThreadRequest =
  | { readonly ask: 'certificate'; readonly tls: TlsIdentity }
  /** To ask anew for the certificates of hosts. */
  | { readonly ask: 'host-certificates' }
  /** Whether its directory holds every change that was made before. */
  | { readonly ask: 'refresh' }
  /** To hand over what it has counted of requests, before it answers. */
  | { readonly ask: 'traffic' }
  /** To tell how it is, before it answers. */
  | { readonly ask: 'facts' }
  /** To tell of the requests of these apps, by their ids, and of no others. */
  | { readonly ask: 'watch'; readonly apps: readonly string[] }
  | { readonly ask: 'close' }

export type HttpThreadMessage =
  | { readonly listening: readonly AddressInfo[] }
  | { readonly failure: Failure }
  | { readonly done: HttpThreadRequest['ask'] }
  /** Whole lines of the log. */
  | { readonly lines: string }
  /** What its store was asked for. */
  | { readonly observations: readonly Observation[] }
  /** What it has counted of requests. */
  | { readonly traffic: ThreadDelta }
  /** Requests of apps that are watched. */
  | { readonly tail: AppBatches }
  /** A view of requests that is asked for, with the port at which it is told of them. */
  | { readonly tailAsked: TailAsked }
  /** A host whose certificate it wants, and the port for the one answer: a `HostCertificateMessage`. */
  | { readonly host: string; readonly answerTo: MessagePort }
  /** How it is. */
  | { readonly facts: ThreadFacts }
  /** The port at which it waits for the metrics of the process: a `MetricsMessage`. */
  | { readonly metricsTo: MessagePort }
  /** A port at which it makes calls to the thread of accounts. */
  | { readonly accounts: MessagePort }

export type MetricsMessage = { readonly text: string } | { readonly failure: Failure }

/** Undefined where a host is served with the certificate for all names. */
export type HostCertificateMessage = TlsIdentity | undefined
