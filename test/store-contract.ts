import type { OpenStore } from './contract-harness.ts'
import { describeBin } from './store-contract-bin.ts'
import { describeConditions } from './store-contract-conditions.ts'
import { describeExports } from './store-contract-exports.ts'
import { describeImports } from './store-contract-imports.ts'
import { describePages } from './store-contract-pages.ts'
import { describePermitted } from './store-contract-permitted.ts'
import { describeReads } from './store-contract-reads.ts'
import { describeWrites } from './store-contract-writes.ts'

/** The one suite for every store. */
export function describeStore(name: string, open: OpenStore): void {
  describeReads(name, open)
  describePages(name, open)
  describeWrites(name, open)
  describePermitted(name, open)
  describeConditions(name, open)
  describeImports(name, open)
  describeExports(name, open)
  describeBin(name, open)
}
