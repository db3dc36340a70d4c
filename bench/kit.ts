import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const STOP_MS = 15_000
/** A process that was just killed may still be writing. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10 }

/** The processes and the folder of one run; all are gone after it, however it ends. */
export class Kit {
  readonly root: string
  /** With the signal that ends each at once. */
  private readonly children = new Map<ChildProcess, NodeJS.Signals | number>()
  private readonly kept = new Set<string>()
  private folders = 0

  constructor(parent = tmpdir()) {
    this.root = mkdtempSync(join(parent, 'sheaf-bench-'))
    // Ctrl-C, a failed row and an ordinary end all come by here.
    process.once('exit', () => this.dispose())
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(130))
  }

  /** A path for a new file or folder, which is not made yet. */
  path(name: string): string {
    return join(this.root, `${++this.folders}-${name}`)
  }

  /** Leaves a file or folder when the others are swept away. */
  keep(path: string): void {
    this.kept.add(path)
  }

  /** Ends what still runs, and removes what was made but isn't kept: a row leaves nothing to the next. */
  sweep(): void {
    for (const [child, signal] of this.children) child.kill(signal)
    for (const name of readdirSync(this.root)) {
      const path = join(this.root, name)
      if (!this.kept.has(path)) rmSync(path, REMOVAL)
    }
  }

  /** `killSignal` is for the end of the run. */
  spawn(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn(command, args, options)
    this.children.set(child, options.killSignal ?? 'SIGKILL')
    child.once('exit', () => this.children.delete(child))
    child.once('error', () => this.children.delete(child))
    return child
  }

  /** Runs a program to its end; answers what it printed. @throws Error where it fails */
  async run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
    const child = this.spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = Promise.all([textOf(child.stdout!), textOf(child.stderr!)])
    const [code] = await once(child, 'exit')
    const [stdout, stderr] = await output
    if (code === 0) return stdout
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${stderr}${stdout}`)
  }

  /** Runs one of the benchmark's own scripts with the Node.js that runs this one, and reads the JSON it prints. */
  async runScript<Result>(file: URL, settings: object): Promise<Result> {
    return JSON.parse(await this.run(process.execPath, [file.pathname, JSON.stringify(settings)])) as Result
  }

  /**
   * Starts one of the benchmark's own servers in a process of its own, and waits until it sends the port that it
   * listens on. @throws Error where it ends before that
   */
  async startScript(file: URL, settings: object): Promise<{ child: ChildProcess; port: number }> {
    const child = this.spawn(process.execPath, [file.pathname, JSON.stringify(settings)], {
      // Products print greetings and advice; what goes wrong is on standard error.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const ended = once(child, 'exit').then(([code]): never => {
      throw new Error(`${file.pathname} ended with ${code} before it was up`)
    })
    const [port] = (await Promise.race([once(child, 'message'), ended])) as [number]
    return { child, port }
  }

  /** Ends a process as an operator would, and harder where that doesn't help. */
  async stop(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await exited
    clearTimeout(timer)
  }

  dispose(): void {
    for (const [child, signal] of this.children) child.kill(signal)
    rmSync(this.root, REMOVAL)
  }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}
