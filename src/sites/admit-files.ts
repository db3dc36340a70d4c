import { foldedPath, isLeftOut, pathProblem } from '../domain/site-paths.ts'
import { badFile, fileTooLarge, type SiteLimits, siteTooLarge, tooManyFiles } from './deploy-refusals.ts'

/** A file as whoever sends it says that it is. */
export interface OfferedFile {
  readonly path: string
  readonly bytes: number
}

export interface LeftOutFile {
  readonly path: string
  readonly reason: 'hidden' | 'litter'
}

export interface AdmittedFiles<Offered extends OfferedFile> {
  readonly files: readonly Offered[]
  readonly leftOut: readonly LeftOutFile[]
}

/**
 * Which of the files a version of a site gets; nothing of them was read yet.
 * @throws AppError `invalid_deploy`, `deploy_too_large`
 */
export function admitFiles<Offered extends OfferedFile>(
  offered: readonly Offered[],
  limits: SiteLimits,
): AdmittedFiles<Offered> {
  const files: Offered[] = []
  const leftOut: LeftOutFile[] = []
  const taken = new Map<string, string>()
  let bytes = 0
  for (const file of offered) {
    const { path } = file
    const problem = pathProblem(path)
    if (problem !== undefined) throw badFile(path, problem)
    if (isLeftOut(path)) {
      leftOut.push({ path, reason: /(?:^|\/)\./.test(path) ? 'hidden' : 'litter' })
      continue
    }
    const folded = foldedPath(path)
    const other = taken.get(folded)
    if (other === path) throw badFile(path, 'is there twice')
    if (other !== undefined)
      throw badFile(
        path,
        `differs from ${JSON.stringify(other)} in upper and lower case alone, or in its Unicode form`,
      )
    taken.set(folded, path)
    if (file.bytes > limits.siteFileBytes) throw fileTooLarge(path, limits)
    bytes += file.bytes
    files.push(file)
  }
  if (files.length > limits.siteFiles) throw tooManyFiles(limits)
  if (bytes > limits.siteBytes) throw siteTooLarge(limits)
  return { files, leftOut }
}
