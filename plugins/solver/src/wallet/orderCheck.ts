import { destinationText, larger, parseDestination } from '@causeway/core'
import type { PayoutPurpose } from '@causeway/core/chain'
import {
  type AttemptToStore,
  dayLimit,
  demandOf,
  type EarlierGeneration,
  findClaims,
  findSignedOrder,
  type OrderRules,
  orderRefusal,
  readDatabaseId,
  readWalletOrder,
  refuseWalletOrder,
  type StoredPayout,
  sentWithinDay,
  signerOfOrder,
  toChainPayout,
  WALLET_OFF_TEXT,
  type WalletOrder,
  walletOrderId,
} from '@causeway/core/money-path'
import { withRetries } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'
import type { SetAside } from '../signing/setAside.js'

/** Purposes that only an operator orders. */
export const isOrdered = ({ purpose }: { readonly purpose: PayoutPurpose }): boolean =>
  purpose === 'send' || purpose === 'approve'

/** Whether an order may be signed now: what it says, as a payout; never; or not yet. */
type Verdict =
  | { readonly kind: 'sign'; readonly payout: StoredPayout; readonly order: WalletOrder; readonly rules: OrderRules }
  | { readonly kind: 'refuse'; readonly why: string }
  | { readonly kind: 'wait'; readonly why: string }

/**
 * Decides of payouts that operators ordered. What is signed is made of the order's own text, whose signature is checked against the
 * configuration of this process: rows of the database say which order is meant, and nothing else.
 */
export class OrderCheck {
  readonly #lane: LaneContext
  readonly #aside: SetAside

  constructor({ lane, aside }: { readonly lane: LaneContext; readonly aside: SetAside }) {
    this.#lane = lane
    this.#aside = aside
  }

  /** The payout as its order says it. Null: it was refused, or put off. */
  async check(payout: StoredPayout): Promise<StoredPayout | null> {
    const verdict = await this.#judge(payout)
    if (verdict.kind === 'sign') return verdict.payout
    return verdict.kind === 'refuse' ? this.refuse(payout, verdict.why) : this.#aside.putOff(payout, verdict.why)
  }

  /**
   * The same once more, just before the signature, and whether its recipient may have it within this day; to be asked for one payout
   * after another.
   */
  async admit(payout: StoredPayout): Promise<StoredPayout | null> {
    const verdict = await this.#judge(payout)
    if (verdict.kind === 'refuse') return this.refuse(payout, verdict.why)
    if (verdict.kind === 'wait') return this.#aside.putOff(payout, verdict.why)
    if (await this.#fitsDay(payout, verdict)) return verdict.payout
    return this.#aside.putOff(payout, 'Its recipient was sent as much as a day allows.')
  }

  /** What was signed and stored; what was not stored is seen by nobody. */
  remember({ payout, signed }: AttemptToStore): void {
    const { orderId, currency, amount } = payout
    const recipient = destinationText(payout.recipient)
    const locators = signed.locator === undefined ? {} : { [signed.txId]: signed.locator }
    const { guards } = signed
    this.#lane.signedOrders.add(orderId, {
      guards,
      txIds: [signed.txId],
      locators,
      recipient,
      currency,
      amount,
      at: this.#lane.clock.now(),
    })
  }

  /** It ends unsigned, and says why; null, as nothing of it is to be signed. */
  async refuse({ id, orderId }: StoredPayout, why: string): Promise<null> {
    const { pool, clock, log, chain } = this.#lane
    const refused = await withRetries(pool, (client) => refuseWalletOrder(client, id, why, clock.now()))
    if (refused)
      log.error(
        { chainId: chain.config.id, payout: id, order: orderId, why },
        'A wallet order is refused and not signed',
      )
    return null
  }

  async #judge(payout: StoredPayout): Promise<Verdict> {
    const { pool, wallet, network, chain, address, currencies, clock } = this.#lane
    const refuse = (why: string): Verdict => ({ kind: 'refuse', why })
    if (wallet.operators.length === 0) return refuse(WALLET_OFF_TEXT)
    const signed = await findSignedOrder(pool, payout.orderId)
    if (signed === null) return refuse('There is no signed order for it.')
    const order = readWalletOrder(signed.text)
    if (order === null || walletOrderId(signed.text) !== payout.orderId)
      return refuse('Its order was changed after it was signed.')
    const operator = await signerOfOrder(signed.text, signed.signature)
    if (operator === null || !wallet.operators.some((item) => item.toLowerCase() === operator))
      return refuse('Its signature is of no operator in wallet.operators of the process that signs.')
    const { adapter } = chain
    const rules: OrderRules = {
      network,
      database: await readDatabaseId(pool),
      chainId: chain.config.id,
      wallet: address,
      adapter,
      currencies,
      policy: wallet,
      now: clock.now(),
    }
    const why = orderRefusal(order, rules)
    if (why !== null) return refuse(why)
    const ordered = asOrdered(payout, order)
    if (!isSamePayment(payout, ordered)) return refuse('Its payout is not what the order says.')
    const earlier = await this.#earlier(ordered)
    return earlier ?? { kind: 'sign', payout: ordered, order, rules }
  }

  /** An order is paid once: all that was ever signed for it must surely be dead, whatever the rows say of it. */
  async #earlier(payout: StoredPayout): Promise<Verdict | null> {
    const claims = await findClaims(this.#lane.pool, payout.orderId)
    if (claims.payouts.some((id) => id !== payout.id))
      return { kind: 'refuse', why: 'Another payout claims the same order.' }
    for (const generation of [...this.#lane.signedOrders.of(payout.orderId), ...claims.generations]) {
      const verdict = await this.#verdict(payout, generation)
      if (verdict === 'landed') return { kind: 'refuse', why: `It was paid by ${generation.txIds.join(', ')}.` }
      if (verdict === 'alive')
        return { kind: 'wait', why: `What was signed for it before may still land: ${generation.txIds.join(', ')}.` }
    }
    return null
  }

  async #verdict(payout: StoredPayout, { guards, txIds, locators }: EarlierGeneration) {
    const { chainId, currency, amount } = payout
    const demand = await demandOf(this.#lane, { chainId, currency, amount })
    return this.#lane.chain.adapter.lane.payoutVerdict(guards, txIds, {
      ...demand,
      payout: toChainPayout(payout),
      locators,
    })
  }

  async #fitsDay(payout: StoredPayout, verdict: Extract<Verdict, { kind: 'sign' }>): Promise<boolean> {
    const most = dayLimit(verdict.order, verdict.rules)
    if (payout.purpose !== 'send' || most === null) return true
    const { pool, clock, chain, signedOrders } = this.#lane
    const { recipient, currency, amount } = verdict.order
    const now = clock.now()
    const stored = await sentWithinDay(pool, { chainId: chain.config.id, recipient, currency, except: payout.id }, now)
    const known = signedOrders.sentWithinDay({ recipient, currency, except: payout.orderId }, now)
    return larger(stored, known) + amount <= most
  }
}

/** The payout, made of the order alone; of its row only the number and how often it was tried. */
const asOrdered = (payout: StoredPayout, order: WalletOrder): StoredPayout => ({
  ...payout,
  purpose: order.action,
  requestId: null,
  chainId: order.chainId,
  signer: order.wallet,
  recipient: parseDestination(order.recipient),
  currency: order.currency,
  amount: order.amount,
  fees: 0n,
  data: {},
  deposit: null,
})

const isSamePayment = (row: StoredPayout, ordered: StoredPayout): boolean =>
  (['purpose', 'requestId', 'chainId', 'signer', 'currency', 'amount', 'fees', 'deposit'] as const).every(
    (field) => row[field] === ordered[field],
  ) && JSON.stringify(row.recipient) === JSON.stringify(ordered.recipient)
