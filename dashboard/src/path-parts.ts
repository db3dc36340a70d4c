/**
 * The parts of the page's own path behind `/_`, each decoded once, such as `['apps', 'demo', 'data', 'a/b']`; the router
 * decodes a path in a way that can't tell `%23` from `#`.
 */
export function pathParts(): readonly string[] {
  return location.pathname.split('/').slice(2).map(decodePart)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // No name of ours is written so.
    return part
  }
}
