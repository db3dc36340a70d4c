/** Does work when all that was given before is done, whatever became of it. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
