import { totalmem } from 'node:os'
import type { MemoryBytes } from '../domain/memory.ts'

/**
 * The memory that the process may use: what the operator says, else the limit of its control group (of either version of
 * Linux's cgroups), else all that the machine has.
 */
export function memoryBytes(configured: number | undefined): MemoryBytes {
  if (configured !== undefined) return { bytes: configured, isDedicated: true }
  const total = totalmem()
  // Without a limit this is 0, or a number as large as numbers of 64 bits are.
  const constrained = process.constrainedMemory()
  return constrained > 0 && constrained < total
    ? { bytes: constrained, isDedicated: true }
    : { bytes: total, isDedicated: false }
}
