import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Works on a file system of 2 MiB; answers false where this user may not make one. */
export async function withSmallDisk(work: (disk: string) => Promise<void>): Promise<boolean> {
  const disk = mkdtempSync(join(tmpdir(), 'sheaf-disk-'))
  const shellOn = (script: string): number | null => spawnSync('/bin/sh', ['-c', script, disk]).status
  try {
    if (process.platform !== 'linux' || shellOn('mount -t tmpfs -o size=2m tmpfs "$0"') !== 0) return false
    await work(disk)
    return true
  } finally {
    shellOn('umount -l "$0"; rmdir "$0"')
  }
}
