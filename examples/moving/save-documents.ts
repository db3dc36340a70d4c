import { stringify } from '../../src/json/stringify.ts'
import type { JsonObject } from '../../src/json/value.ts'
import { Problem, Refused } from './problem.ts'
import { Unreadable } from './read-documents.ts'
import type { Target } from './target.ts'

/** As many as one request may have by Sheaf's defaults. */
const DOCUMENTS_PER_REQUEST = 10_000
/** A quarter of what one request may have by Sheaf's defaults, so that a small machine takes it as well. */
const BYTES_PER_REQUEST = 8 * 1024 * 1024
/** After which a source is taken for one that needs another script. */
const REFUSALS = 100

interface Written {
  readonly number: number
  readonly text: string
}

export interface SaveOptions {
  readonly collection: string
  /** Whether documents without an `_id` get one from Sheaf; each run then saves them once more. */
  readonly newIds?: boolean
}

/**
 * Saves documents by as few requests as there have to be. A document that can't be read, or that Sheaf refuses, is
 * printed, and the others are saved all the same. Documents with an `_id` overwrite themselves when the script is run again.
 * @throws Problem; `Refused` where some are not saved
 */
export async function saveDocuments(
  target: Target,
  documents: AsyncIterable<JsonObject | Unreadable>,
  { collection, newIds = false }: SaveOptions,
): Promise<void> {
  let batch: Written[] = []
  let bytes = 0
  let number = 0
  let refused = 0
  const send = async (): Promise<void> => {
    if (batch.length > 0) refused += await saveBatch(target, collection, batch, refused)
    batch = []
    bytes = 0
  }
  for await (const document of documents) {
    number++
    if (document instanceof Unreadable) {
      refuse(number, document.reason, { document: document.text, before: refused++ })
      continue
    }
    if (!document.has('_id') && !newIds)
      throw new Problem(
        `document ${number} has no _id, so that a second run would save it twice; add --new-ids if that is meant`,
      )
    const text = stringify(document)
    const length = Buffer.byteLength(text)
    if (batch.length === DOCUMENTS_PER_REQUEST || bytes + length > BYTES_PER_REQUEST) await send()
    batch.push({ number, text })
    bytes += length
  }
  await send()
  console.log(`${collection}: saved ${number - refused} documents.`)
  if (refused > 0) throw new Refused(`${refused} documents of ${collection} were refused, and are not saved`)
}

/** Prints it with its beginning, in which most have their `_id`. @throws Problem where there are too many */
function refuse(
  number: number,
  reason: string,
  { document, before }: { document: string; before: number },
): void {
  const beginning = document.slice(0, 100).replace(/\p{Cc}/gu, ' ')
  console.error(`document ${number} is refused: ${reason} ${beginning}`)
  if (before + 1 >= REFUSALS) throw new Problem(`${REFUSALS} documents were refused; the rest is not tried`)
}

/** Halves a batch that is refused until it is known which documents are the reason; answers how many. */
async function saveBatch(
  target: Target,
  collection: string,
  batch: readonly Written[],
  before: number,
): Promise<number> {
  const { status, text } = await target.save(
    collection,
    batch.map((one) => one.text),
  )
  if (status === 200 || status === 201) return 0
  if (status !== 400 && status !== 413) throw new Problem(`Sheaf answered ${status}: ${text}`)
  if (batch.length === 1) {
    const [{ number, text: document }] = batch as [Written]
    // A batch of one has the index 0, whatever the document's number is.
    const reason = text.replace('the document at index 0: ', '')
    refuse(number, reason, { document, before })
    return 1
  }
  const middle = batch.length >> 1
  const first = await saveBatch(target, collection, batch.slice(0, middle), before)
  return first + (await saveBatch(target, collection, batch.slice(middle), before + first))
}
