import { emptyDelta, type TrafficDelta } from './traffic-delta.ts'

/** What was counted, by app, in the order in which they come; nothing of the server. */
export function splitByApp({ minutes, hours, addresses, visits, errors }: TrafficDelta): TrafficDelta[] {
  const parts = new Map<string, TrafficDelta>()
  const partOf = ({ app }: { readonly app: string }): TrafficDelta => {
    const part = parts.get(app) ?? emptyDelta()
    parts.set(app, part)
    return part
  }
  for (const each of minutes) partOf(each).minutes.push(each)
  for (const each of hours) partOf(each).hours.push(each)
  for (const each of addresses) partOf(each).addresses.push(each)
  for (const each of visits) partOf(each).visits.push(each)
  for (const each of errors) partOf(each).errors.push(each)
  return [...parts.values()]
}

/** Parts as one again, none of which has what another one has. */
export function joinParts(parts: readonly TrafficDelta[]): TrafficDelta {
  return {
    ...emptyDelta(),
    minutes: parts.flatMap(({ minutes }) => minutes),
    hours: parts.flatMap(({ hours }) => hours),
    addresses: parts.flatMap(({ addresses }) => addresses),
    visits: parts.flatMap(({ visits }) => visits),
    errors: parts.flatMap(({ errors }) => errors),
  }
}
