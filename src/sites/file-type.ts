import mime from 'mime'

/** The type of a file, without parameters, as far as its name tells. */
export function fileType(path: string): string {
  return mime.getType(path) ?? 'application/octet-stream'
}
