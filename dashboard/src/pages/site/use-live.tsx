import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { askApi } from '../../api.ts'
import { appPath, useRefreshApps } from '../../apps-data.ts'
import { useConfirmed } from '../../components/password-required.tsx'
import { UndoToast } from '../../components/undo-toast.tsx'
import { SITE_TEXTS } from '../../texts/site.ts'

const { back: TEXTS } = SITE_TEXTS

/** Which version is live; null for none. */
interface Switch {
  readonly from: number | null
  readonly to: number | null
}

export interface Live {
  readonly set: (change: Switch) => void
  readonly error: Error | null
  /** That of what is under way. */
  readonly pending: Switch | undefined
  readonly toast: ReactNode
}

/** Changes which version is live, and lets that be undone for a while. */
export function useLive(slug: string): Live {
  const [done, setDone] = useState<Switch>()
  const [isUndone, setIsUndone] = useState(false)
  const put = usePutLive(slug, (change) => {
    setIsUndone(false)
    setDone(change)
  })
  const undo = usePutLive(slug, () => setIsUndone(true))
  return {
    set: (change) => {
      undo.reset()
      if (!put.isPending) put.mutate(change)
    },
    error: put.error,
    pending: put.isPending ? put.variables : undefined,
    toast: (
      <UndoToast
        done={done}
        words={{ undo: TEXTS.undo, close: TEXTS.close }}
        isPending={undo.isPending}
        isUndone={isUndone}
        error={undo.error}
        onUndo={() => undo.mutate({ from: done!.to, to: done!.from })}
        onClose={() => setDone(undefined)}
      >
        {done !== undefined && <p>{isUndone ? TEXTS.undone(done.from) : TEXTS.done(done.to)}</p>}
      </UndoToast>
    ),
  }
}

function usePutLive(slug: string, onDone: (change: Switch) => void) {
  const confirmed = useConfirmed()
  const refresh = useRefreshApps()
  return useMutation({
    mutationFn: ({ to }: Switch) =>
      confirmed(() => askApi(`${appPath(slug)}/site/live`, { method: 'PUT', json: { version: to } })),
    onSuccess: (_, change) => {
      onDone(change)
      return refresh()
    },
  })
}
