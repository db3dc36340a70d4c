import { systemProblem } from '../../domain/system-problem.ts'
import type { ErrorCode } from '../../errors.ts'
import { AppError } from '../../errors.ts'
import { redact } from '../log/redact.ts'
import { entityTag } from './entity-tag.ts'
import type { Reply } from './reply.ts'

/** The one place where a code becomes a status. */
export const STATUS_OF_CODE: Readonly<Record<ErrorCode, number>> = Object.freeze({
  invalid_json: 400,
  duplicate_key: 400,
  number_out_of_range: 400,
  invalid_unicode: 400,
  null_character: 400,
  nesting_too_deep: 400,
  document_too_large: 400,
  body_too_large: 413,
  too_many_documents: 400,
  invalid_document: 400,
  invalid_field_name: 400,
  invalid_id: 400,
  invalid_path: 400,
  invalid_name: 400,
  url_too_long: 400,
  invalid_request: 400,
  invalid_parameter: 400,
  duplicate_parameter: 400,
  invalid_cursor: 400,
  missing_query: 400,
  invalid_query: 400,
  unknown_operator: 400,
  too_many_conditions: 400,
  too_many_values: 400,
  invalid_pattern: 400,
  invalid_update: 400,
  unknown_modifier: 400,
  conflicting_paths: 400,
  update_not_applicable: 400,
  immutable_id: 400,
  unique_violation: 400,
  document_exists: 409,
  import_under_way: 409,
  import_interrupted: 409,
  collection_not_found: 404,
  collection_exists: 409,
  precondition_failed: 412,
  unexpected_count: 412,
  changed_meanwhile: 503,
  missing_credentials: 401,
  invalid_credentials: 401,
  code_required: 401,
  invalid_code: 400,
  password_required: 403,
  wrong_password: 403,
  origin_not_allowed: 403,
  unsupported_media_type: 415,
  app_not_allowed: 403,
  permission_denied: 403,
  collection_not_allowed: 403,
  address_not_allowed: 403,
  website_not_allowed: 403,
  rate_limited: 429,
  too_many_failures: 429,
  invalid_rule: 400,
  invalid_secret: 400,
  unknown_path: 404,
  app_not_found: 404,
  document_not_found: 404,
  key_not_found: 404,
  index_not_found: 404,
  app_exists: 400,
  key_exists: 400,
  too_many_apps: 400,
  too_many_keys: 400,
  quota_exceeded: 403,
  daily_quota_exceeded: 429,
  account_exists: 400,
  account_not_found: 404,
  last_operator: 400,
  last_way_in: 409,
  mail_off: 409,
  mail_failed: 502,
  mail_refused: 502,
  webhook_off: 409,
  webhook_failed: 502,
  too_many_accounts: 400,
  invalid_account: 400,
  invalid_link: 400,
  too_many_links: 400,
  invalid_passkey: 400,
  passkey_exists: 400,
  passkey_not_found: 404,
  too_many_passkeys: 400,
  identity_unknown: 403,
  identity_taken: 409,
  identity_not_found: 404,
  too_many_identities: 400,
  provider_refused: 403,
  provider_unavailable: 503,
  token_exists: 400,
  token_not_found: 404,
  too_many_tokens: 400,
  too_many_shares: 400,
  invalid_domain: 400,
  domain_taken: 409,
  domain_unverified: 409,
  domain_not_found: 404,
  too_many_domains: 400,
  index_exists: 400,
  invalid_index: 400,
  too_many_indexes: 400,
  invalid_csv: 400,
  too_many_bad_lines: 400,
  method_not_allowed: 405,
  overloaded: 503,
  deadline_exceeded: 503,
  store_unavailable: 503,
  outcome_unknown: 503,
  invalid_configuration: 500,
  data_folder_in_use: 500,
  data_folder_unusable: 500,
  port_unavailable: 500,
  invalid_backup: 400,
  invalid_deploy: 400,
  deploy_too_large: 413,
  files_missing: 409,
  deploy_not_found: 404,
  deploy_under_way: 409,
  deploy_live: 409,
  invalid_certificate: 500,
  output_failed: 500,
  input_failed: 500,
  server_unreachable: 500,
  internal: 500,
})

/** Where the error itself doesn't know better. None for `outcome_unknown`: clients would repeat what may be done. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = Object.freeze({
  rate_limited: 1,
  daily_quota_exceeded: 1,
  too_many_failures: 1,
  overloaded: 1,
  deadline_exceeded: 1,
  changed_meanwhile: 1,
  store_unavailable: 5,
  provider_unavailable: 5,
})

const CHALLENGES: Partial<Record<ErrorCode, string>> = Object.freeze({
  missing_credentials: 'Bearer realm="sheaf"',
  code_required: 'Bearer realm="sheaf"',
  invalid_credentials: 'Bearer realm="sheaf", error="invalid_token"',
})

const INTERNAL_MESSAGE = 'something went wrong inside the server; its operator finds the reason in the log'

const NO_ROOM_MESSAGE =
  'the server has no room for this right now; its operator finds the reason in the log. Try again later'

/** Whether the system refused what the server needs: a full disk, too many open files. That may pass. */
function lacksRoom(error: unknown): boolean {
  return (
    systemProblem(error) !== undefined ||
    (error instanceof AppError && systemProblem(error.cause) !== undefined)
  )
}

/** Whether what was thrown is a fault of the server's own, whose text the client doesn't see. */
export function isFault(error: unknown): boolean {
  return !(error instanceof AppError) || STATUS_OF_CODE[error.code] === 500
}

const OF_THE_DISK: ReadonlySet<ErrorCode> = new Set(['store_unavailable', 'outcome_unknown'])

/** Whether the operator has to know: of faults, and of a disk that is full or fails. */
export function isForTheLog(error: unknown): boolean {
  return (
    isFault(error) || (error instanceof AppError && OF_THE_DISK.has(error.code) && error.cause !== undefined)
  )
}

const OF_A_LINE = /^line \d/

interface TextReply extends Reply {
  readonly body: string
}

/** What an error knows beside its code and message. */
type Known = Pick<AppError, 'retryAfterSeconds' | 'entityTag'>

/**
 * What a client is told about anything that was thrown. Messages quote what was wrong in a request, which may be a key
 * or a token in the wrong place, and answers end up in the logs of others.
 */
export function errorReply(error: unknown): TextReply {
  if (!(error instanceof AppError) || isFault(error))
    return lacksRoom(error)
      ? replyOf('store_unavailable', NO_ROOM_MESSAGE)
      : replyOf('internal', INTERNAL_MESSAGE)
  const { code, message } = error
  // One that speaks of it already knows better, and of a line the type was understood.
  const isClear = message.includes('Content-Type') || OF_A_LINE.test(message)
  if (code !== 'invalid_json' || isClear) return replyOf(code, message, error)
  return replyOf(code, `${message}. Send a JSON body, with the header Content-Type: application/json`)
}

function replyOf(
  code: ErrorCode,
  message: string,
  { retryAfterSeconds = RETRY_AFTER_SECONDS[code], entityTag: tag }: Known = {},
): TextReply {
  const headers: string[] = []
  const challenge = CHALLENGES[code]
  if (challenge !== undefined) headers.push('WWW-Authenticate', challenge)
  if (retryAfterSeconds !== undefined) headers.push('Retry-After', String(retryAfterSeconds))
  if (tag !== undefined) headers.push('ETag', entityTag(tag, 'strong', undefined))
  return {
    status: STATUS_OF_CODE[code],
    errorCode: code,
    body: JSON.stringify({ code, message: redact(message) }),
    headers,
  }
}
