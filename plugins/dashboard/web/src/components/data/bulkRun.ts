/** Progress of one item of a bulk action. */
export interface ItemState {
  readonly state: 'waiting' | 'working' | 'done' | 'refused'
  /** Answer of the service. */
  readonly says: string | null
}

export const WAITING: ItemState = { state: 'waiting', says: null }

export interface BulkRun<Item> {
  /** Does one item; returns the service's answer. A rejection is the refusal of this item alone. */
  act(item: Item): Promise<string>
  report(item: Item, state: ItemState): void
  /** Whether no further item can succeed: the session is over. The item and those after it stay waiting. */
  isOver(error: unknown): boolean
  /** Whether the same call succeeds later: the limit of calls is reached. */
  isBusy(error: unknown): boolean
  /** Why an item was refused, for the operator. */
  reasonOf(error: unknown): string
  /** Waits until a busy service may be called again. */
  pause(): Promise<void>
  /** Ends the run before the next item. */
  readonly signal: AbortSignal
}

/** Pauses for one item before its refusal counts. */
const MOST_PAUSES = 20

const actOnce = async <Item>(item: Item, run: BulkRun<Item>): Promise<string> => {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return await run.act(item)
    } catch (error) {
      if (!run.isBusy(error) || pauses === MOST_PAUSES || run.signal.aborted) throw error
      await run.pause()
    }
  }
}

/** Does items one after another. A refused item does not stop the others. Returns why the run ended early, or null. */
export const runAll = async <Item>(items: readonly Item[], run: BulkRun<Item>): Promise<string | null> => {
  for (const item of items) {
    if (run.signal.aborted) return null
    run.report(item, { state: 'working', says: null })
    try {
      run.report(item, { state: 'done', says: await actOnce(item, run) })
    } catch (error) {
      run.report(item, run.isOver(error) ? WAITING : { state: 'refused', says: run.reasonOf(error) })
      if (run.isOver(error)) return run.reasonOf(error)
    }
  }
  return null
}
