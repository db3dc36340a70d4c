import { parseArgs } from 'node:util'

/** How a run of the benchmark is done. */
export interface Options {
  /** The rows to run, by name; none stands for all. */
  readonly rows: readonly string[]
  readonly rounds: number
  /** How long each contender is measured in each round. */
  readonly seconds: number
  /** Undefined leaves it to the row. */
  readonly connections: number | undefined
  readonly load: 'wrk' | 'built-in' | 'auto'
  /** Documents in the collections that a row reads from, as a part of what the row says; 1 for a real run. */
  readonly scale: number
  /** Where data and sockets of the contenders live; it should be on a real disk. */
  readonly folder: string | undefined
  /** `install`: what is missing is installed into the user's cache; `cached`: what is missing is skipped. */
  readonly peers: 'install' | 'cached' | 'none'
  readonly write: boolean
}

export const USAGE = `npm run bench -- [row …] [--rounds 5] [--seconds 2] [--connections N] [--load wrk|built-in]
                 [--scale 1] [--peers install|cached|none] [--folder DIR] [--no-write]`

/** @throws Error where an argument is none of these, or no number above zero where one should be */
export function optionsFrom(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string' },
      load: { type: 'string', default: 'auto' },
      scale: { type: 'string', default: '1' },
      peers: { type: 'string', default: 'install' },
      folder: { type: 'string' },
      write: { type: 'boolean', default: true },
    },
  })
  const { connections, load, peers, folder, write } = values
  if (load !== 'wrk' && load !== 'built-in' && load !== 'auto')
    throw new Error('--load should be wrk or built-in')
  if (peers !== 'install' && peers !== 'cached' && peers !== 'none')
    throw new Error('--peers should be install, cached or none')
  return {
    rows: positionals,
    rounds: Math.ceil(above0('--rounds', values.rounds)),
    seconds: above0('--seconds', values.seconds),
    connections: connections === undefined ? undefined : Math.ceil(above0('--connections', connections)),
    load,
    scale: above0('--scale', values.scale),
    peers,
    folder,
    write,
  }
}

function above0(name: string, text: string): number {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  throw new Error(`${name} should be a number above 0, not ${JSON.stringify(text)}`)
}
