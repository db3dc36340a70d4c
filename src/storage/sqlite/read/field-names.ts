import { TextScanner } from './text-scanner.ts'

/**
 * Makes of the texts of documents the names of their fields that are new, as an array of JSON, and nothing where none is.
 * @param most of all together; one more says that there are more
 */
export function prepareFields(most: number): (document: string) => string {
  const known = new Set<string>()
  return (document) => {
    const scanner = new TextScanner(document)
    const fresh: string[] = []
    while (known.size <= most && scanner.goesOn()) {
      const key = scanner.key()
      scanner.pass()
      if (known.has(key)) continue
      known.add(key)
      fresh.push(key)
    }
    return fresh.length === 0 ? '' : `[${fresh.join(',')}]`
  }
}
