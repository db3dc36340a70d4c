import type { Row } from './row.ts'
import { bulkSave } from './rows/bulk-save.ts'
import { durableSave } from './rows/durable-save.ts'
import { list1000 } from './rows/list-1000.ts'
import { readById } from './rows/read-by-id.ts'
import { readManyById } from './rows/read-many-by-id.ts'
import { scan } from './rows/scan.ts'
import { start } from './rows/start.ts'

/** Every row, in the order in which they are run and written. */
export const ROWS: readonly Row[] = [readById, readManyById, durableSave, start, bulkSave, list1000, scan]
