/**
 * Every code that an answer or a command can carry. A code is stable: it may be added to this list, never
 * renamed, never reused for another meaning. `http/response/error-reply.ts` says which status each one becomes.
 */
export const ERROR_CODES = [
  'invalid_json',
  'duplicate_key',
  'number_out_of_range',
  'invalid_unicode',
  'null_character',
  'nesting_too_deep',
  'document_too_large',
  'body_too_large',
  'too_many_documents',
  'invalid_document',
  'invalid_field_name',
  'invalid_id',
  'invalid_path',
  'invalid_name',
  'url_too_long',
  'invalid_request',
  'invalid_parameter',
  'duplicate_parameter',
  'invalid_cursor',
  'missing_query',
  'invalid_query',
  'unknown_operator',
  'too_many_conditions',
  'too_many_values',
  'invalid_pattern',
  'invalid_update',
  'unknown_modifier',
  'conflicting_paths',
  'update_not_applicable',
  'immutable_id',
  'unique_violation',
  'document_exists',
  'import_under_way',
  'import_interrupted',
  'collection_not_found',
  'collection_exists',
  'precondition_failed',
  'unexpected_count',
  'changed_meanwhile',
  'missing_credentials',
  'invalid_credentials',
  'code_required',
  'invalid_code',
  'password_required',
  'wrong_password',
  'origin_not_allowed',
  'unsupported_media_type',
  'app_not_allowed',
  'permission_denied',
  'collection_not_allowed',
  'address_not_allowed',
  'website_not_allowed',
  'rate_limited',
  'too_many_failures',
  'invalid_rule',
  'invalid_secret',
  'unknown_path',
  'app_not_found',
  'document_not_found',
  'key_not_found',
  'index_not_found',
  'app_exists',
  'key_exists',
  'too_many_apps',
  'too_many_keys',
  'quota_exceeded',
  'daily_quota_exceeded',
  'account_exists',
  'account_not_found',
  'last_operator',
  'last_way_in',
  'mail_off',
  'mail_failed',
  'mail_refused',
  'webhook_off',
  'webhook_failed',
  'too_many_accounts',
  'invalid_account',
  'invalid_link',
  'too_many_links',
  'invalid_passkey',
  'passkey_exists',
  'passkey_not_found',
  'too_many_passkeys',
  'identity_unknown',
  'identity_taken',
  'identity_not_found',
  'too_many_identities',
  'provider_refused',
  'provider_unavailable',
  'token_exists',
  'token_not_found',
  'too_many_tokens',
  'too_many_shares',
  'invalid_domain',
  'domain_taken',
  'domain_unverified',
  'domain_not_found',
  'too_many_domains',
  'index_exists',
  'invalid_index',
  'too_many_indexes',
  'invalid_csv',
  'too_many_bad_lines',
  'method_not_allowed',
  'overloaded',
  'deadline_exceeded',
  'store_unavailable',
  'outcome_unknown',
  'invalid_configuration',
  'data_folder_in_use',
  'data_folder_unusable',
  'port_unavailable',
  'invalid_backup',
  'invalid_deploy',
  'deploy_too_large',
  'files_missing',
  'deploy_not_found',
  'deploy_under_way',
  'deploy_live',
  'invalid_certificate',
  'output_failed',
  'input_failed',
  'server_unreachable',
  'internal',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/**
 * An error without a stack, for those that a client can cause by the thousand: to take one costs more than all else
 * that such a request does.
 */
export function withoutStack<Made extends Error>(make: () => Made): Made {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

interface AppErrorOptions {
  readonly cause?: unknown
  readonly retryAfterSeconds?: number
  readonly documentIndex?: number
  readonly entityTag?: string | undefined
}

/** A failure that the caller can act on: `code` is for programs, `message` says how to mend the input. */
export class AppError extends Error {
  readonly code: ErrorCode
  /** When trying again makes sense, where that is known better than by the code alone. */
  readonly retryAfterSeconds?: number
  /** Which document of several it is about, from 0, where that is known and not told yet. */
  readonly documentIndex?: number
  /** The opaque part of the entity tag of the document that is there, where a condition on it does not hold. */
  readonly entityTag?: string

  constructor(code: ErrorCode, message: string, options?: AppErrorOptions) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
    if (options?.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds
    if (options?.documentIndex !== undefined) this.documentIndex = options.documentIndex
    if (options?.entityTag !== undefined) this.entityTag = options.entityTag
  }
}

/** What went wrong with one document of several. */
export function atDocument(documentIndex: number, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, message, cause, entityTag } = error
  return new AppError(code, message, { cause, entityTag, documentIndex })
}

/** The same error, with what it is about before its message. */
export function namedError(name: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  return new AppError(error.code, `${name}: ${error.message}`, { cause: error.cause })
}
