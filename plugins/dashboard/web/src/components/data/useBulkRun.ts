import { useRef, useState } from 'react'
import { ApiFailure } from '../../api/callApi.js'
import { bulkTexts } from '../../texts/bulkTexts.js'
import { type ItemState, runAll, WAITING } from './bulkRun.js'

const PAUSE_MS = 5_000

/** The service refuses every further item without a session, or without the fresh sign-in that moving money needs. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 401 || error.code === 'SIGN_IN_AGAIN')
const isBusy = (error: unknown): boolean => error instanceof ApiFailure && error.status === 429
/** A call without an answer may have been done. */
const reasonOf = (error: unknown): string => {
  if (error instanceof ApiFailure && [0, 502, 504].includes(error.status)) return bulkTexts.unknown
  return error instanceof Error ? error.message : String(error)
}
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS))

export interface BulkRunOptions<Item> {
  readonly items: readonly Item[]
  keyOf(item: Item): string
  act(item: Item): Promise<string>
  ended(): unknown
}

/** Runs an action over items one by one, and again over those that are not done. */
export const useBulkRun = <Item>({ items, keyOf, act, ended }: BulkRunOptions<Item>) => {
  const [states, setStates] = useState<ReadonlyMap<string, ItemState>>(new Map())
  const [phase, setPhase] = useState<'asking' | 'running' | 'over'>('asking')
  const [stopped, setStopped] = useState<string | null>(null)
  const [isStopping, setStopping] = useState(false)
  const control = useRef<AbortController | null>(null)
  const stateOf = (item: Item): ItemState => states.get(keyOf(item)) ?? WAITING
  const start = async () => {
    const left = items.filter((item) => stateOf(item).state !== 'done')
    control.current = new AbortController()
    const { signal } = control.current
    setStopped(null)
    setStopping(false)
    setPhase('running')
    setStates(new Map([...states].filter(([, { state }]) => state === 'done')))
    const report = (item: Item, state: ItemState) => setStates((before) => new Map(before).set(keyOf(item), state))
    setStopped(await runAll(left, { act, report, isOver, isBusy, reasonOf, pause, signal }))
    setPhase('over')
    await ended()
  }
  const stop = () => {
    setStopping(true)
    control.current?.abort()
  }
  return { phase, stopped, isStopping, stateOf, start, stop }
}
