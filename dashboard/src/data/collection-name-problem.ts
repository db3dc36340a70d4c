import { collectionName } from '../../../src/domain/names.ts'
import { sentence } from '../texts.ts'

/** What keeps a text from being a collection's name, in the server's words; undefined where nothing does. */
export function collectionNameProblem(text: string): string | undefined {
  try {
    collectionName(text)
    return undefined
  } catch (error) {
    return sentence((error as Error).message)
  }
}
