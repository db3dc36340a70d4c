import { useQuery } from '@tanstack/react-query'
import { askApi } from '../../api.ts'
import { ReadState } from '../../components/read-state.tsx'
import { SERVER_TEXTS } from '../../texts/server.ts'
import { type Certificate, Certificates } from './certificates.tsx'
import { Health, type ServerProcess } from './health.tsx'
import { Mail, type MailFacts } from './mail.tsx'
import { Storage, type StorageSizes } from './storage.tsx'

interface DescribedServer {
  readonly process: ServerProcess
  readonly certificates: readonly Certificate[]
  readonly storage: StorageSizes
  readonly mail: MailFacts
}

/** How the server is: what its data takes, what it runs on, by which certificates it is reached. */
export function ServerFacts() {
  const query = useQuery({
    queryKey: ['server', 'facts'],
    queryFn: ({ signal }) => askApi<DescribedServer>('/server', { signal }),
  })
  const { data } = query
  return (
    <>
      <ReadState query={query} reading={SERVER_TEXTS.facts.reading} />
      {data !== undefined && (
        <>
          <Storage storage={data.storage} />
          <Health process={data.process} />
          <Certificates certificates={data.certificates} />
          <Mail mail={data.mail} />
        </>
      )}
    </>
  )
}
