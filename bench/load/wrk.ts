import { writeFileSync } from 'node:fs'
import type { Kit } from '../kit.ts'
import type { LoadGenerator, LoadOptions, LoadRequest, LoadResult } from './load.ts'

/** The line by which the script below hands the figures over. */
const MARK = 'sheaf-bench '
/** A server that answers nothing in so long is broken. */
const MOST_SECONDS = 16

/** wrk's version, or undefined where it isn't installed. */
export async function findWrk(kit: Kit): Promise<string | undefined> {
  try {
    // It prints its version with its usage, and ends with 1.
    return /^wrk (?:debian\/)?(\S+)/m.exec(await kit.run('sh', ['-c', 'wrk -v 2>&1; command -v wrk']))?.[1]
  } catch {
    return undefined
  }
}

/** `wrk` with one thread, which is enough to keep a server of one main thread busy. */
export function wrkGenerator(kit: Kit, version: string): LoadGenerator {
  return {
    name: `wrk ${version}`,
    async run(request, options) {
      const script = scriptFor(kit, request)
      for (let seconds = options.seconds; ; seconds *= 2) {
        const { errors, ...result } = await runOnce(kit, {
          script,
          request,
          options: { ...options, seconds },
        })
        if (errors > 0) throw new Error(`wrk saw ${errors} failures in ${result.requests} requests`)
        // An answer may take longer than the measurement, as where a thousand documents are saved one by one.
        if (result.requests > 0) return result
        if (seconds > MOST_SECONDS) throw new Error(`there was no answer in ${seconds} s`)
      }
    },
  }
}

async function runOnce(
  kit: Kit,
  { script, request, options }: { script: string; request: LoadRequest; options: LoadOptions },
): Promise<LoadResult & { readonly errors: number }> {
  const output = await kit.run('wrk', [
    ...['--threads', '1', '--connections', String(options.connections), '--timeout', '30s'],
    // wrk knows whole seconds only.
    ...['--duration', `${Math.ceil(options.seconds)}s`, '--script', script],
    `https://127.0.0.1:${request.port}${request.path}`,
  ])
  const line = output.split('\n').find((text) => text.startsWith(MARK))
  if (line === undefined) throw new Error(`wrk printed no figures:\n${output}`)
  return JSON.parse(line.slice(MARK.length))
}

function scriptFor(kit: Kit, { method, path, paths = [path], headers, body }: LoadRequest): string {
  const script = kit.path('load.lua')
  const bodyFile = kit.path('body')
  const pathsFile = kit.path('paths')
  writeFileSync(bodyFile, body ?? '')
  writeFileSync(pathsFile, paths.join('\n'))
  const headerLines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  )
  writeFileSync(
    script,
    `wrk.method = ${JSON.stringify(method)}
${headerLines.join('\n')}
local file = io.open(${JSON.stringify(bodyFile)}, "rb")
local body = file:read("*a")
file:close()
if #body > 0 then wrk.body = body end
${paths.length > 1 ? inTurn(pathsFile) : ''}function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\\n${MARK}{"requests":%d,"seconds":%f,"errors":%d,"p50Ms":%f,"p99Ms":%f}\\n',
    summary.requests, summary.duration / 1e6, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
`,
  )
  return script
}

/** Requests are put together before the first is sent, for Lua is slower than the servers. */
function inTurn(pathsFile: string): string {
  return `local requests, sent = {}, 0
function init()
  math.randomseed(os.time())
  for path in io.lines(${JSON.stringify(pathsFile)}) do
    requests[#requests + 1] = wrk.format(nil, path)
  end
  sent = math.random(#requests)
end
function request()
  sent = sent + 1
  return requests[sent % #requests + 1]
end
`
}
