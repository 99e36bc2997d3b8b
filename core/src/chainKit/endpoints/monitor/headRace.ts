import { larger } from '../../../money/compare.js'
import type { HeadPace } from './headPace.js'

/** How late an endpoint is: `behind` is the last choice; one that `stands` has no vote either. */
export type Lateness = 'none' | 'behind' | 'stands'

/** However fast the chain, nodes may be so far apart; and so far at most, however slow. Milliseconds. */
const BEHIND_MS = { least: 1_000, most: 30_000 } as const
const STANDS_MS = { least: 10_000, most: 120_000 } as const

/** An endpoint that caught up stays the last choice for this long, doubled each time that it falls behind again. */
const HOLD_MS = 1_000
const MAX_HOLD_MS = 60_000
/** Falling behind is forgotten after this. */
const FORGET_MS = 600_000

/** Heads that are remembered with when they were first shown. */
const KEPT = 256

interface Place {
  height: bigint
  /** When it was asked for that; null while it does not answer. */
  askedAt: number | null
  /** It showed no other head in this round than in the one before, or one more than a block below the highest. */
  suspect: boolean
  lateness: Lateness
  reason: string | null
  /** The height at which it was found late: it must show another before it is not. */
  lateAt: bigint | null
  relapses: number
  heldUntil: number
  caughtUpAt: number
}

/** What an endpoint answered: its newest height, and between which moments. */
export interface ShownHead<Endpoint> {
  readonly endpoint: Endpoint
  readonly height: bigint
  readonly askedAt: number
  readonly answeredAt: number
}

/**
 * Tells which endpoints of a chain stand still (faults.md F131): those that, asked well after another one showed a head, do not show it
 * yet. How long after is measured by the chain's own pace, so a chain that is silent makes nobody late, nor does one whose blocks
 * come when they like. An endpoint that shows old state is late at once.
 */
export class HeadRace<Endpoint> {
  readonly #pace: HeadPace
  readonly #places = new Map<Endpoint, Place>()
  /** When each height was first shown, rising in both. */
  #shown: { readonly height: bigint; readonly at: number }[] = []

  constructor(pace: HeadPace) {
    this.#pace = pace
  }

  /** One round: what those showed that answered and are to be believed. The others stay as late as they were. */
  judge(heads: readonly ShownHead<Endpoint>[]): void {
    for (const place of this.#places.values()) place.askedAt = null
    const highest = heads.map(({ height }) => height).reduce(larger, -1n)
    for (const head of heads) this.#note(head, highest)
    // What nobody shows any more, a reorg has taken away or somebody had invented.
    this.#shown = this.#shown.filter(({ height }) => height <= highest)
    for (const { endpoint, askedAt } of heads) this.#place(endpoint, askedAt)
  }

  latenessOf(endpoint: Endpoint): Lateness {
    return this.#places.get(endpoint)?.lateness ?? 'none'
  }

  /** What it lacked and for how long, in words; null where it is not late. */
  reasonOf(endpoint: Endpoint): string | null {
    return this.#places.get(endpoint)?.reason ?? null
  }

  /** True while an endpoint may be late and another round soon tells. */
  get isOpen(): boolean {
    return [...this.#places.values()].some(
      ({ askedAt, suspect, lateness }) => askedAt !== null && suspect && lateness === 'none',
    )
  }

  #note({ endpoint, height, askedAt, answeredAt }: ShownHead<Endpoint>, highest: bigint): void {
    const last = this.#shown.at(-1)
    if (last === undefined || height > last.height) this.#shown.push({ height, at: answeredAt })
    if (this.#shown.length > KEPT) this.#shown.shift()
    const known = this.#places.get(endpoint)
    const suspect = height < highest && (known?.height === height || height + 1n < highest)
    if (known !== undefined) Object.assign(known, { height, askedAt, suspect })
    else this.#places.set(endpoint, { ...NEW, height, askedAt, suspect })
  }

  #place(endpoint: Endpoint, askedAt: number): void {
    const place = this.#places.get(endpoint)
    if (place === undefined) return
    const lacked = this.#shown.find(({ height }) => height > place.height)
    const lateMs = lacked === undefined ? 0 : askedAt - lacked.at
    const usual = this.#pace.usualMs
    if (lateMs > within(usual / 2, BEHIND_MS)) {
      if (place.lateness === 'none') place.relapses = askedAt - place.caughtUpAt > FORGET_MS ? 0 : place.relapses + 1
      place.lateness = lateMs > within(3 * usual, STANDS_MS) ? 'stands' : 'behind'
      place.lateAt = place.height
      place.heldUntil = askedAt + Math.min(MAX_HOLD_MS, HOLD_MS * 2 ** place.relapses)
      place.reason = `Its newest block is ${place.height}, and another node showed ${lacked?.height} ${Math.ceil(lateMs / 1000)} s before.`
    } else if (place.lateness !== 'none' && place.height !== place.lateAt) {
      place.lateness = askedAt < place.heldUntil ? 'behind' : 'none'
      place.caughtUpAt = askedAt
      if (place.lateness === 'none') place.reason = null
    }
  }
}

const NEW = {
  lateness: 'none',
  reason: null,
  lateAt: null,
  relapses: 0,
  heldUntil: Number.NEGATIVE_INFINITY,
  caughtUpAt: Number.NEGATIVE_INFINITY,
} as const

const within = (ms: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.min(most, Math.max(least, ms))
