import type { Arrival } from '../chain/address/depositAddresses.js'
import { withLease } from '../database/leases.js'
import type { Hex } from '../money/hex.js'
import { GroundWorld, LEASE, NOW, ORIGIN } from '../payout/groundWorld.test.support.js'
import { type PlaceLook, recordLooks } from '../payout/sweep/createSweeps.js'
import { type DuePlace, findDuePlaces } from '../payout/sweep/duePlaces.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import { giveTestAddress } from '../testing/giveTestAddress.js'
import type { NewDepositAddress } from './newAddress.js'
import { findDueRequotes } from './requotes.js'

export const CUSTODIAN = 'exchange'

export const RULES = { isCustodial: (_chainId: number, address: string) => address === CUSTODIAN }

/** Addresses and what comes to them, by the money path's own functions over a real database, without chains. */
export class AddressWorld {
  constructor(readonly ground: GroundWorld) {}

  static async open(): Promise<AddressWorld> {
    return new AddressWorld(await GroundWorld.open())
  }

  get pool() {
    return this.ground.pool
  }

  /** A quote for 1000 that gives an address. */
  async give(
    type: 'open' | 'strict' = 'open',
    { refundToSender = false, ...more }: Partial<QuoteTerms> & { readonly refundToSender?: boolean } = {},
    address: Partial<NewDepositAddress> = {},
  ): Promise<QuoteTerms & { readonly to: string }> {
    const terms = await this.ground.quote({ minimumDeposit: 1_000n, address: { type, refundToSender }, ...more })
    const to = address.destination?.address ?? `address ${terms.orderId.slice(-4)}`
    await giveTestAddress(
      this.pool,
      {
        chainId: ORIGIN,
        destination: { address: to },
        derivation: null,
        type,
        orderId: terms.orderId,
        requestId: terms.requestId,
        depositor: 'user',
        currency: 'coin',
        refundTo: null,
        recoveryAddress: null,
        liveUntil: terms.orderDeadline,
        ...address,
      },
      NOW,
    )
    return { ...terms, to }
  }

  /** A deposit of another amount than the quote's: its request waits for an order of its own. */
  async fresh(amount: bigint, recipient = 'recipient') {
    const given = await this.give('open', { recipient: { address: recipient } })
    const deposit = this.ground.event(given.orderId, amount, 101n)
    await this.ground.see(deposit)
    const due = (await findDueRequotes(this.pool, NOW, 100)).find(({ terms }) => terms.orderId === given.orderId)
    if (due === undefined) throw new Error('No order is to be made')
    return { ...given, deposit, due }
  }

  arrival(to: string, amount: bigint, more: Partial<Arrival> = {}): Arrival {
    return {
      state: 'included',
      tx: { id: this.ground.id() },
      position: 0,
      to: { address: to },
      money: { currency: 'coin', amount },
      sender: 'user',
      block: { height: 100n, hash: this.ground.id(), time: Math.floor(NOW / 1000) },
      ...more,
    }
  }

  arrive(...arrivals: readonly Arrival[]): Promise<void> {
    return this.ground.read({ arrivals })
  }

  /** Blocks above a height leave; `arrivals` are what stands in those that came instead. */
  rewind(rewoundTo: bigint, ...arrivals: readonly Arrival[]): Promise<void> {
    return this.ground.read({ arrivals, rewoundTo })
  }

  due(expected = true): Promise<readonly DuePlace[]> {
    return findDuePlaces(this.pool, { chainId: ORIGIN, expected, limit: 1_000 }, NOW)
  }

  async place(to: string): Promise<DuePlace> {
    const place = (await this.due()).find(({ address }) => address.destination.address === to)
    if (place === undefined) throw new Error('Nothing is expected there')
    return place
  }

  async look(looked: PlaceLook): Promise<void> {
    await withLease(this.pool, LEASE, (client) => recordLooks(client, [looked], NOW))
  }

  /** What the books have at an address, and for nobody. */
  async booked(): Promise<{ readonly addresses: bigint; readonly unswept: bigint; readonly depository: bigint }> {
    const { rows } = await this.pool.query<{ account: string; sum: string }>(
      'select account, sum(amount)::text as sum from ledger_entries group by account',
    )
    const of = (name: string): bigint => BigInt(rows.find(({ account }) => account === name)?.sum ?? 0)
    return { addresses: of('addresses'), unswept: of('unswept'), depository: of('depository') }
  }

  async requestsOf(orderId: Hex) {
    const { rows } = await this.pool.query<{
      parent: Hex | null
      status: string
      next: string | null
      reason: string | null
      refund_to: string | null
      transfer: string | null
      answers: Hex | null
      address: string | null
      amount: string
    }>(
      `select '0x' || encode(parent_request_id, 'hex') as parent, status, next_action as next, refund_reason as reason, refund_to,
         transfer_tx as transfer, '0x' || encode(answers_for, 'hex') as answers, deposit_address as address, amount_in::text as amount
       from requests where order_id = decode($1, 'hex') order by seq`,
      [orderId.slice(2)],
    )
    return rows
  }
}
