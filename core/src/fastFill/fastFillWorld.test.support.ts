import { type AppBalance, readAppBalances } from '../appBalance/appBalances.js'
import { type LedgerEntry, postLedger } from '../ledger/ledger.js'
import { divide } from '../money/rounding.js'
import { DESTINATION, GroundWorld, NOW, ORIGIN } from '../payout/groundWorld.test.support.js'
import { findOpenPayouts, findReadyPayouts } from '../payout/payoutQueries.js'
import type { PayoutData, StoredPayout } from '../payout/payoutRecord.js'
import { recordFinal } from '../payout/settlement/recordFinal.js'
import { recordIncluded } from '../payout/settlement/recordIncluded.js'
import { recordPayoutReorg } from '../payout/settlement/recordReorg.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import { acceptFastFill, type FastFillAnswer } from './acceptFastFill.js'
import { creditDeposit, findDepositsToCredit } from './creditDeposit.js'
import { startFastFill } from './fillAhead.js'
import {
  debitFastFill,
  findSettlingFastFills,
  findUnpaidFastFills,
  settleFastFill,
  type WorthNow,
} from './settleFastFill.js'

export const WALLET = `0x${'5a'.repeat(20)}`
export const DOLLAR = { chainId: 7, currency: 'usd' }
const PAYER = '0x5e'
/** The order of a quote of `GroundWorld` is over. */
export const LATE = NOW + 86_401_000

const worthAt =
  (price: bigint): WorthNow =>
  (amount, rounding) =>
    divide(amount * price, 1_000n, rounding)

/** Fast fills by the money path's own functions: quotes for 1000 coins, which are worth 2000 dollars and set aside 2100. */
export class FastFillWorld {
  #gifts = 0

  constructor(readonly ground: GroundWorld) {}

  static async open(): Promise<FastFillWorld> {
    return new FastFillWorld(await GroundWorld.open())
  }

  get pool() {
    return this.ground.pool
  }

  async clear(): Promise<void> {
    await this.pool.query(`
      alter table ledger_entries disable trigger user; alter table ledger_transactions disable trigger user;
      truncate requests, payouts, deposits, orders, quote_rows, fast_fills, imported_transactions, ledger_transactions, ledger_entries, app_balances,
        chain_cursors, chain_halts cascade;
      alter table ledger_entries enable trigger user; alter table ledger_transactions enable trigger user`)
  }

  /** An operator's dollars become the wallet's. */
  give(amount: bigint): Promise<void> {
    const entries: LedgerEntry[] = [
      { ...DOLLAR, account: 'capital', amount },
      { ...DOLLAR, account: 'app', amount: -amount, holder: WALLET },
    ]
    this.#gifts += 1
    return this.ground.commit((client) =>
      postLedger(client, [{ cause: `gift:${this.#gifts}`, event: 'given', entries }], NOW),
    )
  }

  accept(terms: QuoteTerms, amount = terms.depositAmount, deadline = LATE): Promise<FastFillAnswer> {
    const worth = amount * 2n
    const cover = { ...DOLLAR, worth, collateral: worth + worth / 20n }
    return this.ground.commit((client) =>
      acceptFastFill(client, { terms, integratorId: 'integrator', wallet: WALLET, amount, cover, deadline }, NOW),
    )
  }

  /** What the solver makes of it: 950 paid for all that the deposit is taken to bring. */
  async start(
    terms: QuoteTerms,
    { amount = terms.depositAmount, data = {} as PayoutData } = {},
  ): Promise<StoredPayout> {
    const lent = { holder: WALLET, chainId: ORIGIN, currency: 'coin', amount: amount.toString() }
    await this.ground.commit((client) =>
      startFastFill(
        client,
        terms,
        {
          requestId: terms.requestId,
          orderId: terms.orderId,
          chainId: DESTINATION,
          signer: PAYER,
          recipient: terms.recipient,
          currency: 'coin',
          amount: 950n,
          fees: 20n,
          data: { ...data, fastFill: lent },
          at: NOW,
        },
        NOW,
      ),
    )
    return this.ready(terms)
  }

  async findReady({ requestId }: QuoteTerms): Promise<StoredPayout | undefined> {
    const ready = await findReadyPayouts(this.pool, { chainId: DESTINATION, signer: PAYER }, NOW + 1, 1_000)
    return ready.find((payout) => payout.requestId === requestId && payout.purpose === 'fill')
  }

  async ready(terms: QuoteTerms): Promise<StoredPayout> {
    const payout = await this.findReady(terms)
    if (payout === undefined) throw new Error('The payout is not ready')
    return payout
  }

  async onItsWay({ requestId }: QuoteTerms): Promise<StoredPayout> {
    const open = await findOpenPayouts(
      this.pool,
      { chainId: DESTINATION, signer: PAYER },
      ['signed', 'included'],
      1_000,
    )
    const payout = open.find((item) => item.requestId === requestId)
    if (payout === undefined) throw new Error('The payout was not signed')
    return payout
  }

  async include(terms: QuoteTerms, paid: bigint | null = null): Promise<void> {
    const payout = await this.onItsWay(terms)
    const [attempt] = payout.live
    if (attempt === undefined) throw new Error('A signed payout has an attempt')
    const block = { height: 5n, hash: this.ground.id(), time: Math.floor(NOW / 1000) }
    const state = { status: 'success' as const, block, confirmations: 1, fee: 7n, paid, revert: null, txData: null }
    await this.ground.commit((client) =>
      recordIncluded(client, [{ payout, attempt, state }], 'gas', { now: NOW, settleAt: NOW }),
    )
  }

  async reorg(terms: QuoteTerms): Promise<void> {
    const payout = await this.onItsWay(terms)
    const [attempt] = payout.live
    if (attempt === undefined) throw new Error('A signed payout has an attempt')
    await this.ground.commit((client) => recordPayoutReorg(client, payout, attempt, 'gas', NOW))
  }

  async final(terms: QuoteTerms): Promise<void> {
    const payout = await this.onItsWay(terms)
    await this.ground.commit((client) => recordFinal(client, [payout], [], NOW))
  }

  /** Accepted, signed, in a block and final. */
  async pay(terms: QuoteTerms, more: { readonly amount?: bigint; readonly data?: PayoutData } = {}): Promise<void> {
    await this.accept(terms, more.amount)
    await this.ground.signAndStore(await this.start(terms, more))
    await this.include(terms)
    await this.final(terms)
  }

  /**
   * What the lane of the origin does once its deposits up to `height` are settled, at so many thousandths of a dollar for a coin; how many
   * fast fills and credits that made.
   */
  async settle(height = 100n, price = 2_000n): Promise<number> {
    let made = 0
    for (const item of await findSettlingFastFills(this.pool, { chainId: ORIGIN, height }))
      if (await this.ground.commit((client) => settleFastFill(client, item, worthAt(price), NOW))) made += 1
    for (const item of await findDepositsToCredit(this.pool, { chainId: ORIGIN, height })) {
      const worth = { ...DOLLAR, amount: item.deposit.amount * 3n }
      if (await this.ground.commit((client) => creditDeposit(client, item, worth, NOW))) made += 1
    }
    return made
  }

  /** What it does once orders are over; how many were debited. */
  async debit(now = LATE): Promise<number> {
    await this.pool.query('update chain_cursors set updated_at = to_timestamp($1 / 1000.0)', [now])
    let made = 0
    for (const fill of await findUnpaidFastFills(this.pool, ORIGIN, now))
      if (await this.ground.commit((client) => debitFastFill(client, fill, now))) made += 1
    return made
  }

  async holdings(): Promise<Record<string, bigint>> {
    const balances = await readAppBalances(this.pool, WALLET)
    const [{ chainId: _, currency: __, ...accounts } = {} as AppBalance] = balances.filter(
      ({ currency }) => currency === DOLLAR.currency,
    )
    const exposure = balances.find(({ currency }) => currency === 'coin')?.exposure ?? 0n
    return Object.fromEntries(
      [...Object.entries(accounts), ['exposure', exposure]].filter(([, amount]) => amount !== 0n),
    )
  }

  /** How its fast fill and its request stand. */
  async standing({ requestId }: QuoteTerms) {
    const { rows } = await this.pool.query<{ state: string | null; status: string; next: string | null }>(
      `select f.state, r.status, r.next_action as next from requests r left join fast_fills f on f.request_id = r.id where r.id = decode($1, 'hex')`,
      [requestId.slice(2)],
    )
    return rows[0]
  }

  /** All accounts of the books that are not at zero, those of the wallet left out. */
  async books(): Promise<Record<string, string>> {
    const { rows } = await this.pool.query<{ key: string; amount: string }>(
      `select account || ' ' || chain_id as key, sum(amount)::text as amount from ledger_entries
       where holder is null and account not in ('gas', 'wallet', 'capital') and currency <> 'gas' group by 1 having sum(amount) <> 0 order by 1`,
    )
    return Object.fromEntries(rows.map(({ key, amount }) => [key, amount]))
  }

  /** Whether balances are what the entries sum up to, and each currency of the books sums to zero (invariant 5). */
  async agrees(): Promise<boolean> {
    const { rows } = await this.pool.query<{ wrong: number }>(`
      select (select count(*) from (
          select holder, account, chain_id, currency from (
            select holder, account, chain_id, currency, amount from app_balances
            union all select holder, account, chain_id, currency, amount * case account when 'exposure' then -1 else 1 end
            from ledger_entries where holder is not null) a
          group by 1, 2, 3, 4 having sum(amount) <> 0) b)::int
        + (select count(*) from (select 1 from ledger_entries group by chain_id, currency having sum(amount) <> 0) c)::int as wrong`)
    return rows[0]?.wrong === 0
  }
}
