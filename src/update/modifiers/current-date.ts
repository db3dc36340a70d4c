import type { Path } from '../../json/path.ts'
import { isJsonObject, type JsonValue } from '../../json/value.ts'
import type { ModifierAction } from '../ast.ts'
import { invalidUpdate, shownPath } from '../describe.ts'
import { utcDate } from '../placeholders.ts'

type DateType = 'date' | 'timestamp'

/** @throws AppError `invalid_update` */
export function parseCurrentDate(operand: JsonValue, path: Path): ModifierAction {
  if (operand === true) return { kind: 'currentDate', type: 'date' }
  const type = isJsonObject(operand) && operand.size === 1 ? operand.get('$type') : undefined
  if (type === 'date' || type === 'timestamp') return { kind: 'currentDate', type }
  throw invalidUpdate(
    `$currentDate takes true, {"$type":"date"} or {"$type":"timestamp"} for ${shownPath(path)}`,
  )
}

/** The request's instant: a UTC date, or milliseconds since the Unix epoch. */
export function currentDate(type: DateType, now: number): JsonValue {
  return type === 'date' ? utcDate(now) : now
}
