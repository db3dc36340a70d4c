import type { Path } from '../../json/path.ts'
import { isJsonObject, type JsonValue, jsonInteger } from '../../json/value.ts'
import type { BitOperation, ModifierAction } from '../ast.ts'
import { invalidUpdate, notApplicable, shownPath } from '../describe.ts'
import { int64 } from './numbers.ts'

/** @throws AppError `invalid_update` */
export function parseBit(operand: JsonValue, path: Path): ModifierAction {
  if (!isJsonObject(operand) || operand.size === 0) throw invalidOperand(path)
  const operations = [...operand].map(([operator, value]): BitOperation => {
    const integer = int64(value)
    if (!isOperator(operator) || integer === undefined) throw invalidOperand(path)
    return { operator, operand: integer }
  })
  return { kind: 'bit', operations }
}

/**
 * `$bit` on integers of 64 bits in two's complement, however they are written (`1`, `1.0`), its operations in the order
 * written. Nothing is 0.
 * @throws AppError `update_not_applicable`
 */
export function bitwise(
  value: JsonValue | undefined,
  operations: readonly BitOperation[],
  path: Path,
): JsonValue {
  const before = value === undefined ? 0n : int64(value)
  if (before === undefined) throw notApplicable('$bit', path, value!, 'an integer of 64 bits')
  const after = operations.reduce(operate, before)
  return value !== undefined && after === before ? value : jsonInteger(after)
}

function operate(bits: bigint, { operator, operand }: BitOperation): bigint {
  switch (operator) {
    case 'and':
      return bits & operand
    case 'or':
      return bits | operand
    case 'xor':
      return bits ^ operand
    default:
      return operator satisfies never
  }
}

function isOperator(text: string): text is BitOperation['operator'] {
  return text === 'and' || text === 'or' || text === 'xor'
}

function invalidOperand(path: Path) {
  return invalidUpdate(
    `$bit takes {"and":n}, {"or":n} or {"xor":n} for ${shownPath(path)}, where n is an integer of 64 bits`,
  )
}
