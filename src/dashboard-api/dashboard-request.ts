import type { ServerResponse } from 'node:http'
import type { Principal } from '../domain/principal.ts'
import { AppError } from '../errors.ts'
import { BODY_BYTES_PER_SECOND } from '../http/connection/timeouts.ts'
import {
  filledParameter,
  flagParameter,
  integerParameter,
  textParameter,
} from '../http/request/parameters.ts'
import { readBody } from '../http/request/receive-body.ts'
import { queryParameters } from '../http/request/request-target.ts'
import { streamBody } from '../http/request/stream-body.ts'
import type { Reply } from '../http/response/reply.ts'
import type { Body, OperationContext } from '../operations/context.ts'
import type { InputOf, OperationName, ResultOf } from './account-service.ts'
import { type AppOpening, openAppFor } from './open-app-for.ts'
import { type Fields, type FieldValues, readFields } from './read-fields.ts'
import { pendingSignIn } from './session-cookie.ts'
import type { OpenTail, Tail, TailWanted } from './tail-stream.ts'

/** Entries of a list where nobody says how many. */
const LISTED = 100
/** Preferences, the longest of what is sent here, and room to escape them. */
const BODY_BYTES = 256 * 1024
/** A long body has to bring its least rate on average, so that it may pause for as long. */
const RATE_OVER_MS = 60_000
const UTF8 = new TextDecoder('utf-8', { fatal: true })

export interface DashboardRequestParts {
  readonly opening: AppOpening
  /** Whether its method is one that may change something. */
  readonly isChange: boolean
  readonly response: ServerResponse
  /** What stands in the path where its pattern has a name in braces, decoded. */
  readonly names: Readonly<Record<string, string>>
  readonly query: string
  readonly expectsContinue: boolean
  readonly openTail: OpenTail
}

type InputArguments<Name extends OperationName> =
  InputOf<Name> extends undefined ? [] : [input: InputOf<Name>]

/** What a route answers. */
export interface DashboardRoute {
  (request: DashboardRequest): Promise<Reply>
  /** Of its body, where that is no JSON. */
  readonly mediaTypes?: ReadonlySet<string>
  /** A parameter without which its path is that of a document. */
  readonly needs?: string
  /** All that it takes, where it refuses others. */
  readonly parameters?: readonly string[]
}

/** One request for the dashboard's interface on its way through a route. */
export class DashboardRequest {
  private readonly parts: DashboardRequestParts

  constructor(parts: DashboardRequestParts) {
    this.parts = parts
  }

  /** @param name one that the route's pattern has in braces */
  name(name: string): string {
    return this.parts.names[name]!
  }

  /** Has an operation done for whoever sent the request. @throws AppError as the operation does */
  call<Name extends OperationName>(name: Name, ...input: InputArguments<Name>): Promise<ResultOf<Name>> {
    return this.perform(name, input, this.parts.isChange)
  }

  /** The same of one that changes nothing, whatever the request's method is. @throws AppError as the operation does */
  look<Name extends OperationName>(name: Name, ...input: InputArguments<Name>): Promise<ResultOf<Name>> {
    return this.perform(name, input, false)
  }

  /**
   * Has an operation done on the documents of an app. One that takes long may ask anew who the account is to it by then.
   * @throws AppError as `openAppFor` and the operation do
   */
  async inApp<Result>(
    app: string,
    operation: (
      context: OperationContext,
      principal: Principal,
      reauthorise: () => Promise<Principal>,
    ) => Promise<Result>,
  ): Promise<Result> {
    const { opening } = this.parts
    return operation(opening.context, await openAppFor(opening, app), async () => {
      const principal = await openAppFor(opening, app)
      // The app may have gone by way of another thread, and another one come.
      await opening.refreshDirectory()
      return principal
    })
  }

  /**
   * The fields of the body, which has to be JSON; that it is called so was seen to before.
   * @param bodyBytes that it may have
   * @throws AppError `invalid_json`, `invalid_request`, and as `readBody` does
   */
  async fields<const Described extends Fields>(
    described: Described,
    bodyBytes = BODY_BYTES,
  ): Promise<FieldValues<Described>> {
    return readFields(parsed(await this.json(bodyBytes)), described)
  }

  /**
   * Refuses a body that has something in it: whoever sends that wants something else.
   * @throws AppError as `fields` does
   */
  async noFields(): Promise<void> {
    const text = await this.json()
    if (text !== '') readFields(parsed(text), {})
  }

  /**
   * Which part of a list is wanted: `l` entries, and what these parameters say where they are filled in.
   * @throws AppError `duplicate_parameter`, `invalid_parameter`
   */
  page<const Name extends string>(
    names: readonly Name[],
  ): { readonly limit: number } & { readonly [Each in Name]?: string } {
    const parameters = queryParameters(this.parts.query)
    const given = names.map((name) => [name, filledParameter(parameters, name)])
    return {
      limit: integerParameter(parameters, 'l', LISTED),
      ...(Object.fromEntries(given) as { [Each in Name]?: string }),
    }
  }

  /** @throws AppError `duplicate_parameter`, `invalid_parameter` */
  parameter(name: string): string | undefined {
    return textParameter(queryParameters(this.parts.query), name)
  }

  /** One that is as if absent where it is empty. @throws AppError `duplicate_parameter`, `invalid_parameter` */
  filled(name: string): string | undefined {
    return filledParameter(queryParameters(this.parts.query), name)
  }

  /** @throws AppError `duplicate_parameter`, `invalid_parameter` */
  flag(name: string, absent = false): boolean {
    return flagParameter(queryParameters(this.parts.query), name, absent)
  }

  /** @throws AppError `duplicate_parameter`, `invalid_parameter` */
  integer(name: string, absent: number): number {
    return integerParameter(queryParameters(this.parts.query), name, absent)
  }

  /** Whether no more than the head of the answer is wanted. */
  get isHead(): boolean {
    return this.parts.opening.request.method === 'HEAD'
  }

  /** Whether it comes by the socket in the data folder. */
  get isCommand(): boolean {
    return this.parts.opening.requester.commandLine !== undefined
  }

  /** @throws AppError `rate_limited` */
  openTail(wanted: TailWanted): Promise<Tail> {
    return this.parts.openTail(wanted)
  }

  /** Tells once that nobody waits for the answer any more. */
  whenGone(listener: () => void): void {
    const { socket } = this.parts.opening.request
    const { response } = this.parts
    const gone = (): void => {
      socket.off('close', gone)
      response.off('finish', gone)
      listener()
    }
    socket.on('close', gone)
    response.on('finish', gone)
  }

  /** Whether nobody waits for the answer any more. */
  isCancelled(): boolean {
    return this.parts.opening.request.socket.destroyed
  }

  /** @throws AppError as `readBody` does */
  body(bodyBytes: number): Promise<Body> {
    const { opening, response, expectsContinue } = this.parts
    return readBody(opening.request, response, { bodyBytes, expectsContinue })
  }

  /**
   * A body of any length, as it comes.
   * @param bytesPerSecond that it has to bring while it is waited for
   * @throws as `streamBody` does, in the loop
   */
  stream(bytesPerSecond = BODY_BYTES_PER_SECOND): AsyncIterable<Buffer> {
    const { opening, response, expectsContinue } = this.parts
    // What a command sends may come from another program, which takes its time.
    const leastRate = this.isCommand ? undefined : { bytesPerSecond, overMs: RATE_OVER_MS }
    return streamBody(opening.request, response, { expectsContinue, leastRate })
  }

  /** What the browser kept of a sign-in that it went to an OpenID provider for; not checked yet. */
  get pendingSignIn(): string | undefined {
    return pendingSignIn(this.parts.opening.request.headers.cookie)
  }

  /** What the body is called, without its parameters, in lower case. */
  get mediaType(): string {
    const { 'content-type': type = '' } = this.parts.opening.request.headers
    return type.split(';', 1)[0]!.trim().toLowerCase()
  }

  /**
   * The text of a body that is called JSON, as it came.
   * @throws AppError `invalid_json` where it isn't UTF-8, and as `readBody` does
   */
  async json(bodyBytes = BODY_BYTES): Promise<string> {
    const blocks = await this.body(bodyBytes)
    try {
      return UTF8.decode(Buffer.concat(blocks))
    } catch (error) {
      throw new AppError('invalid_json', 'the body is not UTF-8', { cause: error })
    }
  }

  private perform<Name extends OperationName>(
    name: Name,
    [input]: InputArguments<Name>,
    isChange: boolean,
  ): Promise<ResultOf<Name>> {
    const { accounts, requester } = this.parts.opening
    return accounts.call(name, input as InputOf<Name>, { requester, isChange })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid_json', 'the body is not JSON', { cause: error })
  }
}
