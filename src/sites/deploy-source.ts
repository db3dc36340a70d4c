import type { LeftOutFile, OfferedFile } from './admit-files.ts'

/** A file that comes with a deploy, or is named by it. */
export interface SourceFile extends OfferedFile {
  /** SHA-256 in hexadecimal, where it is said. */
  readonly hash?: string
}

/** What a deploy is made of, after all that can be said of it without reading its files was found to be right. */
export interface DeploySource {
  readonly files: readonly SourceFile[]
  readonly leftOut: readonly LeftOutFile[]
  /** Of the files that come with it, as long as they are to be. */
  readonly bytesToWrite: number
  /**
   * The bytes of a file, as many as it says; undefined where it was not sent.
   * @throws AppError `invalid_deploy`, in the loop
   */
  open(file: SourceFile): AsyncIterable<Buffer> | undefined
  close(): Promise<void>
}
