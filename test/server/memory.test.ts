import { outlivesAll } from './memory-rounds.ts'

// 256 less an eighth, 9 for what is kept, 7 for pages, 164 for the process: of 44, 78 of a hundred, less 4 for documents, by 7.
outlivesAll({ mib: 256, mostMegabytes: 3, isConfigured: false })
