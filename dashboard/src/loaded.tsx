import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * A component that comes in a file of its own: drawn at once where the file is there, and else as soon as it is. React's
 * own `lazy` waits until 300 ms after the last fallback before it shows what came.
 * @param fallback what shows until then
 * @param failed what shows instead where it can't be loaded; without it, what the boundary around it has for that
 */
export function loaded<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  fallback: (props: Props) => ReactNode = () => null,
  failed: (error: Error, props: Props) => ReactNode = toBoundary,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined
  // biome-ignore lint/correctness/noComponentHookFactories: it is called once for each file, where a module begins.
  return function Loaded(props: Props) {
    const [state, setState] = useState<{
      readonly Shown?: ComponentType<Props> | undefined
      readonly error?: Error
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
        (error: Error) => isShown && setState({ error }),
      )
      return () => {
        isShown = false
      }
    }, [])
    const { Shown = known, error } = state
    if (error !== undefined) return failed(error, props)
    return Shown === undefined ? fallback(props) : <Shown {...props} />
  }
}

function toBoundary(error: Error): never {
  throw error
}
