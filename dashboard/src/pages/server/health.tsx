import { useQuery } from '@tanstack/react-query'
import { Facts } from '../../components/facts.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { byteCount } from '../../texts.ts'

export interface ServerProcess {
  readonly version: string
  readonly nodeVersion: string
  readonly system: string
  readonly startedAt: string
  readonly threads: { readonly http: number; readonly readers: number }
  readonly memory: { readonly usedBytes: number; readonly mostBytes: number }
}

const texts = SERVER_TEXTS.health
/** While the tab is seen. */
const ASKED_EVERY_MS = 10_000

export function Health({ process }: { readonly process: ServerProcess }) {
  const { version, nodeVersion, system, startedAt, threads, memory } = process
  return (
    <Section title={texts.title} isWide>
      <Facts
        facts={[
          [texts.ready, <Readiness key="ready" />],
          [texts.started, <Time key="started" at={startedAt} />],
          [texts.version, texts.of(version, nodeVersion, system)],
          [texts.threads, texts.ofThreads(String(threads.http), String(threads.readers))],
          [texts.memory, texts.ofMemory(byteCount(memory.usedBytes), byteCount(memory.mostBytes))],
        ]}
      />
    </Section>
  )
}

/** What a load balancer would hear. */
function Readiness() {
  const { data: isReady } = useQuery({
    queryKey: ['server', 'ready'],
    queryFn: async ({ signal }) => (await fetch('/_/health/ready', { signal })).ok,
    refetchInterval: ASKED_EVERY_MS,
  })
  if (isReady === undefined) return texts.asking
  return isReady ? texts.isReady : texts.isNotReady
}
