import type { Path } from '../json/path.ts'
import type { JsonObject, JsonValue } from '../json/value.ts'
import type { Filter } from '../query/ast.ts'
import type { Update } from './ast.ts'
import { setsId } from './modifier-traits.ts'
import { refuseConflicts } from './refuse-conflicts.ts'

interface Equality {
  readonly path: Path
  readonly value: JsonValue
}

/**
 * What a new document has to hold so that a query finds it, as far as the query says so: the fields that have
 * to equal a value, `_id` among them. Every part of a path becomes a key, numbers too. For a replacement only
 * the `_id` counts.
 * @throws AppError `conflicting_paths` where the query has two conditions of that kind on one field, or on a
 * field and its parent
 */
export function seedFromFilter(filter: Filter, kind: Update['kind']): JsonObject {
  const equalities = equalitiesOf(filter).filter(({ path }) => kind === 'modify' || path[0] === '_id')
  refuseConflicts(equalities.map(({ path }) => path))
  const seed: JsonObject = new Map()
  for (const { path, value } of equalities) {
    let parent = seed
    for (const part of path.slice(0, -1)) parent = childObject(parent, part)
    parent.set(path.at(-1)!, value)
  }
  return seed
}

/** The `_id` that an update gives to a document which it creates, placeholders still in place. */
export function givenId(update: Update): JsonValue | undefined {
  if (update.kind === 'replace') return update.document.get('_id')
  return update.modifiers.find(setsId)?.value
}

function equalitiesOf(filter: Filter): Equality[] {
  switch (filter.kind) {
    case 'and':
      return filter.filters.flatMap(equalitiesOf)
    case 'compare':
      return filter.operator === 'eq' ? [filter] : []
    case 'not':
    case 'in':
    case 'has':
    case 'regex':
      return []
    default:
      return filter satisfies never
  }
}

/** The conflicts that were refused leave only objects on the way. */
function childObject(parent: JsonObject, part: string): JsonObject {
  const child = parent.get(part)
  if (child instanceof Map) return child
  const created: JsonObject = new Map()
  parent.set(part, created)
  return created
}
