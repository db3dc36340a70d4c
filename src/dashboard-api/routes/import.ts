import { NDJSON_TYPES } from '../../http/request/body-format.ts'
import type { Reply } from '../../http/response/reply.ts'
import { type ImportResult, importDocuments } from '../../operations/import-documents.ts'
import { previewImport } from '../../operations/preview-import.ts'
import type { DashboardRequest, DashboardRoute } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'

const CSV_TYPE = 'text/csv'
const FILE_TYPES: ReadonlySet<string> = new Set(['application/json', ...NDJSON_TYPES, CSV_TYPE])
/** What is said of a file, whether it is only looked at or not. */
const READING = ['format', 'ejson', 'types', 'delimiter']
const IMPORTING = [...READING, 'on-conflict', 'skip-bad', 'check']
/** Of a file, to look at. */
const BEGINNING_BYTES = 256 * 1024
/** Errors that are made into text at once. */
const ERRORS_AT_ONCE = 1000

/** Files that become documents of a collection. */
export const IMPORT_ROUTES: DashboardRoutes = {
  'POST /apps/{app}/collections/{collection}/import': takingFiles(IMPORTING, async (request) => {
    const input = {
      ...told(request),
      format: request.filled('format') ?? formatOf(request.mediaType),
      onConflict: request.filled('on-conflict'),
      skipsBad: request.flag('skip-bad'),
      isCheck: request.flag('check'),
      file: request.stream(),
      isCommand: request.isCommand,
      isCancelled: () => request.isCancelled(),
    }
    return importReply(
      await request.inApp(input.app, (context, principal, reauthorise) =>
        importDocuments(context, principal, { ...input, reauthorise }),
      ),
    )
  }),
  'POST /apps/{app}/collections/{collection}/import-preview': takingFiles(READING, async (request) => {
    const said = { ...told(request), format: request.filled('format') }
    const body = await request.inApp(said.app, async (context, principal) => {
      const beginning = Buffer.concat(await request.body(BEGINNING_BYTES))
      return previewImport(context, principal, { ...said, beginning })
    })
    return { status: 200, body }
  }),
}

function takingFiles(
  parameters: readonly string[],
  handle: (request: DashboardRequest) => Promise<Reply>,
): DashboardRoute {
  return Object.assign(handle, { mediaTypes: FILE_TYPES, parameters })
}

/** What both are told of the file. @throws AppError `duplicate_parameter`, `invalid_parameter` */
function told(request: DashboardRequest) {
  return {
    app: request.name('app'),
    collection: request.name('collection'),
    ejson: request.flag('ejson'),
    types: request.filled('types'),
    delimiter: request.filled('delimiter'),
  }
}

function formatOf(mediaType: string): string {
  if (mediaType === CSV_TYPE) return 'csv'
  return NDJSON_TYPES.has(mediaType) ? 'ndjson' : 'json'
}

/** The errors come last, and in parts, for there may be many. */
function importReply({ errors, ...counts }: ImportResult): Reply {
  const body = `${JSON.stringify(counts).slice(0, -1)},"errors":[`
  if (errors.length <= ERRORS_AT_ONCE) return { status: 200, body: `${body}${listed(errors)}]}` }
  return { status: 200, body: body, rest: restOf(errors) }
}

async function* restOf(errors: ImportResult['errors']): AsyncGenerator<string> {
  for (let at = 0; at < errors.length; at += ERRORS_AT_ONCE)
    yield (at === 0 ? '' : ',') + listed(errors.slice(at, at + ERRORS_AT_ONCE))
  yield ']}'
}

function listed(errors: ImportResult['errors']): string {
  return JSON.stringify(errors).slice(1, -1)
}
