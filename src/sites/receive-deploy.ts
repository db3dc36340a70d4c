import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { likelySiteFolder } from '../domain/site-paths.ts'
import { AppError } from '../errors.ts'
import type { LeftOutFile } from './admit-files.ts'
import { compressFile, qualityFor } from './compress-file.ts'
import { isCompressible } from './compressible.ts'
import { badDeploy, badFile, noRoom, type SiteLimits } from './deploy-refusals.ts'
import type { DeploySource, SourceFile } from './deploy-source.ts'
import { isWholeFile } from './is-whole-file.ts'
import { CODINGS, manifestText, type SiteFile } from './manifest.ts'
import { openFileStream } from './open-file-stream.ts'
import { openZip } from './open-zip.ts'
import { placeFiles } from './place-files.ts'
import { codingEnding, type SiteFiles } from './site-files.ts'
import { NO_SITE_SETTINGS, readSiteSettings, requireNamedFiles, type SiteSettings } from './site-settings.ts'
import { stageFile } from './stage-file.ts'

export interface ReceiveCommand {
  /** By its id. */
  readonly app: string
  /** Where what was sent is. */
  readonly body: string
  readonly kind: 'files' | 'zip'
  readonly limits: SiteLimits
}

export interface ReceivedDeploy {
  /** Its hash; it is kept as the files are. */
  readonly manifest: string
  readonly files: number
  readonly bytes: number
  /** Of them those that were not there before, with their compressed forms. */
  readonly newBytes: number
  /** The first of them. */
  readonly leftOut: readonly LeftOutFile[]
  readonly leftOutCount: number
  /** The folder in it that has the `index.html` which is missing at the top; null where that is no question. */
  readonly likelyFolder: string | null
}

/** Where files wait, and whose they are to be. */
export interface Workplace {
  /** A new folder on the disk of the files. */
  readonly folder: string
  /** Gives what was made to whom the data folder belongs. */
  readonly own: (path: string) => void
  /** What may be written to that disk. */
  readonly roomBytes: number
}

const SETTINGS_FILE = 'sheaf.json'
const SETTINGS_BYTES = 256 * 1024
/** Files that are worked on at once: as many are compressed, on a pool that others use, too. */
const LANES = 2
const LEFT_OUT_TOLD = 100
const NO_FILES = 'to take a site off line, make no version live (PUT /_/api/apps/{app}/site/live)'

/**
 * Makes the files of a version of what was sent. All of it is checked and on the disk before the first file is where the
 * site's are; nothing names it there before its manifest does.
 * @throws AppError `invalid_deploy`, `deploy_too_large`, `files_missing`, `store_unavailable` where the disk has no room
 */
export async function receiveDeploy(
  files: SiteFiles,
  { app, body, kind, limits }: ReceiveCommand,
  { folder, own, roomBytes }: Workplace,
): Promise<ReceivedDeploy> {
  const source = await (kind === 'zip' ? openZip(body, limits) : openFileStream(body, limits))
  try {
    if (source.files.length === 0)
      throw badDeploy(
        `there are no files to deploy${source.leftOut.length > 0 ? ', but for those that stay out' : ''}; ${NO_FILES}`,
      )
    if (source.bytesToWrite > roomBytes) throw noRoom(source.bytesToWrite, roomBytes)
    const staged = new StagedFiles(files, app, folder)
    await staged.take(source)
    await staged.requireUnsent(source)
    await staged.compressKept(source)
    const listed = new Map(source.files.map((file) => [file.path, staged.fileOf(file)]))
    const settings = await settingsOf(listed, staged)
    const text = manifestText({ files: listed, settings })
    const manifest = createHash('sha256').update(text).digest('hex')
    // Also where there is one, for that may be damaged.
    await writeFile(join(folder, manifest), text, { mode: 0o600, flush: true })
    const newBytes = placeFiles(folder, files.filesOf(app), own)
    const { leftOut } = source
    return {
      newBytes,
      ...{ manifest, files: listed.size, bytes: source.files.reduce((total, { bytes }) => total + bytes, 0) },
      ...{ leftOut: leftOut.slice(0, LEFT_OUT_TOLD), leftOutCount: leftOut.length },
      // With a fallback there is a page at the top.
      likelyFolder: settings.fallback === null ? (likelySiteFolder(listed.keys()) ?? null) : null,
    }
  } finally {
    await source.close()
  }
}

/** Files of a version on their way to its site. */
class StagedFiles {
  private readonly files: SiteFiles
  private readonly app: string
  private readonly folder: string
  private readonly asked = new Set<string>()
  private readonly fresh = new Set<string>()
  /** Those of which the compressed forms were made, where they are worth it. */
  private readonly compressed = new Set<string>()
  /** Lengths, by hashes; of what is not sent, too. */
  private readonly known = new Map<string, SiteFile>()
  private readonly hashes = new Map<SourceFile, string>()

  constructor(files: SiteFiles, app: string, folder: string) {
    this.files = files
    this.app = app
    this.folder = folder
  }

  /** @throws AppError `invalid_deploy` */
  async take(source: DeploySource): Promise<void> {
    const staging = { folder: this.folder, quality: qualityOf(source), isNew: this.isNew }
    const queue = source.files.entries()
    const lane = async (): Promise<void> => {
      for (const [id, file] of queue) {
        const chunks = source.open(file)
        if (chunks === undefined) continue
        const { path, bytes } = file
        const made = await stageFile({ id, bytes, chunks, isCompressible: isCompressible(path) }, staging)
        if (made.bytes !== bytes || (file.hash ?? made.hash) !== made.hash)
          throw badFile(path, 'is not what was said of it; send it again')
        this.hashes.set(file, made.hash)
        if (made.isNew && isCompressible(path)) this.compressed.add(made.hash)
      }
    }
    // When one fails, the other may be writing still.
    const ended = await Promise.allSettled(Array.from({ length: LANES }, lane))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }

  /**
   * What is stored with another length than the deploy says is read: where it is damaged it is removed, so that whoever asks
   * anew sends it.
   * @throws AppError `files_missing`, once all were looked at
   */
  async requireUnsent(source: DeploySource): Promise<void> {
    let isMissing = false
    for (const { hash, bytes } of source.files) {
      if (hash === undefined || this.asked.has(hash)) continue
      const path = this.files.pathOf(this.app, hash)
      const length = lengthOf(path)
      if (length === bytes) continue
      if (length !== undefined && (await isWholeFile(path, hash))) continue
      isMissing = true
      await rm(path, { force: true })
    }
    if (isMissing)
      throw new AppError(
        'files_missing',
        'files of this deploy were not sent and are not there; ask which are missing, and send those, too',
      )
  }

  /** What was first deployed under a name that says nothing of its kind, as `a.bin`, may be `a.html` here. */
  async compressKept(source: DeploySource): Promise<void> {
    const quality = qualityOf(source)
    for (const file of source.files) {
      const { hash, bytes, encoded } = this.fileOf(file)
      if (!isCompressible(file.path) || this.compressed.has(hash) || Object.keys(encoded).length > 0) continue
      this.compressed.add(hash)
      const toCompress = { path: this.pathOf(hash), content: undefined, bytes, quality }
      for (const coding of CODINGS)
        await compressFile(toCompress, coding, join(this.folder, `${hash}${codingEnding(coding)}`))
      this.known.delete(hash)
    }
  }

  /** @throws AppError `invalid_deploy` */
  fileOf(file: SourceFile): SiteFile {
    const hash = file.hash ?? this.hashes.get(file)!
    const found = this.known.get(hash) ?? this.find(hash)
    if (found.bytes !== file.bytes)
      throw badFile(file.path, `has ${found.bytes} bytes, and not ${file.bytes}`)
    this.known.set(hash, found)
    return found
  }

  pathOf(hash: string): string {
    return this.fresh.has(hash) ? join(this.folder, hash) : this.files.pathOf(this.app, hash)
  }

  /** One that is damaged is as good as none. */
  readonly isNew = async (hash: string): Promise<boolean> => {
    if (this.asked.has(hash)) return false
    this.asked.add(hash)
    if (await isWholeFile(this.files.pathOf(this.app, hash), hash)) return false
    this.fresh.add(hash)
    return true
  }

  private find(hash: string): SiteFile {
    const path = this.pathOf(hash)
    const encoded = CODINGS.flatMap((coding) => {
      const ending = codingEnding(coding)
      const length = lengthOf(`${path}${ending}`) ?? lengthOf(join(this.folder, `${hash}${ending}`))
      return length === undefined ? [] : [[coding, length] as const]
    })
    return { hash, bytes: statSync(path).size, encoded: Object.fromEntries(encoded) }
  }
}

function qualityOf({ files }: DeploySource): number {
  const toCompress = files.filter(({ path }) => isCompressible(path))
  return qualityFor(toCompress.reduce((total, { bytes }) => total + bytes, 0))
}

async function settingsOf(listed: ReadonlyMap<string, SiteFile>, staged: StagedFiles): Promise<SiteSettings> {
  const file = listed.get(SETTINGS_FILE)
  if (file === undefined) return NO_SITE_SETTINGS
  if (file.bytes > SETTINGS_BYTES) throw badFile(SETTINGS_FILE, `is longer than ${SETTINGS_BYTES} bytes`)
  const settings = readSiteSettings((await readFile(staged.pathOf(file.hash))).toString())
  requireNamedFiles(settings, (path) => listed.has(path))
  return settings
}

/** Undefined where there is no such file. */
function lengthOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
