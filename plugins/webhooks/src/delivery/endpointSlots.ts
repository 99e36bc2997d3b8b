export interface SlotRules {
  /** Most calls under way at once, to all receivers and to one. */
  readonly total: number
  readonly perEndpoint: number
}

interface State {
  inFlight: number
  /** Successes since the last failure, as far as they matter. */
  proven: number
  /** Failures since the last success. */
  strikes: number
  /** Unix milliseconds before which a failing endpoint is left alone. */
  restsUntil: number
}

/** Failures in a row after which an endpoint gets one call at a time, with rests between. */
const STRIKES = 5
const FIRST_REST_MS = 1_000
const LONGEST_REST_MS = 60_000
/** How long failures are remembered after the rest they led to. */
const FORGET_MS = 3_600_000
/** An endpoint that has not answered yet gets so many. */
const UNPROVEN = 2

/**
 * How many calls each endpoint may have under way in this process. New ones begin small and double with every success; one
 * that only fails is reduced to a single call now and then, however much waits for it, so that it costs the others nothing.
 */
export class EndpointSlots {
  readonly #rules: SlotRules
  readonly #states = new Map<bigint, State>()
  #inFlight = 0

  constructor(rules: SlotRules) {
    this.#rules = rules
  }

  /** Calls that may begin now. */
  get free(): number {
    return this.#rules.total - this.#inFlight
  }

  /** Of endpoints that nothing is known of. */
  get unknown(): number {
    return Math.min(UNPROVEN, this.#rules.perEndpoint)
  }

  /** Calls that may begin now, of each endpoint that something is known of. */
  limits(now: number): readonly { readonly endpointId: bigint; readonly slots: number }[] {
    return [...this.#states].map(([endpointId, state]) => ({ endpointId, slots: this.#slotsOf(state, now) }))
  }

  begin(endpointId: bigint): void {
    const state = this.#states.get(endpointId) ?? { inFlight: 0, proven: 0, strikes: 0, restsUntil: 0 }
    this.#states.set(endpointId, state)
    state.inFlight += 1
    this.#inFlight += 1
  }

  /** A call is over; null where it says nothing of the receiver. */
  end(endpointId: bigint, delivered: boolean | null, now: number): void {
    const state = this.#states.get(endpointId)
    if (state === undefined) return
    state.inFlight -= 1
    this.#inFlight -= 1
    if (delivered === true) {
      state.strikes = 0
      state.restsUntil = 0
      state.proven = Math.min(state.proven + 1, this.#rules.perEndpoint)
    }
    if (delivered === false) {
      state.proven = 0
      state.strikes += 1
      state.restsUntil = state.strikes >= STRIKES ? now + restMs(state.strikes) : now
    }
  }

  /** Forgets, now and then, what is not under way: of those that fail what was not tried for long, which may be removed. */
  forget(now: number): void {
    for (const [id, { inFlight, strikes, restsUntil }] of this.#states) {
      if (inFlight === 0 && (strikes === 0 || now > restsUntil + FORGET_MS)) this.#states.delete(id)
    }
  }

  #slotsOf({ inFlight, proven, strikes, restsUntil }: State, now: number): number {
    if (strikes >= STRIKES) return inFlight > 0 || now < restsUntil ? 0 : 1
    const most = Math.min(this.#rules.perEndpoint, UNPROVEN * 2 ** Math.min(proven, 10))
    return Math.max(0, most - inFlight)
  }
}

const restMs = (strikes: number): number =>
  Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(strikes - STRIKES, 10))
