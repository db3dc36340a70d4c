import type { Config } from '../config.ts'

/** Where all listen that there is, the self-made certificate is for this name. */
const LOCAL_HOSTS: readonly string[] = ['localhost', '0.0.0.0', '::']

/** What a client on this machine is given as the address of the server. */
export function serverAddress({ host }: Pick<Config, 'host'>, port: number): string {
  const name = LOCAL_HOSTS.includes(host) ? 'localhost' : host
  return `https://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * What links of the dashboard begin with: the public URL, else the address that the greeting shows. Never what a request
 * says, for whoever sends it could have a link made that leads elsewhere.
 */
export function linkOrigin(config: Pick<Config, 'host' | 'publicUrl'>, port: number): string {
  return config.publicUrl ?? serverAddress(config, port)
}
