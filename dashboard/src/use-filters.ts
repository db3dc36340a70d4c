import { useSearchParams } from 'wouter'

/** What a list is filtered by, in parameters of the page's address; others stay as they are. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams()
  const given = names.map((name) => [name, parameters.get(name) ?? '']).filter(([, text]) => text !== '')
  const change = (texts: Iterable<readonly [Name, string]>) =>
    setParameters(
      (before) => {
        const changed = new URLSearchParams(before)
        for (const [name, text] of texts)
          if (text === '') changed.delete(name)
          else changed.set(name, text)
        return changed
      },
      { replace: true },
    )
  return {
    /** Those that are filled in, as a query. */
    search: String(new URLSearchParams(given)),
    of: (name: Name) => parameters.get(name) ?? '',
    set: (name: Name, text: string) => change([[name, text]]),
    clear: () => change(names.map((name) => [name, ''])),
  }
}
