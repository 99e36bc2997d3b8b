import { storedTx } from '@causeway/core'
import {
  type CreditedDeposit,
  creditDeposit,
  debitFastFill,
  type FastFill,
  findDepositsToCredit,
  findSettlingFastFills,
  findUnpaidFastFills,
  judgeDeposit,
  recheckDeposits,
  type SettledDeposit,
  type SettlingFastFill,
  settleFastFill,
  type WorthNow,
} from '@causeway/core/money-path'
import { crossingPrices, exchanged, failpoint, withRetries, worthAsBalance } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'
import type { LaneContext } from '../laneContext.js'
import { endsTheLane } from '../running/endsTheLane.js'
import type { LaneTroubles } from '../running/laneTroubles.js'

export interface BalanceDepositsDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
}

/**
 * What settled deposits of a lane's chain do to balances of wallets: they pay what fast fills lent, or become balance (wire.md 4.12, G.3).
 * And what their absence does: the collateral of a fast fill pays where no deposit came in time.
 */
export class BalanceDeposits {
  readonly #lane: LaneContext
  readonly #troubles: LaneTroubles

  constructor({ lane, troubles }: BalanceDepositsDeps) {
    this.#lane = lane
    this.#troubles = troubles
  }

  async run(height: bigint): Promise<void> {
    const { pool, chain, clock } = this.#lane
    const chainId = chain.config.id
    for (const item of await findSettlingFastFills(pool, { chainId, height }))
      await this.#attempt(item.deposit, () => this.#settle(item))
    for (const item of await findDepositsToCredit(pool, { chainId, height }))
      await this.#attempt(item.deposit, () => this.#credit(item))
    for (const fill of await findUnpaidFastFills(pool, chainId, clock.now())) {
      const debited = await this.#commit('fast-fill.debit', (client) => debitFastFill(client, fill, clock.now()))
      if (debited) this.#tellDebit(fill)
    }
  }

  /** One that fails keeps none of the others back. */
  async #attempt({ id }: SettledDeposit, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#troubles.over(`balance ${id}`)
    } catch (error) {
      if (endsTheLane(error)) throw error
      this.#troubles.note('balances', `balance ${id}`, { requestId: null, deposit: id }, error)
    }
  }

  async #commit<T>(
    name: 'fast-fill.settle' | 'fast-fill.debit' | 'credit',
    work: (client: PoolClient) => Promise<T>,
  ): Promise<T> {
    await failpoint(`${name}.before`)
    const done = await withRetries(this.#lane.pool, work)
    await failpoint(`${name}.after`)
    return done
  }

  async #settle(item: SettlingFastFill): Promise<void> {
    if (!(await this.#isTrusted(item.deposit))) return
    const { clock, observer, chain } = this.#lane
    const worthNow = await this.#worthNow(item)
    const settled = await this.#commit('fast-fill.settle', (client) =>
      settleFastFill(client, item, worthNow, clock.now()),
    )
    if (settled) observer.fastFill('settled', chain.config.id, { requestId: item.fill.requestId })
  }

  /** Throws ServiceError while there is no price: it is settled later. */
  async #worthNow({ fill: { origin, cover } }: SettlingFastFill): Promise<WorthNow> {
    if (origin.chainId === cover.chainId && origin.currency === cover.currency) return (amount) => amount
    const { currencies, prices } = this.#lane
    const from = currencies.find(origin.chainId, origin.currency)
    const into = currencies.find(cover.chainId, cover.currency)
    if (from === undefined || into === undefined)
      throw new Error(`A currency of a fast fill is not configured; add ${origin.currency} to "currencies" again.`)
    const [fromPrice, intoPrice] = await prices.get([from, into])
    if (fromPrice === undefined || intoPrice === undefined)
      throw new Error('Prices answers for each currency it is asked for')
    const priced = { currency: into, price: intoPrice.usd }
    return (amount, rounding) => exchanged({ currency: from, amount }, fromPrice.usd, priced, rounding)
  }

  async #credit(item: CreditedDeposit): Promise<void> {
    const worth = await this.#worthOf(item.deposit)
    if (worth === null || !(await this.#isTrusted(item.deposit))) return
    await this.#commit('credit', (client) => creditDeposit(client, item, worth, this.#lane.clock.now()))
  }

  /** Shown by as many providers as its worth asks for (invariant 3); what they deny is put right. */
  async #isTrusted(deposit: SettledDeposit): Promise<boolean> {
    const trust = await judgeDeposit(this.#lane, deposit)
    if (trust === 'unconfirmed') {
      const reference = { tx: storedTx(deposit), position: deposit.position, height: deposit.height }
      await recheckDeposits(this.#lane, [reference], this.#lane.clock.now())
    }
    return trust === 'trusted'
  }

  /**
   * In the currency of balances at the price of now, less what a conversion of another asset costs (faults.md F142), rounded down; its own to
   * the unit. Throws ServiceError while there is no price.
   */
  async #worthOf({ chainId, currency, amount }: SettledDeposit) {
    const { balanceCurrency, currencies, prices } = this.#lane
    if (balanceCurrency === null) return null
    const into = { chainId: balanceCurrency.chainId, currency: balanceCurrency.address }
    if (into.chainId === chainId && into.currency === currency) return { ...into, amount }
    const [from, to] = [currencies.find(chainId, currency), currencies.find(into.chainId, into.currency)]
    if (from === undefined || to === undefined) return null
    const [fromPrice, toPrice] = await prices.get([from, to])
    if (fromPrice === undefined || toPrice === undefined) return null
    const { given, taken } = crossingPrices({ currency: from, price: fromPrice }, { currency: to, price: toPrice })
    const priced = { price: given, into: { currency: to, price: taken } }
    return { ...into, amount: worthAsBalance(balanceCurrency, { currency: from, amount }, priced) }
  }

  #tellDebit({ requestId, wallet, cover }: FastFill): void {
    const { log, observer, chain } = this.#lane
    observer.fastFill('debited', chain.config.id, { requestId })
    const amount = `${cover.collateral} of ${cover.currency} on chain ${cover.chainId}`
    log.error({ requestId, wallet, amount }, 'The deposit of a fast fill did not come: its collateral has paid')
  }
}
