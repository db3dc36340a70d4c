import { types } from 'pg'

/** 64 bits, which a double can't hold. */
const INT8 = 20

/** How values are read: integers of 64 bits as bigints, all else as the driver does by itself. */
export const VALUE_TYPES = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    id === INT8 && format !== 'binary'
      ? BigInt
      : types.getTypeParser(id, format)) as typeof types.getTypeParser,
}

/** The channel on which changes of the directory are told. */
export const DIRECTORY_CHANNEL = 'sheaf_directory'
