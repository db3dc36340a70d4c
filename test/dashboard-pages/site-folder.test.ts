import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { folderOfEntries, folderOfFiles, tooMuch } from '../../dashboard/src/site/site-folder.ts'

/** As a field for folders gives it. */
function chosen(path: string): File {
  const file = new File(['x'], path.split('/').at(-1)!)
  return Object.defineProperty(file, 'webkitRelativePath', { value: path.includes('/') ? path : '' })
}

interface Tree {
  readonly [name: string]: Tree | 'file' | 'unreadable'
}

/** As a browser gives what was dropped: of a folder, two at a time. */
function dropped(tree: Tree): FileSystemEntry[] {
  return Object.entries(tree).map(([name, inner]) => {
    const isDirectory = typeof inner === 'object'
    const file = (resolve: (file: File) => void, reject: (error: Error) => void) =>
      inner === 'unreadable'
        ? reject(new DOMException('gone', 'NotFoundError'))
        : resolve(new File([name], name))
    const createReader = () => {
      const left = isDirectory ? dropped(inner) : []
      return { readEntries: (resolve: (some: FileSystemEntry[]) => void) => resolve(left.splice(0, 2)) }
    }
    return { name, isDirectory, isFile: !isDirectory, file, createReader } as unknown as FileSystemEntry
  })
}

function pathsOf({ files }: { readonly files: readonly { readonly path: string }[] }): readonly string[] {
  return files.map(({ path }) => path)
}

describe('a folder that is to be a site', () => {
  it('is too much where a server would refuse it for its size, before any of it is read', () => {
    const limits = { files: 2, fileBytes: 2 ** 20, bytes: 2 ** 21 }
    const folder = folderOfFiles(['dist/a.js', 'dist/b.js'].map(chosen))
    assert.equal(tooMuch(folder, limits), undefined)
    assert.equal(tooMuch(folder, { ...limits, files: 1 }), 'A site may have 1 file at most.')
    assert.match(tooMuch(folder, { ...limits, bytes: 1 })!, /all together/)
    assert.match(tooMuch(folder, { ...limits, fileBytes: 0 })!, /^a\.js is too large: .* 0 MiB at most/)
  })

  it('leaves out what is hidden, a folder of it once, without looking into it', async () => {
    const inside: Tree = { config: 'unreadable', objects: { a: 'unreadable' } }
    const folder = await folderOfEntries(
      dropped({
        dist: { '.git': inside, '.env': 'file', 'a.html': 'file', js: { '.cache': inside, 'a.js': 'file' } },
      }),
    )
    assert.equal(folder.name, 'dist')
    assert.deepEqual(pathsOf(folder), ['a.html', 'js/a.js'])
    assert.deepEqual(folder.leftOut, ['.env', '.git/', 'js/.cache/'])
    const same = folderOfFiles(
      [
        'dist/js/a.js',
        'dist/.git/config',
        'dist/.git/objects/a',
        'dist/.env',
        'dist/js/.cache/x',
        'dist/a.html',
      ].map(chosen),
    )
    assert.equal(same.name, 'dist')
    assert.deepEqual(pathsOf(same), ['a.html', 'js/a.js'])
    assert.deepEqual(same.leftOut, ['.env', '.git/', 'js/.cache/'])
  })

  it('may be a file, or several things side by side', async () => {
    const several = await folderOfEntries(
      dropped({
        'index.html': 'file',
        css: { 'a.css': 'file', 'b.css': 'file', 'c.css': 'file' },
        empty: {},
      }),
    )
    assert.deepEqual(
      [several.name, ...pathsOf(several)],
      [undefined, 'css/a.css', 'css/b.css', 'css/c.css', 'index.html'],
    )
    const one = await folderOfEntries(dropped({ 'index.html': 'file' }))
    assert.deepEqual([one.name, ...pathsOf(one)], ['index.html', 'index.html'])
    const files = folderOfFiles(['b.html', 'a.html'].map(chosen))
    assert.deepEqual([files.name, ...pathsOf(files)], [undefined, 'a.html', 'b.html'])
    assert.deepEqual(folderOfFiles([]), { name: undefined, files: [], leftOut: [], problems: [] })
  })

  it('is no half of one where something in it can’t be read', async () => {
    await assert.rejects(folderOfEntries(dropped({ dist: { 'a.html': 'file', 'b.html': 'unreadable' } })), {
      name: 'NotFoundError',
    })
  })

  it('is told what is wrong with its files', () => {
    const { problems } = folderOfFiles(
      ['a.html', '_sheaf/a', 'A.html', 'b.html', 'c\u202e.html'].map((path) => chosen(`dist/${path}`)),
    )
    assert.deepEqual(problems, [
      { path: '_sheaf/a', problem: "is in _sheaf, which is the server's own" },
      { path: 'a.html', same: 'A.html' },
      { path: 'c\u202e.html', problem: 'has a character that turns the reading direction' },
    ])
  })
})
