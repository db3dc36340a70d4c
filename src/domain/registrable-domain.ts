import { getDomain } from 'tldts'

/**
 * What is registered of a name, such as `example.co.uk` of `a.b.example.co.uk`, by the public suffix list with its private
 * part: below it browsers let hosts set cookies for each other. The name itself where it is no part of one.
 */
export function registrableDomain(name: string): string {
  return getDomain(name, { allowPrivateDomains: true }) ?? name
}
