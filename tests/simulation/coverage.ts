import { type PayoutState, payoutTransitions } from '@causeway/core/money-path'
import { FAILPOINTS, REQUEST_STATUSES, REQUEST_TRANSITIONS } from '@causeway/core/plugin'
import type { EventRow } from './checks/rows.js'
import type { PayoutMove } from './database/payoutMoves.js'

export const COVERAGE_KINDS = ['status', 'payout', 'failpoint', 'fault', 'action'] as const

/** What is counted: moves of requests and of payouts, failpoints passed, faults that began, actions of plans. */
export type CoverageKind = (typeof COVERAGE_KINDS)[number]

const TITLES: Readonly<Record<CoverageKind, string>> = {
  status: 'moves of requests',
  payout: 'moves of payouts',
  failpoint: 'failpoints passed',
  fault: 'faults',
  action: 'actions',
}

const PURPOSES = ['fill', 'refund', 'excess', 'sweep', 'withdraw', 'claim', 'origin'] as const
const STATES: readonly PayoutState[] = ['ready', 'signed', 'included', 'final', 'dead', 'abandoned']
const move = (from: string, to: string): string => `${from} -> ${to}`

/** Beside what the map allows: what its user signed for can never be sent. */
const NEVER_SENT = move('waiting', 'failure')

const ALL_STATUS = [
  ...REQUEST_STATUSES.flatMap((from) => REQUEST_TRANSITIONS[from].map((to) => move(from, to))),
  NEVER_SENT,
]
const ALL_PAYOUT = PURPOSES.flatMap((purpose) => [
  `${purpose}: ${move('none', 'ready')}`,
  ...STATES.flatMap((from) => payoutTransitions(purpose, from).map((to) => `${purpose}: ${move(from, to)}`)),
])

/** Counts as JSON, to hand them from one process to another. */
export type CoverageCounts = Readonly<Record<CoverageKind, Readonly<Record<string, number>>>>

/**
 * Moves of requests that nothing in a world causes, or hardly ever: of `depositing`, but what calls of users do, those need a ledger that
 * shows transactions before their block, a success without a deposit is a swap that a user executes alone, and whatever is refunded is pending first, though the map allows it otherwise.
 */
const isOutOfReach = (name: string): boolean =>
  /^depositing -> (?!pending)|^waiting -> success$|^(submitted|failure) -> refund$/.test(name)

/** How often simulated worlds went where they can go. */
export class Coverage {
  readonly #counts: Readonly<Record<CoverageKind, Map<string, number>>>
  readonly #all: Readonly<Record<CoverageKind, readonly string[]>>

  /** `faults` and `actions`: the complete lists of the world. */
  constructor({ faults, actions }: { readonly faults: readonly string[]; readonly actions: readonly string[] }) {
    this.#all = { status: ALL_STATUS, payout: ALL_PAYOUT, failpoint: FAILPOINTS, fault: faults, action: actions }
    this.#counts = {
      status: new Map(),
      payout: new Map(),
      failpoint: new Map(),
      fault: new Map(),
      action: new Map(),
    }
  }

  count(kind: CoverageKind, name: string, times = 1): void {
    this.#counts[kind].set(name, (this.#counts[kind].get(name) ?? 0) + times)
  }

  /** All changes of status of a run, in the order in which they were told; once, at its end. */
  countStatuses(events: readonly Pick<EventRow, 'request' | 'status'>[]): void {
    const last = new Map<string, string>()
    for (const { request, status } of events) {
      this.count('status', move(last.get(request) ?? 'waiting', status))
      last.set(request, status)
    }
  }

  countPayouts(moves: readonly PayoutMove[]): void {
    for (const { purpose, from, to } of moves) this.count('payout', `${purpose}: ${move(from ?? 'none', to)}`)
  }

  /** Adds what another one counted. */
  merge(counts: CoverageCounts): void {
    for (const kind of COVERAGE_KINDS) {
      for (const [name, times] of Object.entries(counts[kind])) this.count(kind, name, times)
    }
  }

  toJSON(): CoverageCounts {
    // CAST: one entry for each kind.
    return Object.fromEntries(
      COVERAGE_KINDS.map((kind) => [kind, Object.fromEntries(this.#counts[kind])]),
    ) as CoverageCounts
  }

  /** What can happen and never did. */
  missing(kind: CoverageKind): readonly string[] {
    return this.#all[kind].filter((name) => !this.#counts[kind].has(name) && !isOutOfReach(name))
  }

  /** What happened and is in no list: a move that nothing allows, or a name that was forgotten. */
  unknown(kind: CoverageKind): readonly string[] {
    const known = new Set(this.#all[kind])
    return [...this.#counts[kind].keys()].filter((name) => !known.has(name)).sort()
  }

  /** Each count as text, with what was never visited and what nobody knows. */
  picture(): string {
    return COVERAGE_KINDS.map((kind) => this.#picture(kind)).join('\n\n')
  }

  #picture(kind: CoverageKind): string {
    const all = this.#all[kind]
    const [missing, unknown] = [this.missing(kind), this.unknown(kind)]
    const names = [...all.filter((name) => !missing.includes(name)), ...unknown]
    const width = Math.max(0, ...names.map((name) => name.length))
    const line = (name: string) => {
      const mark = unknown.includes(name) ? '  not in the list' : ''
      return `  ${name.padEnd(width)}  ${String(this.#counts[kind].get(name) ?? 0).padStart(9)}${mark}`
    }
    return [
      `${TITLES[kind]}: ${all.length - missing.length} of ${all.length}`,
      ...names.map(line),
      ...(missing.length === 0 ? [] : [`  never: ${missing.join(', ')}`]),
    ].join('\n')
  }
}
