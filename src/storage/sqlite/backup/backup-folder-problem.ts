import { accessSync, constants, statSync } from 'node:fs'
import { systemProblem } from '../../../domain/system-problem.ts'

/** Why no file can be made in a folder, in words for an operator; undefined where nothing speaks against it. */
export function backupFolderProblem(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is no folder`
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return `the folder ${folder} doesn't exist`
    if (code === 'ENOTDIR') return `${folder} lies below something that is no folder`
    if (code === 'EACCES') return `this user may not write to the folder ${folder}`
    return systemProblem(error) ?? message
  }
}
