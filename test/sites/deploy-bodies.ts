import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

export type Files = Readonly<Record<string, string | Buffer>>

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * A body of `application/x-sheaf-deploy`, of all files but those that are named as there already.
 * @param change of the list, before it is written
 */
export function fileStream(
  files: Files,
  {
    there = [],
    change = (list) => list,
  }: { there?: readonly string[]; change?: (list: object[]) => unknown } = {},
): Buffer {
  const sent = new Set<string>()
  const contents: Buffer[] = []
  const list = Object.entries(files).map(([path, text]) => {
    const content = Buffer.from(text)
    const hash = sha256(content)
    const isSent = !there.includes(path) && !sent.has(hash)
    if (isSent) contents.push(content)
    sent.add(hash)
    return { path, hash, bytes: content.length, sent: isSent }
  })
  return Buffer.concat([Buffer.from(`${JSON.stringify({ files: change(list) })}\n`), ...contents])
}

export interface ZipEntry {
  readonly name: string | Buffer
  readonly content?: string | Buffer
  /** As Unix has it, such as 0o120777 for a symbolic link. */
  readonly mode?: number
  /** What is written, whatever is true. */
  readonly crc?: number
  readonly bytes?: number
  readonly flags?: number
  readonly comment?: string
}

/** An empty last block of fixed codes (RFC 1951, section 3.2.3). */
const PACKED_NOTHING = Buffer.from([3, 0])

/** A zip file as it is told, good or not. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let place = 0
  for (const { name, content = '', mode = 0o100644, crc, bytes, flags = 0x800, comment = '' } of entries) {
    const plain = Buffer.from(content)
    const packed = plain.length === 0 ? PACKED_NOTHING : deflateRawSync(plain)
    const nameBytes = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc ?? crc32(plain), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes ?? plain.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, nameBytes, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt16LE(comment.length, 0)
    rest.writeUInt32LE(mode * 0x1_0000, 6)
    rest.writeUInt32LE(place, 10)
    // Made by Unix.
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, rest, nameBytes, Buffer.from(comment)]),
    )
    parts.push(local)
    place += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(place, 16)
  return Buffer.concat([...parts, listed, end])
}
