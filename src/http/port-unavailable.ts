import { AppError } from '../errors.ts'

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = Object.freeze({
  EADDRINUSE: 'another program uses it; stop that one or choose another port with --port',
  EACCES: 'this user may not listen on it; choose one above 1023 with --port',
  EADDRNOTAVAIL: 'this machine has no such address; choose another with --host',
  ENOTFOUND: 'the host name is not known; choose another with --host',
})

export function portUnavailable(error: NodeJS.ErrnoException, port: number): AppError {
  const problem = LISTEN_PROBLEMS[error.code ?? ''] ?? error.message
  return new AppError('port_unavailable', `can't listen on port ${port}: ${problem}`, { cause: error })
}
