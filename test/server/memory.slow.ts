import { outlivesAll } from './memory-rounds.ts'

// What the system doesn't say, the operator may.
outlivesAll({ mib: 256, mostMegabytes: 3, isConfigured: true })
outlivesAll({ mib: 512, mostMegabytes: 26, isConfigured: false })
