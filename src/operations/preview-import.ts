import type { Principal } from '../domain/principal.ts'
import { type ImportTexts, readImportOptions } from '../import/read-import-options.ts'
import { authoriseCollection } from './authorise.ts'
import type { CollectionInput, OperationContext } from './context.ts'

export interface PreviewImportInput extends CollectionInput, ImportTexts {
  /** The beginning of the file. */
  readonly beginning: Uint8Array
}

/**
 * How a file would be imported, by its beginning; where the format isn't said, it is guessed.
 * @returns JSON: `{"format","delimiter","columns","documents","errors","isCut"}`
 * @throws AppError as `authoriseCollection` and `readImportOptions` do, and what ends an import
 */
export async function previewImport(
  context: OperationContext,
  principal: Principal,
  input: PreviewImportInput,
): Promise<string> {
  authoriseCollection(context, principal, input, 'create')
  return context.imports.preview(input.beginning, readImportOptions(input))
}
