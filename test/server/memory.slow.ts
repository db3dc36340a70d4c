import { outlivesAll } from './memory-rounds.ts'

// What the system doesn't say, the operator may.
outlivesAll({ mib: 256, mostMegabytes: 6, isConfigured: true })
outlivesAll({ mib: 512, mostMegabytes: 30, isConfigured: false })
