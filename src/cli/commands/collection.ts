import { Command } from 'commander'
import {
  dataArgument,
  dataOption,
  jsonOption,
  type OutputOptions,
  report,
  reportDone,
  table,
} from '../output.ts'
import type { Terminal } from '../program.ts'
import type { ServerConnection } from '../server-connection.ts'

interface Binned {
  readonly id: number
  readonly name: string
  readonly documents: number
  readonly reason: 'drop' | 'empty'
  readonly by: string
  readonly droppedAt: string
  readonly restorableUntil: string
}

interface Sized {
  readonly name: string
  readonly documents: number
  readonly approximateBytes: number
  readonly indexes: number
}

interface Renamed {
  readonly name: string
  readonly documents: number
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }

/** `sheaf collection …`: collections as a whole, by the server where one runs. */
export function collectionCommand(terminal: Terminal): Command {
  const collection = new Command('collection').description(
    'list, rename, empty and drop collections, and bring back what was dropped',
  )
  addList(collection, terminal)
  addRename(collection, terminal)
  addEmpty(collection, terminal)
  addDrop(collection, terminal)
  addBin(collection, terminal)
  addRestore(collection, terminal)
  addRemove(collection, terminal)
  return collection
}

function addList(parent: Command, { env, print }: Terminal): void {
  subcommand(parent, 'list', 'list the collections of an app').action(
    async (app: string, options: OutputOptions) => {
      const { collections } = await ask<{ collections: readonly Sized[] }>({ env, options }, [
        'GET',
        `${pathOf(app)}/size`,
      ])
      const rows = collections.map(({ name, documents, approximateBytes, indexes }) =>
        [name, documents, approximateBytes, indexes].map(String),
      )
      const text = table(['COLLECTION', 'DOCUMENTS', 'BYTES, ABOUT', 'INDEXES'], rows)
      report(print, options, { text, json: collections })
    },
  )
}

function addRename(parent: Command, { env, print }: Terminal): void {
  subcommand(parent, 'rename', 'give a collection another name; keys that name it do not follow')
    .argument('<collection>')
    .argument('<name>')
    .action(async (app: string, collection: string, name: string, options: OutputOptions) => {
      const renamed = await ask<Renamed>({ env, options }, [
        'POST',
        `${collectionPath(app, collection)}/rename`,
        { name },
      ])
      reportDone(print, options, {
        text: `Collection ${collection} of ${app} is called ${renamed.name} from now on.`,
        json: { app, ...renamed },
      })
    })
}

function addEmpty(parent: Command, { env, print }: Terminal): void {
  subcommand(parent, 'empty', 'put the documents of a collection in the bin, and keep its indexes')
    .argument('<collection>')
    .action(async (app: string, collection: string, options: OutputOptions) => {
      const entry = await ask<Binned | null>({ env, options }, [
        'POST',
        `${collectionPath(app, collection)}/empty`,
      ])
      const text =
        entry === null
          ? `Collection ${collection} of ${app} had no documents.`
          : `Collection ${collection} of ${app} is empty. ${comesBack(app, entry, options)}`
      reportDone(print, options, { text, json: entry ?? { app, collection, documents: 0 } })
    })
}

function addDrop(parent: Command, { env, print }: Terminal): void {
  subcommand(parent, 'drop', 'put a collection in the bin, with its indexes')
    .argument('<collection>')
    .action(async (app: string, collection: string, options: OutputOptions) => {
      const entry = await ask<Binned>({ env, options }, ['POST', `${collectionPath(app, collection)}/drop`])
      const text = `Collection ${collection} of ${app} is dropped. ${comesBack(app, entry, options)}`
      reportDone(print, options, { text, json: entry })
    })
}

function addBin(parent: Command, { env, print }: Terminal): void {
  subcommand(parent, 'bin', 'list what was dropped or emptied in an app and can be brought back').action(
    async (app: string, options: OutputOptions) => {
      const entries = await ask<readonly Binned[]>({ env, options }, ['GET', `${pathOf(app)}/bin`])
      const head = ['ID', 'COLLECTION', 'DOCUMENTS', 'WAS', 'BY', 'AT', 'UNTIL']
      const rows = entries.map(({ id, name, documents, reason, by, droppedAt, restorableUntil }) => [
        ...[String(id), name, String(documents)],
        ...[reason === 'drop' ? 'dropped' : 'emptied', by, droppedAt, restorableUntil],
      ])
      report(print, options, { text: table(head, rows), json: entries })
    },
  )
}

function addRestore(parent: Command, { env, print }: Terminal): void {
  subcommand(parent, 'restore', 'bring a collection back from the bin')
    .argument('<id>', 'as the bin has it')
    .option('--as <name>', 'call it so, where its name is taken')
    .action(async (app: string, id: string, options: OutputOptions & { readonly as?: string }) => {
      const { as } = options
      const restored = await ask<Renamed>({ env, options }, [
        'POST',
        `${entryPath(app, id)}/restore`,
        as === undefined ? {} : { as },
      ])
      const { name, documents } = restored
      reportDone(print, options, {
        text: `Collection ${name} of ${app} is back, with ${counted(documents)}.`,
        json: { app, ...restored },
      })
    })
}

function addRemove(parent: Command, { env, print }: Terminal): void {
  subcommand(parent, 'remove', 'remove a collection from the bin for good')
    .argument('<id>', 'as the bin has it')
    .action(async (app: string, id: string, options: OutputOptions) => {
      await ask({ env, options }, ['DELETE', entryPath(app, id)])
      reportDone(print, options, {
        text: `Entry ${id} of the bin of ${app} is removed for good.`,
        json: { app, id: Number(id), removed: true },
      })
    })
}

function subcommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .argument('<app>')
    .addOption(dataOption())
    .addOption(jsonOption())
}

type Asked = readonly [method: string, path: string, body?: object]

async function ask<Answer>(
  where: { readonly env: Terminal['env']; readonly options: OutputOptions },
  [method, path, body]: Asked,
): Promise<Answer> {
  const { withServer } = await import('../with-server.ts')
  return withServer(where, async (server: ServerConnection) => {
    const sent = body === undefined ? {} : { headers: JSON_HEADERS, body: JSON.stringify(body) }
    // What answers nothing is 204.
    if (method === 'DELETE') return void (await server.request({ method, path })).resume() as Answer
    return (await server.json({ method, path, ...sent })) as Answer
  })
}

function pathOf(app: string): string {
  return `/_/api/apps/${encodeURIComponent(app)}`
}

function collectionPath(app: string, collection: string): string {
  return `${pathOf(app)}/collections/${encodeURIComponent(collection)}`
}

function entryPath(app: string, id: string): string {
  return `${pathOf(app)}/bin/${encodeURIComponent(id)}`
}

function comesBack(app: string, { id, documents, restorableUntil }: Binned, options: OutputOptions): string {
  const command = `sheaf collection restore ${app} ${id}${dataArgument(options)}`
  return `Until ${restorableUntil} "${command}" brings ${counted(documents)} back.`
}

function counted(documents: number): string {
  return `${documents} ${documents === 1 ? 'document' : 'documents'}`
}
