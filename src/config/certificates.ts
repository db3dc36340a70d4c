import { resolve } from 'node:path'
import type { ConfigArgs } from '../config.ts'
import { type Environment, invalid, setting } from './settings.ts'

interface CertificateFiles {
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly sitesCert?: string
  readonly sitesKey?: string
}

/**
 * The operator's own certificates, as absolute paths: the main one, and that for sites.
 * @throws AppError `invalid_configuration`
 */
export function certificatesFrom(env: Environment, args: ConfigArgs): CertificateFiles {
  const tlsCert = setting(args.tlsCert, '--tls-cert', env.SHEAF_TLS_CERT)
  const tlsKey = setting(args.tlsKey, '--tls-key', env.SHEAF_TLS_KEY)
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw invalid(
      '--tls-cert and --tls-key belong together: give both, or neither for a self-made certificate',
    )
  const sitesCert = setting(args.sitesCert, '--sites-cert', env.SHEAF_SITES_CERT)
  const sitesKey = setting(args.sitesKey, '--sites-key', env.SHEAF_SITES_KEY)
  if ((sitesCert === undefined) !== (sitesKey === undefined))
    throw invalid('--sites-cert and --sites-key belong together: give both or neither')
  return {
    ...(tlsCert !== undefined &&
      tlsKey !== undefined && { tlsCert: resolve(tlsCert), tlsKey: resolve(tlsKey) }),
    ...(sitesCert !== undefined &&
      sitesKey !== undefined && { sitesCert: resolve(sitesCert), sitesKey: resolve(sitesKey) }),
  }
}
