import { foldedPath, isLeftOut, pathProblem } from '../../../src/domain/site-paths.ts'
import { SITE_TEXTS } from '../texts/site.ts'
import type { SiteLimits } from './site-data.ts'

const { deploy: TEXTS } = SITE_TEXTS

/** A file that is to be one of a site. */
export interface ChosenFile {
  /** Within the site, such as `assets/app.js`. */
  readonly path: string
  readonly file: File
}

/** Of what was dropped, that are looked at at once. */
const READ_ENTRIES = 256

/** What was chosen or dropped for a site. */
export interface ChosenFolder {
  /** Undefined where several things were. */
  readonly name: string | undefined
  /** By their paths. */
  readonly files: readonly ChosenFile[]
  /** Paths that don't come along; a folder of them stands once, with `/` at its end. */
  readonly leftOut: readonly string[]
  /** Files for which the server would refuse all of them. */
  readonly problems: readonly FileProblem[]
}

export interface FileProblem {
  readonly path: string
  /** Goes behind the path; undefined where `same` says it. */
  readonly problem?: string
  /** Another file, which is the same one where cases and Unicode forms aren't told apart. */
  readonly same?: string
}

/** What a server would refuse a folder for once it has it, in words; undefined where that is nothing. */
export function tooMuch({ files }: ChosenFolder, limits: SiteLimits): string | undefined {
  const large = files.find(({ file }) => file.size > limits.fileBytes)
  if (large !== undefined) return TEXTS.largeFile(large.path, limits.fileBytes)
  if (files.length > limits.files) return TEXTS.manyFiles(limits.files)
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return bytes > limits.bytes ? TEXTS.large(limits.bytes) : undefined
}

/** What was chosen by a field, for folders or not: `webkitRelativePath` begins with the name of the folder. */
export function folderOfFiles(chosen: readonly File[]): ChosenFolder {
  const files: ChosenFile[] = []
  const leftOut = new Set<string>()
  for (const file of chosen) {
    const path = file.webkitRelativePath.split('/').slice(1).join('/') || file.name
    if (isLeftOut(path)) leftOut.add(leftOutPart(path))
    else files.push({ path, file })
  }
  const [top] = chosen[0]?.webkitRelativePath.split('/') ?? []
  const name = top || (chosen.length === 1 ? chosen[0]!.name : undefined)
  return chosenFolder(name, files, leftOut)
}

/** The outermost folder that a path is left out with, or itself. */
function leftOutPart(path: string): string {
  const parts = path.split('/')
  const count = parts.findIndex((_, at) => isLeftOut(parts.slice(0, at + 1).join('/'))) + 1
  return count === parts.length ? path : `${parts.slice(0, count).join('/')}/`
}

/**
 * What was dropped. A single folder is the site; of several things each is in it.
 * @throws DOMException of what can't be read
 */
export async function folderOfEntries(dropped: readonly FileSystemEntry[]): Promise<ChosenFolder> {
  const [only] = dropped.length === 1 ? dropped : []
  const files: ChosenFile[] = []
  const leftOut: string[] = []
  /** Those whose turn is to come: a folder may be deeper than calls may be. */
  const waiting = within('', isFolder(only) ? await entriesOf(only) : dropped)
  while (waiting.length > 0) {
    const some = waiting.splice(-READ_ENTRIES).filter(({ path, entry }) => {
      const isOut = isLeftOut(path)
      if (isOut) leftOut.push(isFolder(entry) ? `${path}/` : path)
      return !isOut
    })
    await Promise.all(
      some.map(async ({ path, entry }) => {
        if (isFolder(entry)) waiting.push(...within(`${path}/`, await entriesOf(entry)))
        else files.push({ path, file: await fileOf(entry as FileSystemFileEntry) })
      }),
    )
  }
  return chosenFolder(only?.name, files, leftOut)
}

function within(folder: string, entries: readonly FileSystemEntry[]) {
  return entries.map((entry) => ({ path: `${folder}${entry.name}`, entry }))
}

function isFolder(entry: FileSystemEntry | undefined): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true
}

/** A reader gives some at a time, of Chromium a hundred, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

function chosenFolder(
  name: string | undefined,
  found: readonly ChosenFile[],
  leftOut: Iterable<string>,
): ChosenFolder {
  const files = found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return { name, files, leftOut: [...leftOut].sort(), problems: problemsOf(files) }
}

function problemsOf(files: readonly ChosenFile[]): readonly FileProblem[] {
  const seen = new Map<string, string>()
  return files.flatMap(({ path }): readonly FileProblem[] => {
    const problem = pathProblem(path)
    if (problem !== undefined) return [{ path, problem }]
    const folded = foldedPath(path)
    const same = seen.get(folded)
    if (same !== undefined) return [{ path, same }]
    seen.set(folded, path)
    return []
  })
}
