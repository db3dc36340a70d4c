import { ApiError, askApi } from '../api.ts'
import { appPath } from '../apps-data.ts'
import { type FileToSend, sendFile } from '../send-file.ts'
import { SITE_TEXTS } from '../texts/site.ts'
import { DEPLOY_TYPE, deployBody, type HashedFile, hashFiles } from './deploy-body.ts'
import type { Deployed } from './site-data.ts'
import type { ChosenFile } from './site-folder.ts'

export interface WantedDeploy {
  /** Those of a folder, or a zip. */
  readonly from: readonly ChosenFile[] | File
  readonly message: string
  readonly isLive: boolean
}

interface Sending extends Pick<FileToSend, 'onProgress' | 'signal'> {
  /** Told how many files of a folder have been read. */
  readonly onFiles: (count: number) => void
}

/**
 * Makes a version of what was chosen. Of a folder, only those files travel that the server lacks.
 * @throws ApiError
 */
export async function sendDeploy(
  slug: string,
  { from, message, isLive }: WantedDeploy,
  { onFiles, ...sending }: Sending,
): Promise<Deployed> {
  const parameters = new URLSearchParams({ live: String(isLive), ...(message !== '' && { message }) })
  const path = `${appPath(slug)}/deploys?${parameters}`
  if (from instanceof File) return sendFile({ ...sending, path, file: from, type: 'application/zip' })
  const { signal } = sending
  const files = await hashFiles(from, { onFiles, signal }).catch((error: unknown) => {
    throw signal.aborted ? error : unreadable()
  })
  const send = async () => {
    const missing = await missingHashes(slug, files, signal)
    return sendFile<Deployed>({ ...sending, path, file: deployBody(files, missing), type: DEPLOY_TYPE })
  }
  return send().catch((error: unknown) => {
    // A version was deleted since it was asked, with files that no other one has.
    if (error instanceof ApiError && error.code === 'files_missing') return send()
    throw error
  })
}

async function missingHashes(
  slug: string,
  files: readonly HashedFile[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const hashes = [...new Set(files.map(({ hash }) => hash))]
  const { missing } = await askApi<{ missing: readonly string[] }>(`${appPath(slug)}/deploys/missing`, {
    method: 'POST',
    json: { hashes },
    signal,
  })
  return missing
}

export function unreadable(): ApiError {
  return new ApiError(SITE_TEXTS.unreadable, { code: 'unreadable_file', status: 400 })
}
