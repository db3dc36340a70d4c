import type { Row } from './row.ts'
import { bulkSave } from './rows/bulk-save.ts'
import { conditionalSave } from './rows/conditional-save.ts'
import { count } from './rows/count.ts'
import { durableSave } from './rows/durable-save.ts'
import { exportMemory } from './rows/export-memory.ts'
import { filterIndexed } from './rows/filter-indexed.ts'
import { list1000 } from './rows/list-1000.ts'
import { others } from './rows/others.ts'
import { readById } from './rows/read-by-id.ts'
import { readAnyById, readManyById } from './rows/read-many-by-id.ts'
import { saveAlone } from './rows/save-alone.ts'
import { scan } from './rows/scan.ts'
import { siteFile } from './rows/site-file.ts'
import { sizes } from './rows/sizes.ts'
import { start } from './rows/start.ts'

/** Every row, in the order in which they are run and written. */
export const ROWS: readonly Row[] = [
  ...[readById, readManyById, readAnyById, durableSave, conditionalSave, saveAlone, bulkSave],
  ...[filterIndexed, sizes, scan, list1000, count, others, exportMemory, siteFile, start],
]
