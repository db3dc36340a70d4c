import { fileType } from './file-type.ts'

/** Kinds beside texts that get shorter; pictures, films and most fonts are compressed by themselves. */
const COMPRESSIBLE: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/json',
  'application/manifest+json',
  'application/rtf',
  'application/vnd.ms-fontobject',
  'application/wasm',
  'application/xml',
  'application/x-sh',
  'font/otf',
  'font/ttf',
  'image/bmp',
  'image/svg+xml',
  'image/x-icon',
  'image/vnd.microsoft.icon',
])

/** Whether a file gets shorter when it is compressed, as far as its name tells. */
export function isCompressible(path: string): boolean {
  const type = fileType(path)
  return type.startsWith('text/') || type.endsWith('+xml') || type.endsWith('+json') || COMPRESSIBLE.has(type)
}
