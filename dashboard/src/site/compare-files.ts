import type { DeployedFile } from './site-data.ts'

export const DIFFERENCES = ['added', 'changed', 'removed'] as const

export interface Difference {
  readonly kind: (typeof DIFFERENCES)[number]
  readonly path: string
}

/** What a version has that another one has not, or otherwise, by their paths. */
export function compareFiles(
  before: readonly DeployedFile[],
  after: readonly DeployedFile[],
): readonly Difference[] {
  const hashes = new Map(before.map(({ path, hash }) => [path, hash]))
  const paths = new Set(after.map(({ path }) => path))
  const differences: Difference[] = before.flatMap(({ path }) =>
    paths.has(path) ? [] : [{ kind: 'removed' as const, path }],
  )
  for (const { path, hash } of after) {
    const was = hashes.get(path)
    if (was !== hash) differences.push({ kind: was === undefined ? 'added' : 'changed', path })
  }
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1))
}
