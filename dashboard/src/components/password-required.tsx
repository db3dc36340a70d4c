import { createContext, type ReactNode, use, useRef, useState } from 'react'
import { ApiError } from '../api.ts'
import { loaded } from '../loaded.tsx'
import { Overlay } from './overlay.tsx'

const PasswordDialog = loaded(() => import('./password-dialog.tsx'))

/** Asks for the password; whether it was given. */
type AskForPassword = () => Promise<boolean>

const AskContext = createContext<AskForPassword>(() => Promise.resolve(false))

interface PasswordRequiredProps {
  readonly email: string
  readonly children: ReactNode
}

/** Lets what is in it ask for the password, by `useConfirmed`: in one dialog, however many acts wait for it. */
export function PasswordRequired({ email, children }: PasswordRequiredProps) {
  const waiting = useRef<PromiseWithResolvers<boolean>>(undefined)
  const [isOpen, setIsOpen] = useState(false)
  const ask = () => {
    waiting.current ??= Promise.withResolvers()
    setIsOpen(true)
    return waiting.current.promise
  }
  const end = (isGiven: boolean) => {
    waiting.current?.resolve(isGiven)
    waiting.current = undefined
    setIsOpen(false)
  }
  return (
    <AskContext value={ask}>
      {children}
      {isOpen && (
        <Overlay onClose={() => end(false)}>
          <PasswordDialog email={email} onEnd={end} />
        </Overlay>
      )}
    </AskContext>
  )
}

/**
 * For what does harm in the wrong hands: an act that the server refuses with `password_required` is done once more when the
 * password was given in a dialog. Where nobody gives it, the act rejects as it did, and `Problem` says so.
 *
 *     const confirmed = useConfirmed()
 *     const { mutate } = useMutation({
 *       mutationFn: (slug: string) => confirmed(() => askApi(`/apps/${slug}`, { method: 'DELETE' })),
 *     })
 */
export function useConfirmed() {
  const ask = use(AskContext)
  return async <Result,>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act()
    } catch (error) {
      const isAsked = error instanceof ApiError && error.code === 'password_required'
      if (!isAsked || !(await ask())) throw error
      return act()
    }
  }
}
