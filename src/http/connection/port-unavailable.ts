import { systemProblem } from '../../domain/system-problem.ts'
import { AppError } from '../../errors.ts'

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = Object.freeze({
  EADDRINUSE: 'another program uses it; stop that one or choose another port with --port',
  EACCES: 'this user may not listen on it; choose one above 1023 with --port',
  EADDRNOTAVAIL: 'this machine has no such address; choose another with --host',
  EAFNOSUPPORT: 'this machine has no IPv6; choose an IPv4 address with --host, such as 0.0.0.0',
  ENOTFOUND: 'the host name is not known; choose another with --host',
})
const NO_IPV6_ADDRESS = 'this machine has no such address, or no IPv6 at all; choose another with --host'

export function portUnavailable(error: ListenError, port: number): AppError {
  return new AppError('port_unavailable', `can't listen on port ${port}: ${problemOf(error)}`, {
    cause: error,
  })
}

/** With the address that could not be listened on. */
type ListenError = NodeJS.ErrnoException & { readonly address?: string | undefined }

function problemOf(error: ListenError): string {
  if (error.code === 'EADDRNOTAVAIL' && error.address?.includes(':')) return NO_IPV6_ADDRESS
  return LISTEN_PROBLEMS[error.code ?? ''] ?? systemProblem(error) ?? error.message
}
