import { Option } from 'commander'
import { linkOrigin } from '../config/link-origin.ts'
import { configFrom } from '../config.ts'
import { AppError } from '../errors.ts'

export interface LinkOptions {
  readonly publicUrl?: string
  readonly port?: string
}

/** Where a link leads that a command makes: the server that it is for may not run, and is not asked. */
export function linkOptions(): Option[] {
  return [
    new Option(
      '--public-url <url>',
      'what browsers reach the server by: https://db.example.org (SHEAF_PUBLIC_URL, else its host and port: SHEAF_HOST, else localhost)',
    ),
    new Option('--port <number>', "the server's port, where there is no public URL (SHEAF_PORT, else 8443)"),
  ]
}

/** @throws AppError `invalid_configuration` */
export function originFrom(
  env: Readonly<Record<string, string | undefined>>,
  { publicUrl, port }: LinkOptions,
): string {
  const config = configFrom(env, { publicUrl, port })
  if (config.publicUrl !== undefined || config.port !== 0) return linkOrigin(config, config.port)
  throw new AppError(
    'invalid_configuration',
    'port 0 is any free one, and a link has to name the one that the server has: give --port or --public-url',
  )
}
