import type { Kit } from './kit.ts'
import { runSheaf, type SheafServer } from './sheaf.ts'

/** What the command line of this Sheaf knows, as its own help says. */
export interface Abilities {
  readonly canIndex: boolean
  readonly hasAutoIndex: boolean
}

export const NO_INDEXES = '`sheaf index` is an unknown command here: Sheaf was measured without an index.'

export async function abilitiesOf(kit: Kit): Promise<Abilities> {
  const [commands, serve] = await Promise.all([runSheaf(kit, ['--help']), runSheaf(kit, ['serve', '--help'])])
  return { canIndex: /^\s+index\b/m.test(commands), hasAutoIndex: serve.includes('--auto-index') }
}

/** Options of `serve` by which no index comes to be that the row didn't ask for. */
export function withoutAutoIndex({ hasAutoIndex }: Abilities): string[] {
  return hasAutoIndex ? ['--auto-index', 'off'] : []
}

/** Makes an index where Sheaf can; the server runs, and the index is ready after it. */
export async function createIndex(
  kit: Kit,
  abilities: Abilities,
  { server, collection, field }: { server: SheafServer; collection: string; field: string },
): Promise<void> {
  if (!abilities.canIndex) return
  await runSheaf(kit, ['index', 'create', 'demo', collection, field, '--data', server.dataDir])
}
