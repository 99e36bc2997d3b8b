import { ServiceError } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { saltOfTerms } from '@causeway/core/chain-kit'
import { parseAddress } from '../address/addresses.js'
import { equalBytes } from '../address/scriptAddress.js'
import { watchedAddress } from '../balances.js'
import type { Coin } from '../coins/coin.js'
import { dustLimit, leastDeposit } from '../coins/dust.js'
import type { FeeBounds, FeeRate } from '../coins/feeRate.js'
import { spendable } from '../coins/spendable.js'
import { buildSweep, type SweptAddress } from '../derive/buildSweep.js'
import type { FeeSource } from '../fees/feeSource.js'
import type { BitcoinNetwork } from '../network/networks.js'
import type { BitcoinSource, WatchedScript } from '../source/bitcoinSource.js'
import type { SourcePool } from '../source/sourcePool.js'
import { buildPayout } from './buildPayout.js'
import { buildWithdrawal } from './buildWithdrawal.js'
import type { PayoutTransaction } from './payoutTransaction.js'

export interface PayoutBuilderDeps {
  readonly pool: SourcePool
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
  readonly fees: FeeSource
  readonly bounds: FeeBounds
  /** Depth at which a coin cannot vanish any more. */
  readonly settle: bigint
  /** Whether sweeps name the depositor behind the order id. */
  readonly creditSweeps: boolean
}

/** What payouts of one lane are made of, read at one time from one node. */
export interface SpendableCoins {
  readonly lane: WatchedScript
  /** Coins of the lane in blocks. */
  readonly coins: readonly Coin[]
  /** Settled coins of the depository that are worth spending; empty where nothing is withdrawn. */
  readonly deposits: readonly Coin[]
  /** Coins in blocks of the deposit addresses that are swept, by address. */
  readonly swept: ReadonlyMap<string, readonly Coin[]>
  /** Change of the lane's own payouts that waits for its block. */
  readonly waiting: readonly Coin[]
  readonly tip: bigint
  readonly rate: FeeRate
}

const NOTHING: ReadonlySet<string> = new Set()
/** Inputs that cost little more than one. */
const FEW_INPUTS = 5

/** Makes transactions of payouts. Only coins in blocks are spent: a bump of what made a waiting one would take it away. */
export class PayoutBuilder {
  readonly #deps: PayoutBuilderDeps

  constructor(deps: PayoutBuilderDeps) {
    this.#deps = deps
  }

  /** @throws ServiceError when no node answers */
  async read(payouts: readonly Pick<Payout, 'from' | 'purpose' | 'sweep'>[]): Promise<SpendableCoins> {
    const { pool, network, depository, fees } = this.#deps
    const lane = watchedAddress(payouts[0]?.from ?? '', network)
    const withdraws = payouts.some(({ purpose }) => purpose === 'withdraw')
    const addresses = payouts.flatMap(({ sweep }) =>
      sweep === undefined ? [] : [watchedAddress(sweep.address.destination.address, network)],
    )
    const rate = await fees.rate()
    return pool.ask(async (source) => {
      const { height: tip } = await source.tip()
      const watched = [lane, ...(withdraws ? [depository] : []), ...addresses]
      const [coins = [], ...others] = await source.coinsOf(watched)
      const deposits = withdraws ? (others.shift() ?? []) : []
      const usable = (all: readonly Coin[]) => spendable(all, { tip, locked: NOTHING, own: NOTHING })
      const waiting = coins.filter(({ height }) => height === null)
      const own = waiting.length === 0 ? waiting : await ownChange(source, lane, waiting)
      const least = leastDeposit(depository.script)
      const settled = usable(deposits).filter((coin) => coin.value >= least && this.#isSettled(coin, tip))
      const swept = new Map(addresses.map(({ address }, at) => [address, usable(others[at] ?? [])]))
      return { lane, coins: usable(coins), deposits: settled, swept, waiting: own, tip, rate }
    })
  }

  /**
   * One transaction for fills and refunds to different recipients, for sweeps of different addresses, or for one withdrawal. Out of settled coins where they are enough: a payment whose coin vanishes with its block waits until that is proven. Not
   * where it would take many small ones in place of a large one: strangers can send those.
   * @throws ServiceError INSUFFICIENT_FUNDS with figures, AMOUNT_TOO_LOW, INVALID_ADDRESS, INVALID_REQUEST
   */
  build(payouts: readonly Payout[], funds: Omit<SpendableCoins, 'waiting'>): PayoutTransaction {
    const settled = this.#buildSettled(payouts, funds)
    if (settled !== null && settled.inputs.length <= FEW_INPUTS) return settled
    const built = this.#buildOf(payouts, funds)
    return settled !== null && settled.inputs.length <= built.inputs.length ? settled : built
  }

  /** Satoshis that the output of a payment must have to be passed on. */
  leastPayment({ to }: Pick<Payout, 'to'>): bigint {
    const address = parseAddress(to.address, this.#deps.network)
    return address.ok ? dustLimit(address.script) : 0n
  }

  /** Null where settled coins are not enough. */
  #buildSettled(payouts: readonly Payout[], funds: Omit<SpendableCoins, 'waiting'>) {
    try {
      const coins = funds.coins.filter((coin) => this.#isSettled(coin, funds.tip))
      return this.#buildOf(payouts, { ...funds, coins })
    } catch (error) {
      if (ServiceError.is(error) && error.code === 'INSUFFICIENT_FUNDS') return null
      throw error
    }
  }

  #isSettled({ height }: Coin, tip: bigint): boolean {
    return height !== null && tip - height + 1n >= this.#deps.settle
  }

  #buildOf(payouts: readonly Payout[], funds: Omit<SpendableCoins, 'waiting'>): PayoutTransaction {
    const { bounds, depository, network } = this.#deps
    const { lane, coins, deposits, rate } = funds
    if (payouts.some(({ calls, swap, topup }) => calls.length > 0 || swap !== undefined || topup !== undefined)) {
      throw new ServiceError('INVALID_REQUEST', 'A payment on Bitcoin carries neither calls nor swaps.')
    }
    const shared = { from: lane.script, rate, highestRate: bounds.cap }
    const withdrawal = payouts.find(({ purpose }) => purpose === 'withdraw')
    if (withdrawal !== undefined) {
      const { orderId, money } = withdrawal
      const terms = { ...shared, orderId, amount: money.amount, depository: depository.script }
      return buildWithdrawal(terms, { coins, deposits })
    }
    if (payouts.some(({ purpose }) => purpose === 'sweep')) {
      const addresses = payouts.map((payout) => this.#sweptAddress(payout, funds))
      return buildSweep({ ...shared, depository: depository.script, addresses }, coins)
    }
    const payments = payouts.map(({ to: recipient, money, orderId }) => {
      const to = parseAddress(recipient.address, network)
      if (!to.ok) throw new ServiceError('INVALID_ADDRESS', to.why)
      return { to: to.script, amount: money.amount, orderId }
    })
    return buildPayout({ ...shared, payments }, coins)
  }

  #sweptAddress({ sweep, orderId, to }: Payout, { swept }: Pick<SpendableCoins, 'swept'>): SweptAddress {
    const { network, depository, creditSweeps } = this.#deps
    if (sweep === undefined || sweep.address.orderId !== orderId || to.address !== depository.address) {
      throw new ServiceError('INVALID_REQUEST', 'A sweep on Bitcoin takes one deposit address to the depository.')
    }
    const { address, script } = watchedAddress(sweep.address.destination.address, network)
    const depositor = creditSweeps ? parseAddress(sweep.address.depositor, network) : null
    return {
      orderId,
      salt: saltOfTerms(sweep.address),
      script,
      depositor: depositor?.ok ? depositor.canonical : null,
      coins: swept.get(address) ?? [],
    }
  }
}

/** Of the coins that wait, those that the lane made itself; a stranger's could be taken back. */
const ownChange = async (source: BitcoinSource, { address, script }: WatchedScript, waiting: readonly Coin[]) => {
  const transactions = await source.waiting({ address, script })
  const own = transactions.filter(({ inputs }) =>
    inputs.some(({ previous }) => previous !== null && equalBytes(previous.script, script)),
  )
  const ids = new Set(own.map(({ id }) => id))
  return waiting.filter(({ txId }) => ids.has(txId))
}
