import { useState } from 'react'

interface ActionState {
  readonly isPending: boolean
  readonly error: Error | null
}

const IDLE: ActionState = { isPending: false, error: null }

/** Something that a form does, once at a time: whether it is under way, and what went wrong. */
export function useAction<Input>(act: (input: Input) => Promise<unknown>) {
  const [state, setState] = useState(IDLE)
  const run = async (input: Input): Promise<void> => {
    if (state.isPending) return
    setState({ isPending: true, error: null })
    try {
      await act(input)
      setState(IDLE)
    } catch (error) {
      setState({ isPending: false, error: error as Error })
    }
  }
  return { ...state, run, clear: () => setState(IDLE) }
}
