import { Readable } from 'node:stream'
import { fileNamesOf } from '../domain/file-name.ts'
import type { Principal } from '../domain/principal.ts'
import { EVERY_DOCUMENT } from '../query/ast.ts'
import { authorise } from './authorise.ts'
import type { OperationContext } from './context.ts'
import type { AppInput } from './open-app.ts'

/** Documents are much alike, so that the quickest level finds most of what there is to find. */
const COMPRESSION_LEVEL = 1
/** Whoever unpacks it decides who else may read. */
const FILE_MODE = 0o100600
/** Says which collection each file is of, whose name no file may have everywhere. */
const CONTENTS = 'contents.json'

export interface ExportAppInput extends AppInput {
  readonly isCancelled: () => boolean
}

/**
 * All documents of an app as a zip: a file of NDJSON for each collection, each collection as it is when its turn comes. It
 * throws where that can't be done to the end.
 * @throws AppError for the app as `authorise` does, and what the store throws
 */
export async function exportApp(
  context: OperationContext,
  principal: Principal,
  { app: slug, isCancelled }: ExportAppInput,
): Promise<AsyncIterable<Uint8Array>> {
  const app = authorise(context, principal, slug, 'read').id
  const collections = await context.store.listCollections(app)
  // No collection takes the name of the contents.
  const names = fileNamesOf(['contents', ...collections]).slice(1)
  const files = collections.map((collection, index) => ({ collection, file: `${names[index]}.ndjson` }))
  const linesOf = (collection: string): AsyncIterable<string> =>
    context.store.exportDocuments({
      ...{ app, collection, filter: EVERY_DOCUMENT, sort: [], isCancelled },
      format: { kind: 'ndjson' },
    })
  const mtime = new Date(context.now())
  return zipped(
    [
      { name: CONTENTS, content: [`${JSON.stringify({ app: slug, collections: files })}\n`] },
      ...files.map(({ collection, file }) => ({ name: file, content: linesOf(collection) })),
    ],
    mtime,
  )
}

interface ZippedFile {
  readonly name: string
  readonly content: Iterable<string> | AsyncIterable<string>
}

async function* zipped(files: readonly ZippedFile[], mtime: Date): AsyncGenerator<Uint8Array> {
  // Few servers ever need it.
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  // None reads anything before its turn.
  const contents = files.map(({ name, content }) => {
    const stream = Readable.from(content)
    stream.on('error', (error) => output.destroy(error))
    zip.addReadStream(stream, name, { mtime, mode: FILE_MODE, compressionLevel: COMPRESSION_LEVEL })
    return stream
  })
  zip.end()
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    for (const stream of contents) stream.destroy()
  }
}
