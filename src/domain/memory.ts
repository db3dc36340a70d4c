const MIB = 1024 * 1024

/**
 * What the process takes beside what is counted, by measurement on two cores with one thread that serves HTTP: 80 MiB
 * however little it has to do, 20 MiB for the thread of accounts, which comes with the first requests that are counted, 30 MiB
 * for threads that come with the work (large bodies, checkpoints, indexes), and the rest for what is put in order, and for garbage.
 */
const PROCESS_BYTES = 170 * MIB
/** What each further thread takes when it has been at work. */
const STORAGE_THREAD_BYTES = 6 * MIB
const HTTP_THREAD_BYTES = 25 * MIB
/** Of a container's memory, the part that is left to garbage and to what nobody counts. */
const DEDICATED = 7 / 8
/** The same of a machine, which has other things to do. */
const SHARED = 3 / 4
/** What clients may have under way however little there is: less would serve nobody, but may not hold. */
const LEAST_BYTES = 16 * MIB
/** In a body, where nothing else is configured. */
const BULK_DOCUMENTS = 10_000
/** A single large taker gets so much of the budget; some is left for its connection, and others'. */
const ONE_BODY = 0.78

/** What is kept of what was read: documents, lists, their compressed forms, files of sites. */
const KEPT_BYTES = 132 * MIB
/** The parts of it that are for what storage threads answered, and for what HTTP makes of that. */
const READ_CACHE = 2 / 3
const ENCODED_CACHE = 1 / 4
const ENCODED_CACHE_BYTES = 32 * MIB
/** The rest of it, and more where there is plenty. */
const SITE_CACHE = 1 / 12
const SITE_CACHE_BYTES = 40 * MIB
const COMPRESSORS = 64
/** Pages of all files that one storage thread has open. */
const PAGES_BYTES = 256 * MIB

/** The memory of a body of n bytes while it is taken apart, handed on, written and answered: n times this. */
export const BODY_COST = 7
/** What one document of a bulk takes beside that, on all threads together, garbage included. */
export const DOCUMENT_COST = 600
/** The same of an answer that its client takes slowly. */
export const ANSWER_COST = 4
/** What a connection takes: 70 KB while it has nothing to do, and the rest when it sends its requests. */
export const CONNECTION_BYTES = 128 * 1024

export interface MemoryUsers {
  readonly storageThreads: number
  readonly httpThreads: number
}

export interface MemoryBytes {
  readonly bytes: number
  /** Whether all of it is for the server, as in a container. */
  readonly isDedicated: boolean
}

export interface MemoryShares {
  /** Whether it is enough, whatever clients do. */
  readonly isSufficient: boolean
  /** For what clients have under way. */
  readonly budgetBytes: number
  /** The longest body that this has room for. */
  readonly bodyBytes: number
  /** For what is cached of what was read, by all threads that serve HTTP. */
  readonly readCacheBytes: number
  /** For pages of files, of each storage thread. */
  readonly pageBytes: number
  /** Units of text up to which an answer is sent whole. */
  readonly wholeResponseLength: number
  /** For compressed forms of what is kept, and entity tags, on each thread that serves HTTP. */
  readonly encodedCacheBytes: number
  /** For files of sites, on each thread that serves HTTP. */
  readonly siteCacheBytes: number
  /** Answers that one thread compresses at a time, with up to a megabyte for each. */
  readonly compressors: number
  /** The heaps of one thread in megabytes, where they are to be smaller than the runtime would make them. */
  readonly heap: HeapLimits | undefined
}

export interface HeapLimits {
  readonly maxOldGenerationSizeMb: number
  readonly maxYoungGenerationSizeMb: number
}

/** Shares where there is plenty of memory. */
export const UNBOUNDED_MEMORY: MemoryShares = Object.freeze({
  isSufficient: true,
  budgetBytes: Number.MAX_SAFE_INTEGER,
  bodyBytes: Number.MAX_SAFE_INTEGER,
  readCacheBytes: KEPT_BYTES * READ_CACHE,
  pageBytes: PAGES_BYTES,
  wholeResponseLength: MIB,
  encodedCacheBytes: ENCODED_CACHE_BYTES,
  siteCacheBytes: SITE_CACHE_BYTES,
  compressors: COMPRESSORS,
  heap: undefined,
})

/**
 * Divides the memory that there is. From some gigabytes on each share is as large as is of use, and the budget bounds next
 * to nothing.
 */
export function divideMemory(
  { bytes, isDedicated }: MemoryBytes,
  { storageThreads, httpThreads }: MemoryUsers,
): MemoryShares {
  const usable = bytes * (isDedicated ? DEDICATED : SHARED)
  const keptBytes = Math.min(KEPT_BYTES, usable / 24)
  const siteBytes = Math.min(SITE_CACHE_BYTES, (usable / 24) * SITE_CACHE)
  const isTight = usable < 1024 * MIB
  const pageBytes = Math.min(PAGES_BYTES, usable / (isTight ? 32 : 8) / storageThreads)
  const threads = STORAGE_THREAD_BYTES * (storageThreads - 4) + HTTP_THREAD_BYTES * (httpThreads - 1)
  const base = PROCESS_BYTES + threads
  const left = usable - base - keptBytes - pageBytes * storageThreads
  const budgetBytes = Math.max(LEAST_BYTES, left)
  return {
    isSufficient: left >= LEAST_BYTES,
    budgetBytes: Math.floor(budgetBytes),
    bodyBytes: Math.floor((budgetBytes * ONE_BODY - DOCUMENT_COST * BULK_DOCUMENTS) / BODY_COST),
    readCacheBytes: Math.floor(keptBytes * READ_CACHE),
    pageBytes: Math.floor(pageBytes),
    wholeResponseLength: within(budgetBytes / 512, 128 * 1024, MIB),
    encodedCacheBytes: Math.floor(Math.min(ENCODED_CACHE_BYTES, (keptBytes * ENCODED_CACHE) / httpThreads)),
    siteCacheBytes: Math.floor(siteBytes / httpThreads),
    compressors: within(budgetBytes / 16 / MIB / httpThreads, 2, COMPRESSORS),
    heap: isTight ? heapOf(usable) : undefined,
  }
}

/** Garbage is let grow up to these, so that they have to be small where all heaps together have little room. */
function heapOf(usable: number): HeapLimits {
  return {
    maxOldGenerationSizeMb: Math.max(64, Math.floor(usable / 4 / MIB)),
    maxYoungGenerationSizeMb: Math.max(2, Math.floor(usable / 64 / MIB)),
  }
}

function within(value: number, least: number, most: number): number {
  return Math.floor(Math.min(most, Math.max(least, value)))
}
