import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

const MODULE = new URL('./open-files.ts', import.meta.url).href

/** Runs a program in a process that may open so many files; answers what it printed. */
async function printed(openFiles: number, program: string): Promise<string> {
  const words = [process.execPath, '--input-type=module', '-e', program]
  const script = `ulimit -n ${openFiles}; exec "$@"`
  return (await promisify(execFile)('/bin/sh', ['-c', script, 'sh', ...words])).stdout
}

describe('the files that a process may open', () => {
  it('are as many as the system says', async () => {
    const program = `import { openFilesLimit } from '${MODULE}'; console.log(openFilesLimit())`
    assert.equal(await printed(123, program), '123\n')
  })

  it('are given back and named in the log as soon as there is no other left', async () => {
    const program = `
      import { closeSync, openSync } from 'node:fs'
      import { watchOpenFiles } from '${MODULE}'
      const open = []
      try { for (;;) open.push(openSync('/dev/null')) } catch {}
      const lines = []
      watchOpenFiles({
        log: { warn: (line) => lines.push(line) },
        release: () => {
          for (const each of open.splice(0)) closeSync(each)
          setImmediate(() => console.log(lines.join()) ?? process.exit())
        },
      })
      setTimeout(() => process.exit(1), 20_000)
    `
    assert.match(
      await printed(64, program),
      /^a connection was not accepted, or would not be: too many open files \(EMFILE\); raise ulimit -n/,
    )
  })
})
