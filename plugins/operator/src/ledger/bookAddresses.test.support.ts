import type { Hex } from '@causeway/core'
import type { Arrival, BlockRef, WatchPage } from '@causeway/core/chain'
import { type DuePlace, findDuePlaces, recordLooks } from '@causeway/core/money-path'
import { findDueRequotes, type QuoteTerms, recordRequote, withTransaction } from '@causeway/core/plugin'
import { giveTestAddress } from '@causeway/core/testing'
import type { Pool } from 'pg'

interface AddressDeps {
  readonly pool: Pool
  readonly chainId: number
  now(): number
  id(): Hex
  block(): BlockRef
  quote(pick: number, more: Partial<QuoteTerms>): Promise<QuoteTerms>
  deposit(orderId: Hex, amount: bigint, currency: string): Promise<void>
  /** The watcher tells of it. */
  tell(page: Pick<WatchPage, 'arrivals' | 'rewoundTo'>): Promise<void>
}

interface Given {
  readonly orderId: Hex
  readonly to: string
  readonly currency: string
}

/** Addresses of a `BookWorld`: what comes to them, and the sweeps that take it; what the chain has there is kept here. */
export class BookAddresses {
  readonly #deps: AddressDeps
  readonly #given: Given[] = []
  readonly #arrivals: Arrival[] = []
  readonly #lies = new Map<string, bigint>()

  constructor(deps: AddressDeps) {
    this.#deps = deps
  }

  /** Half of them to a new address, the others to one that was given before. */
  async pay(pick: number): Promise<void> {
    const given = await this.#address(pick)
    const arrival: Arrival = {
      state: pick % 5 === 4 ? 'seen' : 'included',
      tx: { id: this.#deps.id() },
      position: 0,
      to: { address: given.to },
      money: { currency: given.currency, amount: pick % 3 === 0 ? 1_000n : 1_000n + BigInt(pick % 90) },
      sender: 'user',
      block: pick % 5 === 4 ? null : this.#deps.block(),
    }
    this.#arrivals.push(arrival)
    if (arrival.state === 'included') this.#add(given.to, arrival.money.amount)
    await this.#page([arrival], null)
  }

  /** Within a transaction of a contract: no block shows it. */
  async payUnseen(pick: number): Promise<void> {
    const given = await this.#address(pick)
    this.#add(given.to, 500n)
  }

  /** The newest payments leave the chain. */
  async reorg(pick: number): Promise<void> {
    const last = this.#arrivals.at(-1 - (pick % 3))
    if (last?.block == null) return
    const height = last.block.height - 1n
    await this.#page([], height)
  }

  async back(pick: number): Promise<void> {
    const arrival = this.#arrivals[pick % Math.max(this.#arrivals.length, 1)]
    if (arrival === undefined) return
    await this.#page([{ ...arrival, state: 'included', block: this.#deps.block() }], null)
  }

  async look(pick: number): Promise<void> {
    const place = await this.#due(pick)
    if (place === undefined) return
    const amount = this.#lies.get(place.address.destination.address) ?? 0n
    const currency = this.#currencyAt(place)
    const money = { currency, amount }
    const sweep = { signer: '0x5e', depository: 'depository', money, currencies: [currency] }
    await this.#record(place, {
      found: amount > 0n ? [money] : [],
      sweep: amount > 0n && pick % 4 !== 0 ? sweep : null,
      gone: [],
    })
  }

  /** A payment that blocks showed is surely not there. */
  async findNothing(pick: number): Promise<void> {
    const place = await this.#due(pick)
    if (place === undefined) return
    const gone = [...place.booked].flatMap(([currency, amount]) => (amount > 0n ? [{ currency, amount }] : []))
    await this.#record(place, { found: [], sweep: null, gone })
  }

  /** A sweep brought what lay there into the depository. */
  async swept(pick: number): Promise<void> {
    const given = this.#given[pick % Math.max(this.#given.length, 1)]
    const amount = this.#lies.get(given?.to ?? '') ?? 0n
    if (given === undefined || amount === 0n) return
    this.#lies.set(given.to, 0n)
    await this.#deps.deposit(given.orderId, amount, given.currency)
  }

  /** The quote of an open address is made anew for what came. */
  async orderAnew(pick: number): Promise<void> {
    const due = await findDueRequotes(this.#deps.pool, this.#deps.now(), 10)
    const requote = due[pick % Math.max(due.length, 1)]
    if (requote === undefined) return
    const { amount } = requote.deposit
    const terms = { ...requote.terms, orderId: this.#deps.id(), depositAmount: amount, minimumDeposit: amount }
    await withTransaction(this.#deps.pool, async (client) => {
      await recordRequote(client, requote, { terms, order: '{}', quoted: '{}' }, this.#deps.now())
    })
  }

  async #address(pick: number): Promise<Given> {
    const before = this.#given[pick % Math.max(this.#given.length, 1)]
    if (before !== undefined && pick % 2 === 0) return before
    const type = pick % 3 === 0 ? ('strict' as const) : ('open' as const)
    const terms = await this.#deps.quote(pick, { address: { type, refundToSender: false }, minimumDeposit: 1_000n })
    const given = { orderId: terms.orderId, to: `address ${terms.orderId.slice(-6)}`, currency: terms.origin.currency }
    await giveTestAddress(
      this.#deps.pool,
      {
        chainId: this.#deps.chainId,
        destination: { address: given.to },
        derivation: null,
        type,
        orderId: terms.orderId,
        requestId: terms.requestId,
        depositor: 'user',
        currency: given.currency,
        refundTo: 'user',
        recoveryAddress: null,
        liveUntil: terms.orderDeadline,
      },
      this.#deps.now(),
    )
    this.#given.push(given)
    return given
  }

  #add(to: string, amount: bigint): void {
    this.#lies.set(to, (this.#lies.get(to) ?? 0n) + amount)
  }

  #currencyAt({ address }: DuePlace): string {
    return this.#given.find(({ to }) => to === address.destination.address)?.currency ?? ''
  }

  async #due(pick: number): Promise<DuePlace | undefined> {
    const due = await findDuePlaces(
      this.#deps.pool,
      { chainId: this.#deps.chainId, expected: true, limit: 100 },
      this.#deps.now(),
    )
    return due[pick % Math.max(due.length, 1)]
  }

  #record(
    place: DuePlace,
    look: Pick<Parameters<typeof recordLooks>[1][number], 'found' | 'sweep' | 'gone'>,
  ): Promise<void> {
    const now = this.#deps.now()
    const looked = { place, nextAt: now + 60_000, expected: false, trouble: null, ...look }
    return withTransaction(this.#deps.pool, (client) => recordLooks(client, [looked], now))
  }

  #page(arrivals: readonly Arrival[], rewoundTo: bigint | null): Promise<void> {
    return this.#deps.tell({ arrivals, rewoundTo })
  }
}
