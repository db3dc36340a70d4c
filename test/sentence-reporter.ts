import { Readable } from 'node:stream'
import type { TestEvent } from 'node:test/reporters'
import { spec } from 'node:test/reporters'

/**
 * Node's reporter `spec`, which calls a test by its suites and itself, as the sentence that they make: among the failures
 * at the end it would have no more than the words of `it`.
 */
export default async function* sentences(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(inSentences(source)).pipe(new spec())
}

async function* inSentences(source: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  /** Of the test that was begun last, and of the suites around it, the outermost first. */
  const names: string[] = []
  const sentence = ({ name, nesting }: { readonly name: string; readonly nesting: number }): string =>
    [...names.slice(0, nesting), name].join(' ')
  for await (const event of source)
    switch (event.type) {
      case 'test:start':
        names.splice(event.data.nesting, names.length, event.data.name)
        yield { ...event, data: { ...event.data, name: sentence(event.data) } }
        break
      case 'test:pass':
        yield { ...event, data: { ...event.data, name: sentence(event.data) } }
        break
      case 'test:fail':
        yield { ...event, data: { ...event.data, name: sentence(event.data) } }
        break
      default:
        yield event
    }
}
