import type { Currency } from '@causeway/core'
import { type ChainMoney, type DepositAddresses, largestPayable } from '@causeway/core/chain'
import {
  type DuePlace,
  findDuePlaces,
  GONE_AFTER,
  type NewSweep,
  NOT_WORTH_ITS_SWEEP,
  nextLook,
  type PlaceLook,
  recordLooks,
  retryLook,
} from '@causeway/core/money-path'
import { type Lease, withLease } from '@causeway/core/plugin'
import { type LaneContext, laneKey } from '../laneContext.js'
import { endsTheLane } from '../running/endsTheLane.js'
import type { LaneTroubles } from '../running/laneTroubles.js'

/** Looked at in one call where something arrived. */
const EXPECTED_AT_ONCE = 256
/** Looked at in the usual round, and how often there is one: so many calls, however many addresses there are, and a payment waits for few. */
const USUAL_AT_ONCE = 250
const ROUND_MS = 1_250

export interface SweepsDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
}

/**
 * Looks at addresses that money may have come to and orders the sweeps that are worth their cost (wire.md E.4). What a node says lies there
 * decides nothing but that: a fill rests on what the sweep brought into the depository.
 */
export class Sweeps {
  readonly #lane: LaneContext
  readonly #troubles: LaneTroubles
  readonly #addresses: DepositAddresses | null
  #nextRound = 0

  /** Whether this lane sweeps: its chain has such addresses, and this process what their sweeps take. */
  static isOn(lane: LaneContext): boolean {
    return addressesOf(lane) !== null
  }

  constructor({ lane, troubles }: SweepsDeps) {
    this.#lane = lane
    this.#troubles = troubles
    this.#addresses = addressesOf(lane)
  }

  /** One round; returns how many addresses were looked at where something is expected. */
  async run(lease: Lease): Promise<number> {
    if (this.#addresses === null) return 0
    try {
      const expected = await this.#due(true, EXPECTED_AT_ONCE)
      await this.#look(lease, this.#addresses, expected)
      if (performance.now() < this.#nextRound) return expected.length
      this.#nextRound = performance.now() + ROUND_MS
      await this.#look(lease, this.#addresses, await this.#due(false, USUAL_AT_ONCE))
      this.#troubles.over('sweep')
      return expected.length
    } catch (error) {
      if (endsTheLane(error)) throw error
      this.#troubles.note('sweep', 'sweep', { requestId: null }, error)
      return 0
    }
  }

  #due(expected: boolean, limit: number): Promise<readonly DuePlace[]> {
    const { pool, chain, clock } = this.#lane
    return findDuePlaces(pool, { chainId: chain.config.id, expected, limit }, clock.now())
  }

  async #look(lease: Lease, addresses: DepositAddresses, places: readonly DuePlace[]): Promise<void> {
    if (places.length === 0) return
    const { pool, chain, clock, currencies } = this.#lane
    const known = currencies.ofChain(chain.config.id)
    const found = await addresses.holdings(
      places.map(({ address }) => address),
      known.map(({ address }) => address),
    )
    const worth = await this.#worth(addresses, found.flat(), known)
    const looks = places.map((place, at) => this.#judge(place, found[at] ?? [], worth))
    await withLease(pool, lease, (client) => recordLooks(client, looks, clock.now()))
  }

  #judge(place: DuePlace, found: readonly ChainMoney[], worth: Worth): PlaceLook {
    const now = this.#lane.clock.now()
    const lies = found.filter(({ amount }) => amount > 0n)
    const usual = now + nextLook({ age: now - place.createdAt, over: now - place.liveUntil, crowd: place.crowd })
    const looked = { place, found: lies, sweep: null, nextAt: usual, expected: false, trouble: null, gone: [] }
    if (lies.length === 0 && place.expected) return this.#missed(looked)
    const sweep = this.#sweepOf(lies, place, worth)
    if (sweep !== null) return { ...looked, sweep }
    const gone = isQuiet(place, now) ? goneFrom(place, lies) : []
    return { ...looked, trouble: lies.length === 0 ? null : NOT_WORTH_ITS_SWEEP, gone }
  }

  /** Nothing lies there yet, or any more, though something is expected. */
  #missed(looked: PlaceLook): PlaceLook {
    const retry = retryLook(looked.place.looks)
    if (retry !== null) return { ...looked, expected: true, nextAt: this.#lane.clock.now() + retry }
    return { ...looked, gone: goneFrom(looked.place, []) }
  }

  /**
   * What pays for its sweep, the dearest first; null where nothing does. One currency at a time, so that a transaction that comes back into
   * another block makes the same deposit. Where the last sweep moved nothing they take turns: a token may hold its own back.
   */
  #sweepOf(lies: readonly ChainMoney[], { forced, failed }: DuePlace, worth: Worth): NewSweep | null {
    const { chain } = this.#lane
    const surplus = ({ currency, amount }: ChainMoney): bigint => worth.surplus(currency, amount)
    const worthy = lies.filter((money) => forced || surplus(money) > 0n)
    const dearest = [...worthy].sort((left, right) => (surplus(left) < surplus(right) ? 1 : -1))
    const whole = failed === 0 ? dearest[0] : dearest[(failed - 1) % dearest.length]
    if (whole === undefined) return null
    const money = { ...whole, amount: largestPayable(chain.adapter, whole) }
    return {
      signer: laneKey(this.#lane).signer,
      depository: chain.adapter.depository,
      money,
      currencies: [money.currency],
    }
  }

  /** What each currency that was found is worth beyond its sweep, all in one arbitrary unit; what has no price is swept. */
  async #worth(addresses: DepositAddresses, found: readonly ChainMoney[], known: readonly Currency[]): Promise<Worth> {
    const { chain, prices, currencies } = this.#lane
    const native = currencies.native(chain.config.id)
    const names = new Set(found.filter(({ amount }) => amount > 0n).map(({ currency }) => currency))
    const asked = known.filter(({ address }) => names.has(address))
    if (native === undefined || asked.length === 0) return { surplus: () => 1n }
    const [fees, quoted] = await Promise.all([
      Promise.all(asked.map(({ address }) => addresses.sweepFee(address))),
      prices.get([native, ...asked]),
    ])
    const costs = new Map(
      asked.map((currency, at) => {
        const [nativePrice, price] = [quoted[0], quoted[at + 1]]
        const cost = (fees[at]?.network.amount ?? 0n) * (nativePrice?.usd ?? 0n) * 10n ** BigInt(currency.decimals)
        const unit = (price?.usd ?? 0n) * 10n ** BigInt(native.decimals)
        return [currency.address, { cost, unit, scale: 10n ** BigInt(currency.decimals) }]
      }),
    )
    return {
      surplus: (currency, amount) => {
        const known = costs.get(currency)
        return known === undefined ? 1n : (amount * known.unit - known.cost) / known.scale
      },
    }
  }
}

interface Worth {
  surplus(currency: string, amount: bigint): bigint
}

/** Whether what an issuer took of a sweep, or somebody else swept, can be told from what the watchers have not read yet. */
const isQuiet = ({ quietSince }: DuePlace, now: number): boolean =>
  quietSince !== null && now - quietSince >= GONE_AFTER

/** What the books have there and the look did not find. */
const goneFrom = ({ booked }: DuePlace, lies: readonly ChainMoney[]): readonly ChainMoney[] =>
  [...booked].flatMap(([currency, amount]) => {
    const missing = amount - (lies.find((money) => money.currency === currency)?.amount ?? 0n)
    return missing > 0n ? [{ currency, amount: missing }] : []
  })

/** Where the addresses have keys, sweeping takes the seed. */
const addressesOf = ({ chain, seed, signer }: LaneContext): DepositAddresses | null => {
  const { depositAddresses } = chain.adapter
  if (depositAddresses === undefined || signer === null) return null
  return depositAddresses.isSweptByKey === true && seed === null ? null : depositAddresses
}
