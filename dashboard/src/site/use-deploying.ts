import { useState } from 'react'
import { useRefreshApps } from '../apps-data.ts'
import { useSending } from '../use-sending.ts'
import { sendDeploy, type WantedDeploy } from './send-deploy.ts'

/** Makes versions of a site, with how far it is. */
export function useDeploying(slug: string) {
  const refresh = useRefreshApps()
  const [readFiles, setReadFiles] = useState(0)
  const sending = useSending((wanted: WantedDeploy, how) => {
    setReadFiles(0)
    return sendDeploy(slug, wanted, { ...how, onFiles: setReadFiles })
  }, refresh)
  return { ...sending, readFiles }
}
