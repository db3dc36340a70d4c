import type { BinEntry, CollectionStore } from '../../collection-store.ts'
import type { ReadRequest } from '../protocol/requests.ts'
import { type StepWriter, sweepCollections } from './sweep-collections.ts'

interface CollectionThreads {
  readonly writer: StepWriter
  readonly reader: () => { call<Result>(request: ReadRequest): Promise<Result> }
}

/** Collections as a whole, as the thread that asks for it sees them. */
export function clientCollections({ writer, reader }: CollectionThreads): CollectionStore {
  const listBin = (app: string): Promise<BinEntry[]> => reader().call({ kind: 'bin', app })
  /** Nobody waits for it. */
  const sweep = (app: string): void => void sweepCollections(writer, app)
  return {
    listBin,
    async rename(command) {
      const documents = await writer.call<number>({ kind: 'upkeep', step: 'rename', ...command })
      // One without documents may have made room for it.
      sweep(command.app)
      return documents
    },
    empty: (command) => writer.call({ kind: 'upkeep', step: 'bin', reason: 'empty', ...command }),
    bin: (command) => writer.call({ kind: 'upkeep', step: 'bin', reason: 'drop', ...command }),
    async restore({ app, id, as, now }) {
      // What is in the bin keeps its name; where it isn't there, none is needed.
      const collection = as ?? (await listBin(app)).find((entry) => entry.id === id)?.name ?? ''
      const request = { kind: 'upkeep', step: 'restore', app, id, collection, now } as const
      const restored = await writer.call<BinEntry>(request)
      sweep(app)
      return restored
    },
    async remove({ app, id }) {
      const removed = await writer.call<BinEntry>({ kind: 'upkeep', step: 'remove', app, id })
      sweep(app)
      return removed
    },
  }
}
