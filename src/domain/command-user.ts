/** The header by which a command tells a server, by the socket in the data folder, who runs it: a user's name, as in a URL. */
export const COMMAND_USER_HEADER = 'x-sheaf-command-user'

/** A user's name has 32 characters on Linux; these are bytes of an escaped one. */
const MOST_CHARACTERS = 256

/** Who runs a command, as the audit trail names them. */
export function commandActor(user: string): string {
  return `cli:${user}`
}

/** The same from the header; `cli:unknown` where that says nothing. */
export function commandActorOf(header: string | readonly string[] | undefined): string {
  if (typeof header !== 'string' || header === '' || header.length > MOST_CHARACTERS)
    return commandActor('unknown')
  try {
    return commandActor(decodeURIComponent(header))
  } catch {
    return commandActor('unknown')
  }
}
