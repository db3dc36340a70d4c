import type { VarintReader, VarintWriter } from './varints.ts'

/** Texts that occur often, each written once. */
export class TextDictionary {
  private readonly indexes = new Map<string, number>()

  indexOf(text: string): number {
    const known = this.indexes.get(text)
    if (known !== undefined) return known
    this.indexes.set(text, this.indexes.size)
    return this.indexes.size - 1
  }

  write(writer: VarintWriter): void {
    writer.number(this.indexes.size)
    for (const text of this.indexes.keys()) writer.text(text)
  }
}

export function readTexts(reader: VarintReader): string[] {
  return Array.from({ length: reader.count() }, () => reader.text())
}
