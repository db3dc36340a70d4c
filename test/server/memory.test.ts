import { outlivesAll } from './memory-rounds.ts'

// 256 less an eighth, 9 for what is kept, 7 for pages, 144 for the process: of 64, 78 of a hundred, less 4 for documents, by 7.
outlivesAll({ mib: 256, mostMegabytes: 6, isConfigured: false })
