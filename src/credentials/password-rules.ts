import { COMMON_PASSWORDS, COMMON_STEMS } from './common-passwords.ts'
import { canonicalPassword, mayBePassword, PASSWORD_BYTES } from './password.ts'

const LEAST_CHARACTERS = 12
/** How many characters around a common password leave it a common one. */
const MOST_PADDING = 6
/** A password of so few runs (`abcdef123456` has two) is a simple one. */
const FEW_RUNS = 3
const AROUND_LETTERS = /^[^\p{L}]+|[^\p{L}]+$/gu

const ADVICE = 'four or five words that have nothing to do with each other make a good password'

/**
 * What keeps a text from being the password of an account, and how to mend it; undefined for a good one. As SP 800-63B
 * of NIST has it, length counts, what others try first is refused, and no kinds of characters are asked for.
 * @param email of the account
 */
export function passwordProblem(password: string, { email }: { email: string }): string | undefined {
  if (!mayBePassword(password))
    return password.length <= PASSWORD_BYTES && !password.isWellFormed()
      ? 'the password has half of a character in it (a lone surrogate); type it anew'
      : `the password is too long; use at most ${PASSWORD_BYTES} bytes of UTF-8`
  const characters = [...canonicalPassword(password)]
  if (characters.length < LEAST_CHARACTERS)
    return `the password is too short: it has ${characters.length} characters of at least ${LEAST_CHARACTERS}; ${ADVICE}`
  const text = canonicalPassword(password).toLowerCase()
  if (isAboutEmail(text, canonicalPassword(email).toLowerCase()))
    return `the password is your e-mail address, which others know; ${ADVICE}`
  if (isCommon(text)) return `the password is one of those that are tried first; ${ADVICE}`
  if (isSimple(text)) return `the password is a simple row or repeats itself; ${ADVICE}`
  return undefined
}

/** Whether it is the address or the part before `@`, with as much around it as leaves it one that is soon guessed. */
function isAboutEmail(text: string, email: string): boolean {
  const names = [email, email.slice(0, email.lastIndexOf('@'))]
  return names.some(
    (name) => name.length >= MOST_PADDING && text.includes(name) && text.length - name.length <= MOST_PADDING,
  )
}

function isCommon(text: string): boolean {
  if (COMMON_PASSWORDS.has(text)) return true
  const stem = text.replace(AROUND_LETTERS, '')
  return text.length - stem.length <= MOST_PADDING && (COMMON_PASSWORDS.has(stem) || COMMON_STEMS.has(stem))
}

function isSimple(text: string): boolean {
  return isRepeated(text) || countRuns([...text]) <= FEW_RUNS
}

/** Whether a piece of it, of half its length at most, says it all. */
function isRepeated(text: string): boolean {
  for (let piece = 1; piece <= text.length / 2; piece++)
    // Moved on by a piece it is the same.
    if (text.startsWith(text.slice(piece))) return true
  return false
}

/** Runs of one character (`aaa`), or of neighbours in one direction (`abc`, `321`, `890`), as few as there can be. */
function countRuns(characters: readonly string[]): number {
  let runs = 1
  let direction: number | undefined
  for (let i = 1; i < characters.length; i++) {
    const step = stepOf(characters[i - 1]!, characters[i]!)
    const goesOn = Math.abs(step) <= 1 && (direction === undefined || step === direction)
    if (!goesOn) runs += 1
    direction = goesOn ? step : undefined
  }
  return runs
}

/** How far it is from one character to the next, with 0 behind 9. */
function stepOf(from: string, to: string): number {
  if (from + to === '90') return 1
  return from + to === '09' ? -1 : to.codePointAt(0)! - from.codePointAt(0)!
}
