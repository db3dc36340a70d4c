/** What some system has no room for in a file's name, or shows as something else; and what escapes it. */
const UNSAFE = /[%/\\:*?"<>|\p{Cc}\p{Bidi_Control}]|^[. ]|[. ]$/gu
/** Names of devices on Windows, whatever stands behind a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i
/** Most file systems take 255, and something is put behind it. */
const MOST_BYTES = 200

/** A name that is a file's on every system, the same one for the same text: what isn't safe is escaped as in a URL. */
export function fileNameOf(text: string): string {
  const escaped = text.replace(UNSAFE, escapedCharacter).replace(DEVICE, (device) => `%${device}`)
  let name = ''
  for (const character of escaped) {
    if (Buffer.byteLength(name) + Buffer.byteLength(character) > MOST_BYTES) return name
    name += character
  }
  return name
}

/**
 * Such a name for each text, no two of which are the same file, on systems that don't tell cases or normal forms apart, too.
 */
export function fileNamesOf(texts: readonly string[]): string[] {
  const taken = new Set<string>()
  return texts.map((text) => {
    const name = fileNameOf(text)
    let free = name
    for (let number = 2; taken.has(folded(free)); number++) free = `${name}~${number}`
    taken.add(folded(free))
    return free
  })
}

function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC')
}

function escapedCharacter(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
}
