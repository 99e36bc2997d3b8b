import type { PoolClient } from 'pg'
import { changeAddressBooks } from '../address/addressBooks.js'
import { awaitsOrder, REQUOTE } from '../address/requotes.js'
import { addressOfDeposit, giveArrivalsBack, takeArrivalsOf } from '../address/sweptArrivals.js'
import type { DepositEvent, DepositEvidence } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { locatorText } from '../chain/txLocator.js'
import { toBytea } from '../database/hexBytea.js'
import { giveLateDeposits, isFilledAhead } from '../fastFill/holdFastFills.js'
import { postLedger, reversePostings } from '../ledger/ledger.js'
import { depositPosting, leftPosting, lostEvent } from '../ledger/postings.js'
import type { Hex } from '../money/hex.js'
import { reopenExcess } from '../payout/ground/reopenExcess.js'
import { endUnsignedPayouts } from '../payout/ground/unsignedPayouts.js'
import { parseTerms } from '../quote/quoteTerms.js'
import { stateChangesOf } from '../request/balanceMoves.js'
import { changeStatuses } from '../request/changeStatus.js'
import { childRequest, consumeOrders, insertRequests } from '../request/insertRequests.js'
import { depositMoves, includeDeposit, removeDeposit, type StoredDeposit } from './depositStore.js'
import { decideIncluded } from './mempoolDeposits.js'
import { correctAmount, findBrought } from './parked/correctAmount.js'
import { undecideDeposit } from './parked/undecideDeposit.js'

interface ReorgDeps {
  readonly client: PoolClient
  readonly chain: Chain
  readonly now: number
}

/**
 * Moves stored deposits with their chain (wire.md K.2 6). Before anything was signed for it what was decided is taken back: the
 * request goes to `waiting` and the order is free again. Afterwards the status stays, the entry shows the evidence and the loss is
 * booked; what is not signed yet ends there too.
 */
export class DepositReorg {
  readonly #deps: ReorgDeps

  constructor(deps: ReorgDeps) {
    this.#deps = deps
  }

  /** Applies what the chain said of a deposit above a rewind. */
  async apply(deposit: StoredDeposit, evidence: DepositEvidence): Promise<void> {
    if (evidence.finding === 'present') {
      if (evidence.deposit !== undefined) await this.#shown(deposit, evidence.deposit)
      return
    }
    if (deposit.state !== 'included') return
    await this.#gone(deposit, evidence)
  }

  /** A stored deposit stands on the chain, where it was, elsewhere, or again. */
  async seen(deposit: StoredDeposit, event: DepositEvent): Promise<void> {
    const again = deposit.state !== 'included'
    const back = again ? await this.#asShown(deposit, event) : deposit
    if (!again && deposit.blockHash === (event.block?.hash ?? null)) return
    await includeDeposit(this.#deps.client, deposit.id, event, again)
    if (again) await this.#back(back)
    await this.#markTx(deposit, 'success', null, event)
  }

  /** A sweep that runs again in another block brings what lies there then: what is not decided yet is worth that. */
  async #asShown(deposit: StoredDeposit, { money: { currency, amount } }: DepositEvent): Promise<StoredDeposit> {
    if (deposit.outcome !== null || deposit.currency !== currency || deposit.amount === amount) return deposit
    await this.#deps.client.query('update deposits set amount = $2 where id = $1', [deposit.id, amount.toString()])
    return { ...deposit, amount }
  }

  /** By the readings of all providers, not of the one that is read. */
  async #shown(deposit: StoredDeposit, event: DepositEvent): Promise<void> {
    const { client, now } = this.#deps
    await this.seen(deposit, event)
    const more = await correctAmount(client, deposit, event, now)
    if (more === 0n) return
    await this.#markTx(deposit, 'success', null, event)
    await this.#sweptAgain(deposit, more)
  }

  async #gone(deposit: StoredDeposit, evidence: DepositEvidence): Promise<void> {
    const { client, now } = this.#deps
    const remaining = await endUnsignedPayouts(client, deposit.id, now)
    // What was credited may be spent.
    const isCredited = deposit.outcome === 'balance'
    const { parked, refundOnly } = remaining
    const decided = remaining.decided || isCredited
    const paid = isCredited ? deposit.amount : remaining.paid
    const metadata = {
      detectedAt: now,
      source: evidence.source,
      reason: evidence.reason,
      ...(decided ? { failReason: 'DEPOSIT_REORGED', action: deposit.outcome } : {}),
      ...(evidence.blockNumber === undefined ? {} : { blockNumber: Number(evidence.blockNumber) }),
      ...(evidence.blockHash === undefined ? {} : { blockHash: evidence.blockHash }),
      ...(evidence.receiptStatus === undefined ? {} : { receiptStatus: evidence.receiptStatus }),
    }
    await removeDeposit(
      client,
      deposit.id,
      evidence.finding === 'failed' ? 'failed' : 'reorged',
      JSON.stringify(metadata),
    )
    await this.#markTx(deposit, 'failure', JSON.stringify(metadata), null)
    const brought = await findBrought(client, deposit.id)
    await postLedger(client, [leftPosting({ ...this.#amounted(deposit), decided, brought, paid, parked })], now)
    await this.#sweptAgain(deposit, -brought)
    await giveArrivalsBack(client, deposit.id)
    if (decided) return
    const { id: depositId, requestId, outcomeReason } = deposit
    const refundReason = refundOnly ? (outcomeReason ?? 'TRANSACTION_REVERTED') : null
    await undecideDeposit(client, { depositId, requestId, refundReason, signed: false }, now)
  }

  /** The deposit is back: what its disappearance posted is undone, and the request goes on. */
  async #back(deposit: StoredDeposit): Promise<void> {
    const { client, now } = this.#deps
    if (deposit.outcome !== null) {
      const { id, inclusions: inclusion } = deposit
      const lost = { cause: `deposit:${id}`, of: lostEvent({ inclusion }), event: `found:${inclusion}` }
      await reversePostings(client, lost, now)
      await this.#sweptAgain(deposit, await findBrought(client, id))
      await reopenExcess(client, id, now)
      return
    }
    await postLedger(client, [this.#posting({ ...deposit, inclusions: deposit.inclusions + 1 })], now)
    await this.#sweptAgain(deposit, deposit.amount)
    if (deposit.requestId === null) return
    const requestId = (await this.#orderIsTaken(deposit)) ? await this.#becomeChild(deposit) : deposit.requestId
    if (await isFilledAhead(client, requestId)) return giveLateDeposits(client, [requestId])
    const action = (await awaitsOrder(client, requestId)) ? REQUOTE : 'decide'
    await changeStatuses(client, [{ requestId, to: 'pending', next: { action, at: now } }], now)
    // It may have waited for this block as `pending` already.
    await decideIncluded(client, [requestId], now)
  }

  /** What a sweep brought is in the depository again, or lies at its address again; nothing for any other deposit. */
  async #sweptAgain({ id, currency }: StoredDeposit, swept: bigint): Promise<void> {
    const { client, chain, now } = this.#deps
    const addressId = await addressOfDeposit(client, id)
    if (addressId === null) return
    await changeAddressBooks(client, [{ addressId, chainId: chain.config.id, currency, swept }], now)
    if (swept > 0n) await takeArrivalsOf(client, id, addressId)
  }

  /** Takes the order again; true when another deposit has consumed it meanwhile, or it was given up as spent elsewhere. */
  async #orderIsTaken({ id, orderId, requestId }: StoredDeposit): Promise<boolean> {
    const { client } = this.#deps
    if (orderId === null || requestId === null) return false
    const { rows } = await client.query<{ own: boolean; given_up: boolean }>(
      `select refund_reason is null and parent_request_id is null as own,
         status = 'failure' and coalesce(fail_reason, '') = 'DOUBLE_SPEND' as given_up from requests where id = $1`,
      [toBytea(requestId)],
    )
    if (rows[0]?.own !== true) return false
    if (rows[0].given_up) return true
    await consumeOrders(client, [{ orderId, depositId: id }])
    const { rowCount } = await client.query('select 1 from orders where order_id = $1 and consumed_by = $2', [
      toBytea(orderId),
      id,
    ])
    return rowCount === 0
  }

  /** A second deposit of the order after all: a request of its own, refunded (architecture.md 3, Cardinality). */
  async #becomeChild(deposit: StoredDeposit): Promise<Hex> {
    const { client, chain, now } = this.#deps
    const parent = deposit.requestId ?? '0x'
    const { rows } = await client.query<{ terms: string }>('select terms from requests where id = $1', [
      toBytea(parent),
    ])
    const child = childRequest(parseTerms(rows[0]?.terms ?? ''), 'DOUBLE_SPEND', {
      chainId: chain.config.id,
      currency: deposit.currency,
      amount: deposit.amount,
      isTold: false,
    })
    await insertRequests(client, [child], now)
    const id = toBytea(child.terms.requestId)
    await client.query('update deposits set request_id = $2 where id = $1', [deposit.id, id])
    await client.query(
      `update request_txs set request_id = $1 where request_id = $2 and direction = 'in' and chain_id = $3 and tx_id = $4 and position = $5`,
      [id, toBytea(parent), chain.config.id, deposit.txId, deposit.position],
    )
    return child.terms.requestId
  }

  async #markTx(
    deposit: StoredDeposit,
    status: 'success' | 'failure',
    reorg: string | null,
    event: DepositEvent | null,
  ): Promise<void> {
    if (deposit.requestId === null) return
    await this.#deps.client.query(
      `update request_txs set status = $4, reorg = $5, state_changes = $9,
         block_height = coalesce($6, block_height), block_hash = coalesce($7, block_hash),
         block_time = coalesce(to_timestamp($8), block_time), locator = coalesce($10, locator)
       where direction = 'in' and chain_id = $1 and tx_id = $2 and position = $3`,
      [
        this.#deps.chain.config.id,
        deposit.txId,
        deposit.position,
        status,
        reorg,
        event?.block?.height.toString() ?? null,
        event?.block?.hash ?? null,
        event?.block?.time ?? null,
        event === null ? null : JSON.stringify(stateChangesOf(depositMoves(event))),
        locatorText(event?.tx.locator),
      ],
    )
  }

  #posting(deposit: StoredDeposit) {
    return depositPosting({
      id: deposit.id,
      inclusion: deposit.inclusions,
      parked: deposit.requestId === null && deposit.holder === null,
      chainId: this.#deps.chain.config.id,
      currency: deposit.currency,
      amount: deposit.amount,
    })
  }

  #amounted(deposit: StoredDeposit) {
    return {
      depositId: deposit.id,
      inclusion: deposit.inclusions,
      chainId: this.#deps.chain.config.id,
      currency: deposit.currency,
      amount: deposit.amount,
    }
  }
}
