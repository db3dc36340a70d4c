/** Finds the texts, in quotes, that a server may fill in; by which word they begin is configured there. */
export function placeholderPattern(): RegExp {
  return /"[\w-]+\.ServerValue\.(?:TIMESTAMP|UTC|UNIQUE|UUID)"/g
}
