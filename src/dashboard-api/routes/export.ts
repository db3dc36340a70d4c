import { AppError } from '../../errors.ts'
import type { Reply } from '../../http/response/reply.ts'
import { exportApp } from '../../operations/export-app.ts'
import { exportDocuments } from '../../operations/export-documents.ts'
import { attachment } from '../attachment.ts'
import type { DashboardRequest, DashboardRoute } from '../dashboard-request.ts'
import type { DashboardRoutes } from '../dashboard-router.ts'

const FILE_TYPES: Readonly<Record<string, string>> = Object.freeze({
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
})
const ZIP_TYPE = 'application/zip'
const DOCUMENTS = {
  needs: 'format',
  parameters: ['format', 'q', 's', 'f', 'columns', 'guard'],
}
const WHOLE_APP = { parameters: [] }

/** Documents that become files. */
export const EXPORT_ROUTES: DashboardRoutes = {
  'GET /apps/{app}/collections/{collection}/export': taking(DOCUMENTS, async (request) => {
    const { app, collection } = { app: request.name('app'), collection: request.name('collection') }
    const format = request.filled('format') ?? ''
    if (!Object.hasOwn(FILE_TYPES, format))
      throw new AppError('invalid_parameter', 'format must be ndjson, json or csv')
    const input = {
      ...{ app, collection, format },
      q: request.filled('q'),
      s: request.filled('s'),
      f: request.filled('f'),
      columns: request.filled('columns'),
      isGuarded: request.flag('guard'),
      isCancelled: () => request.isCancelled(),
    }
    const rest = await request.inApp(app, (context, principal) => exportDocuments(context, principal, input))
    return fileReply(rest, { type: FILE_TYPES[format]!, name: `${app}-${collection}`, ending: format })
  }),
  'GET /apps/{app}/export': taking(WHOLE_APP, async (request) => {
    const input = { app: request.name('app'), isCancelled: () => request.isCancelled() }
    const rest = await request.inApp(input.app, (context, principal) => exportApp(context, principal, input))
    return fileReply(rest, { type: ZIP_TYPE, name: input.app, ending: 'zip' })
  }),
}

function taking(
  taken: Pick<DashboardRoute, 'needs' | 'parameters'>,
  handle: (request: DashboardRequest) => Promise<Reply>,
): DashboardRoute {
  return Object.assign(handle, taken)
}

function fileReply(
  rest: NonNullable<Reply['rest']>,
  { type, name, ending }: { readonly type: string; readonly name: string; readonly ending: string },
): Reply {
  const file = { type, caching: 'no-store', ...(type === ZIP_TYPE && { isCompressed: true as const }) }
  return { status: 200, body: '', rest, file, headers: attachment({ name, ending }) }
}
