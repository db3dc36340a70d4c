/** What was done to an index. */
export interface IndexNote {
  readonly action: 'index.create' | 'index.drop'
  /** By its id. */
  readonly app: string
  readonly collection: string
  /** The name of the index. */
  readonly fields: string
  readonly isUnique?: boolean
}

/** What was done to a collection as a whole. */
export interface CollectionNote {
  readonly action:
    | 'collection.rename'
    | 'collection.empty'
    | 'collection.drop'
    | 'collection.restore'
    | 'collection.remove'
  readonly app: string
  /** As it was called before. */
  readonly collection: string
  /** How many it had. */
  readonly documents: number
  /** Where it has another one from then on. */
  readonly name?: string
  /** Of its entry of the bin. */
  readonly binId?: number
}
