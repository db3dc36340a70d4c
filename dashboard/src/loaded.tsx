import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * A component that comes in a file of its own: drawn at once where the file is there, and else as soon as it is. React's
 * own `lazy` waits until 300 ms after the last fallback before it shows what came.
 * @param fallback what shows until then
 */
export function loaded<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  fallback: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once for each file, where a module begins.
  return function Loaded(props: Props) {
    const [state, setState] = useState<{
      readonly Shown?: ComponentType<Props> | undefined
      readonly error?: unknown
    }>({
      Shown: known,
    })
    useEffect(() => {
      if (known !== undefined) return
      let isShown = true
      load().then(
        (module) => {
          known = module.default
          if (isShown) setState({ Shown: known })
        },
        (error: unknown) => isShown && setState({ error }),
      )
      return () => {
        isShown = false
      }
    }, [])
    const { Shown = known, error } = state
    // For the boundary around it, which says what to do.
    if (error !== undefined) throw error
    return Shown === undefined ? fallback(props) : <Shown {...props} />
  }
}
