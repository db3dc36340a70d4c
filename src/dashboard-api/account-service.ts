import type { AccountOperations, PublicOperations } from './account-operations.ts'

/** What a request says of who sends it, not checked yet. */
export interface Requester {
  readonly address: string
  readonly userAgent: string
  /** Of the cookie. */
  readonly sessionSecret?: string | undefined
  /** A token of an account; where there is one, it decides alone. */
  readonly bearer?: string | undefined
  /**
   * Who runs a command on the data folder, such as `cli:ada`, for the audit trail. What says so comes by the socket in
   * that folder, which its owner alone can open.
   */
  readonly commandLine?: string | undefined
}

type PublicInput<Name extends keyof PublicOperations> = Omit<
  Parameters<PublicOperations[Name]>[1],
  'address' | 'userAgent'
>
type AccountInput<Name extends keyof AccountOperations> = Parameters<AccountOperations[Name]>[2]

/** By the names of the operations; each has plain values for its input and its result. */
export type OperationName = keyof PublicOperations | keyof AccountOperations

export type InputOf<Name extends OperationName> = Name extends keyof PublicOperations
  ? PublicInput<Name>
  : Name extends keyof AccountOperations
    ? AccountInput<Name>
    : never

export type ResultOf<Name extends OperationName> = Awaited<
  ReturnType<(PublicOperations & AccountOperations)[Name]>
>

/** How a call is made. */
export interface CallOptions {
  readonly requester: Requester
  /** Whether it may change something. */
  readonly isChange: boolean
}

/** Where operations on accounts are done: on the thread that is asked, or on another one. */
export interface AccountService {
  /** @throws AppError what the operation throws, what `authenticateCaller` throws, `store_unavailable` */
  call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options: CallOptions,
  ): Promise<ResultOf<Name>>
  /** Has everything loaded that calls need, so that the first of them doesn't wait for it. */
  prepare(): void
}

/** A call as it crosses to the thread that does it. */
export interface AccountCall extends CallOptions {
  readonly name: OperationName
  readonly input: unknown
}
