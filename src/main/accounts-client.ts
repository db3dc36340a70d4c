import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type {
  AccountService,
  CallOptions,
  InputOf,
  OperationName,
  ResultOf,
} from '../dashboard-api/account-service.ts'
import { AppError } from '../errors.ts'
import { errorOf } from '../storage/sqlite/protocol/failures.ts'
import type { AccountCallMessage, AccountResultMessage } from './accounts-thread-protocol.ts'

interface Pending {
  readonly resolve: (result: never) => void
  readonly reject: (error: AppError) => void
}

/** Accounts, as a thread that serves HTTP reaches them: by a port to the thread that has them, made with the first call. */
export class AccountsClient implements AccountService {
  private readonly connect: (port: MessagePort) => void
  private readonly pending = new Map<number, Pending>()
  private port: MessagePort | undefined
  private lastId = 0

  /** @param connect hands one end of a channel to the thread of accounts */
  constructor(connect: (port: MessagePort) => void) {
    this.connect = connect
  }

  call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options: CallOptions,
  ): Promise<ResultOf<Name>> {
    return new Promise((resolve, reject) => {
      const id = ++this.lastId
      this.pending.set(id, { resolve, reject })
      this.port ??= this.open()
      this.port.postMessage([id, { name, input, ...options }] satisfies AccountCallMessage)
    })
  }

  prepare(): void {
    this.port ??= this.open()
  }

  close(): void {
    this.port?.close()
  }

  private open(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    port1.on('message', (message: AccountResultMessage) => this.settle(message))
    port1.once('close', () => this.giveUp())
    this.connect(port2)
    return port1
  }

  private settle([id, result, failure]: AccountResultMessage): void {
    const pending = this.pending.get(id)
    this.pending.delete(id)
    if (failure === undefined) pending?.resolve(result as never)
    else pending?.reject(errorOf(failure))
  }

  /** The thread has ended; the next call gets another one. */
  private giveUp(): void {
    this.port = undefined
    const waiting = [...this.pending.values()]
    this.pending.clear()
    for (const { reject } of waiting)
      reject(
        new AppError('outcome_unknown', 'it is not known whether this was done; look before trying again'),
      )
  }
}
