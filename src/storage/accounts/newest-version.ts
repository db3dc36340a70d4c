/** The version of a database to which every step of `migrations.ts` was done; for those who don't load these. */
export const NEWEST_VERSION = 9
