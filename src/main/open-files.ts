import { close, open } from 'node:fs'
import { isOutOfDescriptors, outOfDescriptors } from '../domain/descriptors.ts'
import type { Log } from '../http/log/log.ts'
import { rareWarning } from '../http/log/rare-warning.ts'

/** How often it is looked whether another file can be opened. */
const LOOK_MS = 1000

/** How many files the system lets this process have open (`ulimit -n`), or undefined where it doesn't say. */
export function openFilesLimit(): number | undefined {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean }
  // Names of hosts would be looked up, which can take seconds.
  const { excludeNetwork } = report
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { readonly userLimits?: UserLimits }
  report.excludeNetwork = excludeNetwork
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/** In a diagnostic report of Node.js; a limit is a number or `unlimited`. */
interface UserLimits {
  readonly open_files?: { readonly soft: number | string }
}

/**
 * Looks every second whether the process can open one more file: where it can't, the system drops connections that come,
 * and nothing tells of it.
 * @param release closes the files that can be done without
 * @returns ends it
 */
export function watchOpenFiles({ log, release }: { log: Log; release: () => void }): () => void {
  const warn = rareWarning(log)
  const timer = setInterval(() => {
    open('/dev/null', (error, descriptor) => {
      if (error === null) close(descriptor)
      else if (isOutOfDescriptors(error)) {
        release()
        warn(`a connection was not accepted, or would not be: ${outOfDescriptors(error)}`)
      }
    })
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}
