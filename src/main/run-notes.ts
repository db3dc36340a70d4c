import { RUN_PAUSE_SECONDS, type ServerRun, type TrafficStore } from '../storage/traffic-store.ts'

/** Half of what is a pause. */
const NOTE_MS = 60 * 1000
const DAY_SECONDS = 24 * 60 * 60

/** The run that is to be noted: one from the start on, and a new one each day, and after each pause, as of a machine that slept. */
export class RunNotes {
  private run: ServerRun

  /** @param startedAt milliseconds since the Unix epoch, as `now` is */
  constructor({ startedAt, now }: { readonly startedAt: number; readonly now: number }) {
    this.run = { from: secondsOf(Math.min(startedAt, now)), to: secondsOf(now) }
  }

  /** That it runs now, too. */
  at(now: number): ServerRun {
    const { from, to } = this.run
    const seconds = secondsOf(now)
    const isApart = seconds < to || seconds > to + RUN_PAUSE_SECONDS
    const isNextDay = Math.floor(seconds / DAY_SECONDS) > Math.floor(to / DAY_SECONDS)
    if (isApart) this.run = { from: seconds, to: seconds }
    else this.run = { from: isNextDay ? to : from, to: seconds }
    return this.run
  }
}

interface KeptNotes {
  readonly open: () => Promise<Pick<TrafficStore, 'noteRun'>>
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number
  readonly onFailure: (error: unknown) => void
}

/** Notes each minute that the server runs. */
export function keepRunNotes({ open, startedAt, onFailure }: KeptNotes): { readonly stop: () => void } {
  const notes = new RunNotes({ startedAt, now: Date.now() })
  const note = (): void => {
    open()
      .then((store) => store.noteRun(notes.at(Date.now())))
      .catch(onFailure)
  }
  const timer = setInterval(note, NOTE_MS)
  return { stop: () => clearInterval(timer) }
}

function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
