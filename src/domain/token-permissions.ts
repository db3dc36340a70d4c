/**
 * What a bearer token of an account may be let do: `read` all that the account may see of apps, `write` documents, `apps`
 * make, change and delete apps, keys and shares, `server` what an operator does. What the account signs in by (password,
 * second factor, sessions, tokens) none may touch.
 */
export const TOKEN_PERMISSIONS = ['read', 'write', 'apps', 'server'] as const

export type TokenPermission = (typeof TOKEN_PERMISSIONS)[number]
