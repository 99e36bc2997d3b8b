import { type Hex, locatorOf, ServiceError, storedTx } from '@causeway/core'
import { countProviders, keccak256, largestPayable, type WithdrawAuthorization } from '@causeway/core/chain'
import { BROUGHT_SQL, createPayouts, DEPOSIT_LEFT, type NewPayout, recheckDeposits } from '@causeway/core/money-path'
import { withRetries } from '@causeway/core/plugin'
import type { LaneContext } from '../laneContext.js'
import { ItemTasks } from '../running/itemTasks.js'
import type { LaneTroubles } from '../running/laneTroubles.js'
import { WithdrawalCosts } from './withdrawalCosts.js'
import type { Witnesses } from './witnesses.js'

interface DepositToWithdraw {
  readonly id: string
  readonly request_id: string | null
  readonly order_id: string | null
  readonly onchain_id: string
  readonly currency: string
  readonly amount: string
  readonly tx_id: string
  readonly locator: string | null
  readonly position: number
  readonly shown_order: string | null
  readonly height: string
}

/** A deposit that is taken out of the depository; `onchainId` is what its event carried. */
interface WithdrawnDeposit {
  readonly id: string
  readonly requestId: Hex | null
  readonly orderId: Hex
  readonly onchainId: Hex
  readonly currency: string
  readonly amount: bigint
}

const SELECT = `select d.id::text as id, encode(d.request_id, 'hex') as request_id,
    encode(case when d.request_id is null and d.holder is not null then null else d.order_id end, 'hex') as order_id,
    encode(d.onchain_id, 'hex') as onchain_id, d.currency, ${BROUGHT_SQL}::text as amount, d.tx_id, d.locator, d.position,
    encode(case when d.given then d.shown_order_id else d.order_id end, 'hex') as shown_order, d.block_height::text as height
  from deposits d`

const LIMIT = 64
/** Unix seconds, year 2106. The expiration is part of what makes a request unique, so it must be the same for ever. */
const NEVER = 4_294_967_295

export interface WithdrawalsDeps {
  readonly lane: LaneContext
  readonly troubles: LaneTroubles
  readonly witnesses: Pick<Witnesses, 'ask'>
}

/**
 * Settled deposits of a lane's chain become withdrawals: what a fill or a refund has paid for, or a wallet has as balance, is the solver's, and the
 * allocator's request moves it from the depository to the wallet. Its nonce comes from the deposit, so it can run once.
 */
export class Withdrawals {
  readonly #lane: LaneContext
  readonly #troubles: LaneTroubles
  readonly #witnesses: WithdrawalsDeps['witnesses']
  readonly #planning: ItemTasks<NewPayout | null>
  readonly #costs: WithdrawalCosts

  constructor({ lane, troubles, witnesses }: WithdrawalsDeps) {
    this.#lane = lane
    this.#troubles = troubles
    this.#witnesses = witnesses
    this.#planning = new ItemTasks({ most: LIMIT, onLate: () => undefined })
    this.#costs = new WithdrawalCosts(lane)
  }

  async run(settled: bigint): Promise<void> {
    if (this.#lane.allocator === null || !(await this.#isKnown())) return
    for (const row of await this.#due(settled)) await this.#planning.start(row.id, () => this.#tryPlanHeld(row))
    const { pool, clock } = this.#lane
    const payouts = (await this.#planning.take()).filter((plan) => plan !== null)
    if (payouts.length > 0) await withRetries(pool, (client) => createPayouts(client, payouts, clock.now()))
  }

  async #due(settled: bigint): Promise<readonly DepositToWithdraw[]> {
    const { pool, chain } = this.#lane
    const worthwhile = await this.#worthwhile(settled)
    const { rows } = await pool.query<DepositToWithdraw>({
      name: 'deposits_to_withdraw',
      text: `${SELECT} left join jsonb_to_recordset($4::jsonb) as w(currency text, least numeric) on w.currency = d.currency
        where d.chain_id = $1 and d.state = 'included' and d.withdrawn_at is null and d.outcome is not null and d.block_height <= $2
          and (d.outcome = 'balance' and d.amount >= w.least
            or exists (select 1 from payouts p where p.deposit_id = d.id and p.purpose in ('fill', 'refund') and p.state = 'final'))
          and not exists (select 1 from payouts p where p.deposit_id = d.id and p.purpose = 'withdraw'
            and not (p.state = 'dead' and p.fail_reason = '${DEPOSIT_LEFT}'))
          and d.id <> all($3::bigint[])
        order by d.block_height, d.id limit ${LIMIT}`,
      values: [chain.config.id, settled.toString(), this.#planning.busy(), JSON.stringify(worthwhile)],
    })
    return rows
  }

  /**
   * The least that is withdrawn of what became balance, by currency: what that costs the network. Less waits in the depository until that is
   * cheaper, since anyone may send it (faults.md F149). A currency is left out, and waits, while its cost is not known.
   */
  async #worthwhile(settled: bigint): Promise<readonly { readonly currency: string; readonly least: string }[]> {
    const { pool, chain } = this.#lane
    const { rows } = await pool.query<{ currency: string }>({
      name: 'balances_to_withdraw',
      text: `select distinct d.currency from deposits d
        where d.chain_id = $1 and d.state = 'included' and d.withdrawn_at is null and d.outcome = 'balance' and d.block_height <= $2`,
      values: [chain.config.id, settled.toString()],
    })
    const costs = rows.map(async ({ currency }) => {
      const least = await this.#costs.of(currency).catch((error: unknown) => {
        if (!ServiceError.is(error)) throw error
        return null
      })
      return least === null ? [] : [{ currency, least: least.toString() }]
    })
    return (await Promise.all(costs)).flat()
  }

  /** The withdrawal of a deposit whose refund waits for it; null while there can be none. */
  async planFirst(depositId: string): Promise<NewPayout | null> {
    const { rows } = await this.#lane.pool.query<DepositToWithdraw>(
      `${SELECT} where d.id = $1 and d.state = 'included'`,
      [depositId],
    )
    const [row] = rows
    return row === undefined || !(await this.#isKnown()) ? null : this.#tryPlanHeld(row)
  }

  /** Whether it is known what payout keys of before took out of this depository. */
  async #isKnown(): Promise<boolean> {
    return (await this.#witnesses.ask(this.#lane.chain.config.id)) !== 'unknown'
  }

  /** Null while it is not sure that the depository has it: what one provider made up would be paid with other people's money. */
  async #tryPlanHeld(row: DepositToWithdraw): Promise<NewPayout | null> {
    const deposit = {
      id: row.id,
      requestId: hexOf(row.request_id),
      // A deposit that carried none goes by its own id, and so does one for a balance: many have the marker of its wallet.
      orderId: hexOf(row.order_id) ?? (`0x${row.onchain_id}` as const),
      onchainId: `0x${row.onchain_id}` as const,
      currency: row.currency,
      amount: BigInt(row.amount),
    }
    try {
      return (await this.#isHeld(row)) ? await this.#tryPlan(deposit) : null
    } catch (error) {
      this.#troubles.note('withdraw', `withdrawal ${row.id}`, { requestId: deposit.requestId, deposit: row.id }, error)
      return null
    }
  }

  /** By two providers where there are two; what they deny is looked up at all of them, and put right (faults.md F05). */
  async #isHeld({
    tx_id: txId,
    locator,
    position,
    currency,
    amount,
    shown_order,
    height,
  }: DepositToWithdraw): Promise<boolean> {
    const { chain, clock } = this.#lane
    const reference = { tx: storedTx({ txId, ...locatorOf(locator) }), position, height: BigInt(height) }
    const claim = { money: { currency, amount: BigInt(amount) }, orderId: hexOf(shown_order) }
    const agreeing = Math.min(2, countProviders(chain.config.rpc))
    if (await chain.adapter.confirmDeposit({ ...reference, ...claim }, { agreeing })) return true
    await recheckDeposits(this.#lane, [reference], clock.now())
    return false
  }

  /** The withdrawal of one deposit; null, and a warning, while the allocator does not sign (F113). */
  async #tryPlan(deposit: WithdrawnDeposit): Promise<NewPayout | null> {
    const { id, requestId } = deposit
    try {
      const plan = await this.#plan(deposit)
      this.#troubles.over(`withdrawal ${id}`)
      return plan
    } catch (error) {
      this.#troubles.note('withdraw', `withdrawal ${id}`, { requestId, deposit: id }, error)
      return null
    }
  }

  /** What one payment cannot carry stays in the depository, as the chain and the books have it. */
  async #plan(whole: WithdrawnDeposit): Promise<NewPayout> {
    const { chain, clock } = this.#lane
    const deposit = { ...whole, amount: largestPayable(chain.adapter, whole) }
    const former = await this.#takenBefore(deposit)
    const address = former ?? this.#lane.address
    const authorization = former === null ? await this.#authorize(deposit) : null
    return {
      purpose: 'withdraw',
      depositId: deposit.id,
      requestId: deposit.requestId,
      orderId: deposit.orderId,
      chainId: chain.config.id,
      signer: address,
      recipient: { address },
      currency: deposit.currency,
      amount: deposit.amount,
      fees: 0n,
      data: authorization === null ? {} : { authorization },
      at: clock.now(),
    }
  }

  /**
   * The payout key of before that took it out in a time that this database forgot (F120): the request of the allocator names who gets it,
   * so one to the present key would take the same amount once more, out of what the depository holds for others.
   */
  async #takenBefore({ orderId, currency, amount }: WithdrawnDeposit): Promise<string | null> {
    const { pool, chain, address } = this.#lane
    const { rows } = await pool.query<{ signer: string }>(
      `select signer from imported_transactions where chain_id = $1 and order_id = decode($2, 'hex') and purpose = 'withdraw'
         and payout_id is null and status <> 'reverted' and currency = $3 and amount = $4 and signer <> $5
       order by created_at, tx_id limit 1`,
      [chain.config.id, orderId.slice(2), currency, amount.toString(), address],
    )
    return rows[0]?.signer ?? null
  }

  /** Null where the allocator signs along with the transaction instead. */
  async #authorize(deposit: WithdrawnDeposit): Promise<WithdrawAuthorization | null> {
    const { chain, address, allocator } = this.#lane
    const { lane } = chain.adapter
    if (allocator === null) throw new Error(`This process has no withdrawals on chain ${chain.config.id}.`)
    if (lane.cosigns === true || lane.authorizeWithdrawal === undefined) return null
    const { orderId, currency, amount } = deposit
    const nonce = withdrawalNonce(deposit.onchainId)
    const request = { to: address, money: { currency, amount }, nonce, expiration: NEVER, orderId }
    return lane.authorizeWithdrawal(request, allocator)
  }
}

const hexOf = (hex: string | null): Hex | null => (hex === null ? null : `0x${hex}`)

/** The same deposit always has the same nonce, whatever database asks. */
const withdrawalNonce = (onchainId: Hex): Hex => {
  const hash = keccak256(Buffer.from(`causeway withdrawal ${onchainId}`, 'utf8'))
  return `0x${Buffer.from(hash).toString('hex')}`
}
