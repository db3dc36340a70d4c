import { extname } from 'node:path'
import { Command } from 'commander'
import { AppError } from '../../errors.ts'
import { type FileToSend, fileToSend } from '../file-to-send.ts'
import { type CommandResult, dataOption, jsonOption, type OutputOptions, reportDone } from '../output.ts'
import type { Terminal } from '../program.ts'
import { progressLine } from '../progress-line.ts'
import { queryText } from '../query-text.ts'
import type { ServerConnection } from '../server-connection.ts'
import { lineSafe } from '../terminal-safe.ts'
import { whenStopped } from '../when-stopped.ts'

interface ImportOptions extends OutputOptions {
  readonly format?: string
  readonly ejson?: true
  readonly onConflict?: string
  readonly skipBad?: true
  readonly types?: string
  readonly delimiter?: string
  readonly check?: true
}

interface Imported {
  readonly created: number
  readonly replaced: number
  readonly skipped: number
  readonly bad: number
  readonly documents: number
  readonly errors: readonly { readonly line: number; readonly code: string; readonly message: string }[]
}

/** How a file is read. */
interface Reading {
  readonly format: string
  readonly delimiter?: string | undefined
}

/** Of a file by whose name nobody knows what it is, to find that out. */
const BEGINNING_BYTES = 256 * 1024
/** Bad lines that are shown where they are not asked for as JSON. */
const SHOWN_ERRORS = 20
const SHOWN_EVERY_MS = 100

const BY_ENDING: Readonly<Record<string, Reading>> = Object.freeze({
  '.ndjson': { format: 'ndjson' },
  '.jsonl': { format: 'ndjson' },
  '.json': { format: 'json' },
  '.geojson': { format: 'json' },
  '.csv': { format: 'csv' },
  '.tsv': { format: 'csv', delimiter: 'tab' },
})

const MEDIA_TYPES: Readonly<Record<string, string>> = Object.freeze({
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
})

/** `sheaf import`: a file's documents into a collection, all or none, by the server where one runs. */
export function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .description('save the documents of a file in a collection, all of them or none')
    .argument('<app>')
    .argument('<collection>')
    .argument('<file>', 'a path, or - for standard input')
    .option(
      '--format <format>',
      "ndjson, json or csv; else by the end of the file's name, or by what it holds",
    )
    .option('--ejson', "read MongoDB's extended JSON, as mongoexport writes it")
    .option('--on-conflict <what>', 'fail, skip or replace, where an _id is there already (fail)')
    .option('--skip-bad', 'leave out what is bad, and tell its lines, instead of saving nothing')
    .option('--types <json>', 'of the columns of csv: {"zip":"text"}; auto, text, number, boolean or json')
    .option('--delimiter <character>', 'of csv: , or ; or tab')
    .option('--check', 'only read the file, and tell what is bad')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action(async (app: string, collection: string, name: string, options: ImportOptions) => {
      const file = fileToSend(name, terminal)
      const path = `/_/api/apps/${encodeURIComponent(app)}/collections/${encodeURIComponent(collection)}`
      const forget = whenStopped(() => sayStopped(terminal, file, options))
      const { withServer } = await import('../with-server.ts')
      const imported = await withServer({ env: terminal.env, options }, async (server) => {
        const reading = await readingOf(server, path, { name, file, options })
        return send(server, path, { file, reading, options, terminal })
      }).finally(forget)
      reportDone(terminal.print, options, resultOf(imported, options))
      if (options.json !== true) sayBad(terminal, imported)
      if (options.check && imported.bad > 0)
        throw new AppError('invalid_request', `${counted(imported.bad)} can't be imported`)
    })
}

async function readingOf(
  server: ServerConnection,
  path: string,
  { name, file, options }: { name: string; file: FileToSend; options: ImportOptions },
): Promise<Reading> {
  const { format, delimiter } = options
  const byEnding = BY_ENDING[extname(name).toLowerCase()]
  const known = format === undefined ? byEnding : { format }
  if (known !== undefined) return { ...known, ...(delimiter !== undefined && { delimiter }) }
  const { ejson, types } = options
  const guessed = (await server.json({
    method: 'POST',
    path: `${path}/import-preview?${queryText({ ejson: ejson && 'true', types, delimiter })}`,
    headers: { 'Content-Type': 'application/json' },
    body: await file.beginning(BEGINNING_BYTES),
  })) as Reading
  return { format: guessed.format, delimiter: delimiter ?? guessed.delimiter }
}

interface Sending {
  readonly file: FileToSend
  readonly reading: Reading
  readonly options: ImportOptions
  readonly terminal: Terminal
}

async function send(
  server: ServerConnection,
  path: string,
  { file, reading, options, terminal: { showProgress } }: Sending,
): Promise<Imported> {
  const { ejson, onConflict, skipBad, types, check } = options
  const query = queryText({
    ...reading,
    ejson: ejson && 'true',
    'on-conflict': onConflict,
    'skip-bad': (skipBad || check) && 'true',
    types,
    check: check && 'true',
  })
  let read = 0
  const show = (): void => showProgress?.(progressLine({ read, length: file.length }))
  const timer = showProgress && setInterval(show, SHOWN_EVERY_MS)
  const body = file.content((bytes) => {
    read += bytes
  })
  try {
    const headers = { 'Content-Type': MEDIA_TYPES[reading.format] ?? 'application/json' }
    return (await server.json({ method: 'POST', path: `${path}/import?${query}`, headers, body })) as Imported
  } finally {
    clearInterval(timer)
    showProgress?.('')
  }
}

/** A server saves nothing of a file before it has all of it. */
function sayStopped(
  { showProgress, printError }: Terminal,
  file: FileToSend,
  { check }: ImportOptions,
): void {
  showProgress?.('')
  printError(
    file.isSent && check !== true
      ? 'sheaf: stopped, and it is not known whether the documents were saved; look before trying again'
      : 'sheaf: stopped: nothing was saved',
  )
}

function resultOf(imported: Imported, { check }: ImportOptions): CommandResult {
  const { created, replaced, skipped, bad, documents } = imported
  const parts = [
    `${created} created`,
    ...(replaced > 0 ? [`${replaced} replaced`] : []),
    ...(skipped > 0 ? [`${skipped} skipped, which were there`] : []),
    ...(bad > 0 ? [`${bad} bad and left out`] : []),
  ]
  const text = check
    ? `${counted(documents)}, ${bad} of them bad. Nothing was saved.`
    : `${counted(documents)}: ${parts.join(', ')}.`
  return { text, json: imported }
}

function counted(documents: number): string {
  return `${documents} ${documents === 1 ? 'document' : 'documents'}`
}

function sayBad({ printError }: Terminal, { errors }: Imported): void {
  for (const { line, message } of errors.slice(0, SHOWN_ERRORS))
    printError(lineSafe(`line ${line}: ${message}`))
  const left = errors.length - SHOWN_ERRORS
  if (left > 0) printError(`… and ${left} more; --json prints all of them`)
}
