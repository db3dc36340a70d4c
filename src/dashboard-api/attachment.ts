import { fileNameOf } from '../domain/file-name.ts'

/** Beside `encodeURIComponent`, what stands for itself in no parameter (RFC 5987, section 3.2.1). */
const NOT_ATTRIBUTE = /['()*]/g
/** What older programs take apart, or don't know. */
const NOT_PLAIN = /[^ !#$&+\-.0-9@A-Z^_`a-z~]/g

/** A header that has a browser save an answer as a file; names and values in turn (RFC 6266). @param name with its ending */
export function attachment({
  name,
  ending,
}: {
  readonly name: string
  readonly ending: string
}): readonly string[] {
  const file = `${fileNameOf(name)}.${ending}`
  const plain = file.replaceAll(NOT_PLAIN, '_')
  const encoded = encodeURIComponent(file).replaceAll(
    NOT_ATTRIBUTE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return ['Content-Disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`]
}
