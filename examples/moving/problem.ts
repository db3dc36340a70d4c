/** What the user can mend; it is printed without a stack. */
export class Problem extends Error {}

/** Some documents are not saved, each of which was printed; the others are. */
export class Refused extends Problem {}

/** Runs a script; prints a problem in one line, and ends with exit code 1 then. */
export async function run(name: string, main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    const isExpected = error instanceof Problem || (error instanceof Error && 'code' in error)
    if (!isExpected) throw error
    console.error(`${name}: ${error.message}`)
    process.exitCode = 1
  }
}
