import { useCallback, useMemo, useRef, useState } from 'react'
import { coverageOf, NONE_CHOSEN, withAll, withOne, withRange } from './chosenRows.js'

export interface ChosenRowsOptions<Row> {
  readonly rows: readonly Row[] | undefined
  keyOf(row: Row): string
  /** Whether a row can be chosen; rows without an action cannot. */
  canChoose(row: Row): boolean
  /** Loads the rows of the list that are not loaded yet; returns all of them. Absent if the list is complete. */
  loadAll?(): Promise<readonly Row[]>
}

/** The rows of a list that an action is for. Rows that leave the list are no longer chosen. */
export interface ChosenRows<Row> {
  readonly rows: readonly Row[]
  readonly coverage: 'none' | 'some' | 'all'
  /** How many rows of the loaded list can be chosen. */
  readonly choosable: number
  readonly isLoading: boolean
  /** Why the rest of the list could not be loaded. */
  readonly trouble: string | null
  canChoose(row: Row): boolean
  has(row: Row): boolean
  toggle(row: Row): void
  extend(row: Row): void
  toggleAll(): Promise<void>
  chooseAll(): Promise<void>
  clear(): void
}

export const useChosenRows = <Row>({
  rows = [],
  keyOf,
  canChoose,
  loadAll,
}: ChosenRowsOptions<Row>): ChosenRows<Row> => {
  const [chosen, setChosen] = useState(NONE_CHOSEN)
  const [isLoading, setLoading] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const order = rows.filter(canChoose).map(keyOf)
  // Rows are rendered once and keep these functions, so the functions read the list of the last render.
  const latest = useRef({ order, keyOf, canChoose, loadAll, isLoading })
  latest.current = { order, keyOf, canChoose, loadAll, isLoading }
  const chooseAll = useCallback(async () => {
    if (latest.current.isLoading) return
    setTrouble(null)
    if (latest.current.loadAll === undefined) return setChosen(withAll(latest.current.order))
    setLoading(true)
    try {
      const loaded = await latest.current.loadAll()
      setChosen(withAll(loaded.filter(latest.current.canChoose).map(latest.current.keyOf)))
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error))
    } finally {
      setLoading(false)
    }
  }, [])
  const actions = useMemo(
    () => ({
      chooseAll,
      clear: () => setChosen(NONE_CHOSEN),
      toggle: (row: Row) => setChosen((before) => withOne(before, latest.current.keyOf(row))),
      extend: (row: Row) => setChosen((before) => withRange(before, latest.current.keyOf(row), latest.current.order)),
    }),
    [chooseAll],
  )
  const coverage = coverageOf(chosen, order)
  return {
    ...actions,
    rows: rows.filter((row) => canChoose(row) && chosen.keys.has(keyOf(row))),
    coverage,
    choosable: order.length,
    isLoading,
    trouble,
    canChoose,
    has: (row) => chosen.keys.has(keyOf(row)),
    toggleAll: async () => (coverage === 'all' ? actions.clear() : chooseAll()),
  }
}
