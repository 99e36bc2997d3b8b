import { ServiceError } from '../../../errors/serviceError.js'

/** Rises of the head that the usual time is taken from. */
const KEPT = 33
/** Fewer say nothing yet. */
const LEAST = 5
/** A head is looked after no sooner than this after the last one, however fast a chain is. */
const LEAST_OVERDUE_MS = 1_000
/** A chain is told to be silent no sooner than this. */
const LEAST_SILENT_MS = 60_000
/** As many times the longest pause of late are silence. */
const SILENT_PAUSES = 4

/** As many times faster than usual may blocks come. */
const BURST = 10

/** Heads that nobody has shown for this long are gone: blocks left the chain, or one was invented. */
const LOW_MS = 30_000

interface Rise {
  readonly at: number
  readonly height: bigint
}

/** How a chain's heads come, measured from when they were seen; times in milliseconds that only grow. */
export class HeadPace {
  readonly #assumedMs: number
  #rises: Rise[] = []
  /** When the newest of them was last seen. */
  #highAt = Number.NEGATIVE_INFINITY

  /** `assumedMs`: usual time between heads until enough were seen. */
  constructor(assumedMs: number) {
    this.#assumedMs = assumedMs
  }

  /** A head of the chain was seen, new or not. A lower one is of another node, unless nothing higher was seen for long. */
  note(height: bigint, at: number): void {
    const last = this.#rises.at(-1)
    if (last !== undefined && height < last.height) {
      if (at - this.#highAt <= LOW_MS) return
      this.#rises = this.#rises.filter((rise) => rise.height < height)
    }
    this.#highAt = at
    if (last?.height === height) return
    this.#rises.push({ at, height })
    if (this.#rises.length > KEPT) this.#rises.shift()
  }

  /** The middle of what a block took of late, so that neither a pause nor a burst moves it. */
  get usualMs(): number {
    if (this.#rises.length < LEAST) return this.#assumedMs
    const each = this.#pauses().map(({ ms, blocks }) => ms / blocks)
    return each.sort((left, right) => left - right)[Math.floor(each.length / 2)] ?? this.#assumedMs
  }

  /** How long ago the last head came, when another one should have come since: whoever is read from may stand still. */
  overdueMs(now: number): number | null {
    const last = this.#rises.at(-1)
    return last !== undefined && now - last.at > Math.max(LEAST_OVERDUE_MS, this.usualMs) ? now - last.at : null
  }

  /** The highest head that the time since the last one explains, with room for bursts; null before there was one. */
  explained(now: number, room: bigint): bigint | null {
    const last = this.#rises.at(-1)
    if (last === undefined) return null
    const usual = Math.max(1, this.usualMs)
    return last.height + room + BigInt(Math.ceil((BURST * Math.max(0, now - last.at)) / usual))
  }

  /** For how long no head came, where that is far longer than any pause of late; else null. */
  silentMs(now: number): number | null {
    const last = this.#rises.at(-1)
    if (last === undefined || this.#rises.length < LEAST) return null
    const longest = Math.max(...this.#pauses().map(({ ms }) => ms))
    const silent = now - last.at
    return silent > Math.max(LEAST_SILENT_MS, SILENT_PAUSES * longest) ? silent : null
  }

  #pauses(): readonly { readonly ms: number; readonly blocks: number }[] {
    return this.#rises.slice(1).map(({ at, height }, before) => {
      const from = this.#rises[before]
      return { ms: at - (from?.at ?? at), blocks: Number(height - (from?.height ?? height)) }
    })
  }
}

/** Blocks that may come at once, however long it is since the last one. */
export const JUMP_BLOCKS = 10_000n

/**
 * A height that comes with an answer may be stored, and keeps lower ones out then: one that the chain's pace does not explain was
 * invented. @throws ServiceError RPC_HTTP_ERROR
 */
export const requireExplained = (height: bigint, pace: HeadPace, now = performance.now()): void => {
  const most = pace.explained(now, JUMP_BLOCKS)
  if (most === null || height <= most) return
  throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain shows a block that cannot be there yet. Try again.')
}

/** Why a chain's head may stand still, in words; null while blocks come as they did. */
export const silenceOf = (pace: HeadPace, now: number): string | null => {
  const silent = pace.silentMs(now)
  return silent === null ? null : `It shows no new block for ${Math.round(silent / 1000)} s, far longer than before.`
}
