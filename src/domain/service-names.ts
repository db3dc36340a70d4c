import { AppError } from '../errors.ts'

/** What the specification calls the service in headers and placeholders. */
const OWN_SERVICE_NAME = 'Service'
/** Services of the family whose clients are served without being asked to. */
const SIBLINGS = ['Flybase', 'DataMcFly']
const SERVICE_NAME = /^[A-Za-z][A-Za-z0-9-]{0,62}$/

/**
 * The names for the header `X-<Name>-API-Key` and for `<Name>.ServerValue.…`, `Service` first. A client of a sibling
 * whose name is not known would be let in by `apiKey=`, and its placeholders kept as texts without a word; so that those
 * whose clients are about are known unasked, and what is given comes to them. `none` takes them away.
 * @throws AppError `invalid_configuration`
 */
export function serviceNamesFrom(given: readonly string[]): readonly string[] {
  const isNone = given.some((name) => name.toLowerCase() === 'none')
  if (isNone && given.length > 1)
    throw invalid(
      'the service name none stands alone: it leaves Service and no other; give it, or the others',
    )
  const wrong = given.find((name) => !SERVICE_NAME.test(name))
  if (wrong !== undefined)
    throw invalid(
      `${JSON.stringify(wrong)} can't be a service name; use letters, digits and -, a letter first`,
    )
  return Object.freeze(isNone ? [OWN_SERVICE_NAME] : [...new Set([OWN_SERVICE_NAME, ...SIBLINGS, ...given])])
}

function invalid(message: string): AppError {
  return new AppError('invalid_configuration', message)
}
