import { useSyncExternalStore } from 'react'
import type { Quote, QuoteAmount } from '../quote/quote.js'

/** When a status of a transfer began, as the service says it. */
export interface Mark {
  readonly status: string
  readonly at: number
}

/** One try of this page; it is forgotten when the page is left. */
export interface Run {
  readonly requestId: string
  readonly from: string
  readonly to: string
  readonly paid: QuoteAmount
  readonly got: QuoteAmount
  readonly beganAt: number
  /** When the payment was out; null: not yet. */
  readonly sentAt: number | null
  readonly transactionId: string | null
  readonly said: string | null
  /** Why it was not sent. */
  readonly trouble: string | null
  readonly marks: readonly Mark[]
  /** The process that was killed while this ran, and the one that came after it. */
  readonly killed: { readonly pid: number; readonly next: number | null } | null
}

const MAX_RUNS = 30

let runs: readonly Run[] = []
const listeners = new Set<() => void>()
const change = (next: readonly Run[]): void => {
  runs = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The tries of this page, the newest first. */
export const useRuns = (): readonly Run[] => useSyncExternalStore(subscribe, () => runs)

/** As they are at this moment, for whoever changes them. */
export const currentRuns = (): readonly Run[] => runs

export const beginRun = ({ requestId, details }: Quote, from: string, to: string): void => {
  const { currencyIn: paid, currencyOut: got } = details
  const run: Run = {
    ...{ requestId, from, to, paid, got, beganAt: Date.now() },
    ...{ sentAt: null, transactionId: null, said: null, trouble: null, marks: [], killed: null },
  }
  change([run, ...runs.filter((each) => each.requestId !== requestId)].slice(0, MAX_RUNS))
}

export const changeRun = (requestId: string, part: Partial<Run>): void =>
  change(runs.map((run) => (run.requestId === requestId ? { ...run, ...part } : run)))

/** Remembers when a status began; the first word about it counts. */
export const markRun = (requestId: string, status: string, at: number): void => {
  const run = runs.find((each) => each.requestId === requestId)
  if (run === undefined || run.marks.some((mark) => mark.status === status)) return
  changeRun(requestId, { marks: [...run.marks, { status, at: Math.max(at, run.beganAt) }] })
}

const ENDS: ReadonlySet<string> = new Set(['success', 'refund', 'failure'])

/** How a try ended; null while it runs. */
export const endOf = ({ marks }: Run): Mark | null => marks.findLast(({ status }) => ENDS.has(status)) ?? null

/** Whether nothing left the payer. A call that broke off may have sent it after all: what the service saw counts. */
export const isUnsent = ({ trouble, marks }: Run): boolean => trouble !== null && marks.length === 0

/** Seconds with a tenth, from whole milliseconds. */
export const secondsText = (ms: number): string => {
  const tenths = Math.max(0, Math.round(ms / 100))
  return `${Math.floor(tenths / 10)}.${tenths % 10}`
}
