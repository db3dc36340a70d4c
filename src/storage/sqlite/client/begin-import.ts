import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../../errors.ts'
import type { ImportCommand, ImportCounts, StagedImport } from '../../import-store.ts'
import { type PackedDocuments, slicePacked } from '../../packed.ts'
import { errorOf } from '../protocol/failures.ts'
import type { AddedDocuments, ImportRequest, ImportResult, Refusals } from '../protocol/import-requests.ts'
import { type StepWriter, sweepCollections } from './sweep-collections.ts'

/** An import of at most so many documents and bytes is done in one go, at its end. */
const WHOLE_DOCUMENTS = 2000
const WHOLE_BYTES = 2 * 1024 * 1024
/** Documents and bytes that one step is given; what it has no time for is given to the next. */
const STEP_DOCUMENTS = 1000
const STEP_BYTES = 1024 * 1024
/** Between two tries of a step that the writer's queue has no room for. */
const OVERLOADED_MS = 50

interface ImportParts {
  readonly writer: StepWriter
  /** How long it goes on trying where there is no room in the writer's queue. */
  readonly deadlineMs: number
}

/** Begins an import. Nothing is asked of the writer before there is more than it does in one go. */
export function beginImport(parts: ImportParts, command: ImportCommand): StagedImport {
  return new ClientImport(parts, command)
}

/** An import as the thread that asks for it sees it. */
class ClientImport implements StagedImport {
  private readonly parts: ImportParts
  private readonly command: ImportCommand
  /** Documents that no step was given yet, while they are few. */
  private held: PackedDocuments[] = []
  private heldDocuments = 0
  private heldBytes = 0
  private staging: number | undefined
  /** What the documents before are up to, so that the next ones are made ready meanwhile. */
  private adding: Promise<void> = Promise.resolve()

  constructor(parts: ImportParts, command: ImportCommand) {
    this.parts = parts
    this.command = command
  }

  async add(documents: PackedDocuments): Promise<void> {
    await this.adding
    this.held.push(documents)
    this.heldDocuments += documents.ids.length
    this.heldBytes += documents.texts.length
    const isSmall = this.heldDocuments <= WHOLE_DOCUMENTS && this.heldBytes <= WHOLE_BYTES
    if (this.staging === undefined && isSmall) return
    const held = this.held
    this.held = []
    this.adding = this.orDiscard(() => this.stage(held))
    // Whoever calls next is told.
    this.adding.catch(() => undefined)
  }

  async finish(): Promise<ImportCounts> {
    await this.adding
    return this.orDiscard(() =>
      this.staging === undefined ? this.finishWhole() : this.finishStaged(this.staging),
    )
  }

  async discard(): Promise<void> {
    await this.adding.catch(() => undefined)
    this.held = []
    await this.leave()
  }

  private async finishWhole(): Promise<ImportCounts> {
    const { app, collection, onConflict, skipsRefused } = this.command
    const documents = this.held
    return this.resultOf(
      await this.step({
        kind: 'import',
        step: 'whole',
        app,
        collection,
        onConflict,
        skipsRefused,
        documents,
      }),
    )!
  }

  private async finishStaged(staging: number): Promise<ImportCounts> {
    const { app, collection, onConflict, skipsRefused } = this.command
    const request = {
      kind: 'import',
      step: 'finish',
      app,
      collection,
      onConflict,
      skipsRefused,
      staging,
    } as const
    for (;;) {
      const counts = this.resultOf(await this.step(request))
      if (counts === undefined) continue
      this.staging = undefined
      this.sweep()
      return counts
    }
  }

  private async stage(held: readonly PackedDocuments[]): Promise<void> {
    const { app, collection } = this.command
    this.staging ??= await this.step<number>({ kind: 'import', step: 'begin', app, collection })
    for (const documents of held) await this.stageDocuments(this.staging, documents)
  }

  private async stageDocuments(staging: number, documents: PackedDocuments): Promise<void> {
    const { app, onConflict, skipsRefused } = this.command
    for (let from = 0; from < documents.ids.length; ) {
      const { taken, refusals } = await this.step<AddedDocuments>({
        ...{ kind: 'import', step: 'add', app, onConflict, skipsRefused, staging },
        documents: slicePacked(documents, from, endOfStep(documents, from)),
      })
      this.tell(refusals)
      from += taken
    }
  }

  private resultOf({ counts, refusals }: ImportResult): ImportCounts | undefined {
    this.tell(refusals)
    return counts
  }

  private tell(refusals: Refusals): void {
    for (const [document, failure] of refusals) this.command.onRefused?.(document, errorOf(failure))
  }

  /** Asks again for a while where there is no room: thousands of documents are not to be lost by a full moment. */
  private async step<Result>(request: ImportRequest): Promise<Result> {
    const until = performance.now() + this.parts.deadlineMs
    for (;;) {
      try {
        return await this.parts.writer.call<Result>(request)
      } catch (error) {
        const isFull = error instanceof AppError && error.code === 'overloaded'
        if (!isFull || performance.now() > until) throw error
      }
      await wait(OVERLOADED_MS)
    }
  }

  private async orDiscard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      await this.leave()
      throw error
    }
  }

  /** Nobody waits for it. */
  private sweep(): void {
    void sweepCollections(this.parts.writer, this.command.app)
  }

  /** Where that fails, too, the next import of the app, or the next start, does it. */
  private async leave(): Promise<void> {
    const { staging } = this
    if (staging === undefined) return
    this.staging = undefined
    const { app } = this.command
    const left = await this.step({ kind: 'import', step: 'discard', app, staging }).then(
      () => true,
      () => false,
    )
    if (left) this.sweep()
  }
}

/** How many documents from one on are few enough for a step; one at least. */
function endOfStep({ ids, ends }: PackedDocuments, from: number): number {
  const start = from === 0 ? 0 : ends[from - 1]!
  const most = Math.min(ids.length, from + STEP_DOCUMENTS)
  let to = from + 1
  while (to < most && ends[to]! - start <= STEP_BYTES) to++
  return to
}
