import { useState } from 'react'
import { askApi } from '../api.ts'
import { useRefreshApps } from '../apps-data.ts'
import { ActDialog } from './act-dialog.tsx'
import { ActForm } from './act-form.tsx'
import { Button } from './button.tsx'

interface EndTokensProps {
  readonly texts: {
    readonly title: string
    readonly explained: string
    /** What is lost by it. */
    readonly lost: string
    readonly button: string
    readonly done: string
  }
  /** Of what the tokens are, under `/_/api`. */
  readonly path: string
}

/** Ends tokens, once it was said what that does. */
export function EndTokens({ texts: { title, explained, lost, button, done }, path }: EndTokensProps) {
  const refresh = useRefreshApps()
  const [isAsking, setIsAsking] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const end = async (): Promise<void> => {
    await askApi(`${path}/tokens`, { method: 'DELETE' })
    void refresh()
  }
  return (
    <>
      <ActForm title={title} isDanger onSubmit={() => setIsAsking(true)}>
        <p>{explained}</p>
        {isDone && <p role="status">{done}</p>}
        <Button look="danger" type="submit">
          {button}
        </Button>
      </ActForm>
      {isAsking && (
        <ActDialog
          title={title}
          explained={lost}
          button={button}
          act={end}
          onDone={() => {
            setIsAsking(false)
            setIsDone(true)
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
