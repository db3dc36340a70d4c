/** A list of texts as it stands in a row as JSON; none where that can't be read. */
export function storedTexts(text: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(text)
    return Array.isArray(stored) && stored.every((each) => typeof each === 'string') ? stored : []
  } catch {
    return []
  }
}
