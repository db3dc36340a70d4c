/** What becomes of a document of an import whose `_id` is there already, or came before in the same import. */
export type OnConflict = 'fail' | 'skip' | 'replace'
