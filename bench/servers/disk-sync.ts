import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import type { Sample } from '../contender.ts'

const PAGE_BYTES = 4096
const PAGES = 1000

/** Writes a page and has the disk take it, again and again; run as a process of its own. */
function main(): void {
  const { seconds, file } = JSON.parse(process.argv[2]!)
  const descriptor = openSync(file, 'w')
  const page = Buffer.alloc(PAGE_BYTES, 1)
  for (let at = 0; at < PAGES; at++) writeSync(descriptor, page, 0, PAGE_BYTES, at * PAGE_BYTES)
  fdatasyncSync(descriptor)
  const latencies: number[] = []
  const before = process.cpuUsage()
  const began = performance.now()
  for (let now = began; now - began < seconds * 1000; ) {
    writeSync(descriptor, page, 0, PAGE_BYTES, (latencies.length % PAGES) * PAGE_BYTES)
    fdatasyncSync(descriptor)
    const done = performance.now()
    latencies.push(done - now)
    now = done
  }
  closeSync(descriptor)
  const used = process.cpuUsage(before)
  const sorted = latencies.sort((a, b) => a - b)
  const sample: Sample = {
    count: sorted.length,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: (used.user + used.system) / 1e6,
    p50Ms: sorted[Math.floor((sorted.length - 1) * 0.5)]!,
    p99Ms: sorted[Math.floor((sorted.length - 1) * 0.99)]!,
  }
  console.log(JSON.stringify(sample))
}

main()
