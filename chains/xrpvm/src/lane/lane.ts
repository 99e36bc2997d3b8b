import { type Json, larger, ServiceError, smaller } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import {
  type AccountPayments,
  type AccountReading,
  askNode,
  broadcastInOrder,
  type DraftedPayment,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type JsonRpcNode,
  type LaneQuestion,
  type LaneSince,
  PayingAccounts,
  RpcResponseError,
  type SequenceChain,
  type SequenceSlot,
} from '@causeway/core/chain-kit'
import { accountOfKey } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import { type FeeSource, feeToOffer, outbidding } from '../payout/feeLevels.js'
import { type PaymentForm, paymentForm } from '../payout/paymentForm.js'
import type { SweepForms } from '../payout/sweepForms.js'
import type { TransferRates } from '../payout/transferRates.js'
import { askTransactions, SUBMIT } from '../rpc/xrpNode.js'
import { askMoment, askNumbers, listSent } from './accountReading.js'
import { broadcastResultOf } from './engineResults.js'
import {
  type NumberedTransaction,
  nothingInstead,
  numbered,
  readNumbered,
  transactionJson,
} from './numberedTransaction.js'
import { sentOf } from './sentTransaction.js'
import { signTransaction } from './signTransaction.js'

/** Numbers in order that may wait for each other: servers queue ten transactions of an account. Tickets wait for none. */
const MOST_OPEN = 10
/** A lower lifetime may have been configured since: earlier payments lived as long as payments do by default. */
const USUAL_LIFETIME = 20n

export interface XrpPaymentsDeps {
  readonly rpc: JsonRpcClient
  readonly fees: FeeSource
  readonly rates: TransferRates
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops'>
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

/**
 * Payments of the solver by the numbers of its account, its tickets first, and of the depository and the account of deposit addresses by
 * theirs. Only validated ledgers count, so a pending transaction is not listed: after a database failed over the lane waits until all
 * that it may have lost has expired (faults.md F121).
 */
export const xrpPayments = (
  deps: XrpPaymentsDeps & { readonly settings: Pick<XrpSettings, 'lifetimeLedgers'> },
): AccountPayments<JsonRpcEndpoint> => {
  const chain = new XrpPayments(deps)
  const { replace, cancel } = chain
  const { lifetimeLedgers: lifetime } = deps.settings
  return {
    chain,
    order: { kind: 'strict', mostOpen: MOST_OPEN, replace, cancel },
    lifetime,
    longestLifetime: larger(lifetime, USUAL_LIFETIME),
    cosigns: true,
    moment: async (node) => (await askMoment(node)).moment,
  }
}

/** How payments are made, signed, sent and read back (chains.md xrpvm 5). */
class XrpPayments implements SequenceChain<JsonRpcEndpoint> {
  readonly others: readonly string[]
  readonly #deps: XrpPaymentsDeps
  readonly #accounts: PayingAccounts

  constructor(deps: XrpPaymentsDeps) {
    this.#deps = deps
    const { depository } = deps.settings
    this.#accounts = new PayingAccounts({ depository, deposits: deps.sweeps, addressOf: this.addressOf })
    this.others = this.#accounts.others
  }

  addressOf({ publicKey }: Signer): string {
    return accountOfKey(publicKey)
  }

  accountOf(payout: Payout): string {
    return this.#accounts.accountOf(payout)
  }

  /**
   * The account is asked in the very ledger that the moment names; transactions may be newer. A server that does not show one is asked once
   * more which ledgers it has, so that it had them all along.
   */
  async read(node: JsonRpcEndpoint, { account, attempts }: LaneQuestion): Promise<AccountReading> {
    const { moment, history } = await askMoment(node)
    const ids = attempts.map(({ txId }) => txId)
    const [numbers, found] = await Promise.all([askNumbers(node, account, moment.height), askTransactions(node, ids)])
    const transactions = found.map(
      (one, at) => one && sentOf(one, this.#accounts.roleOf(one.signed.Account), attempts[at]?.payout),
    )
    const since = transactions.includes(null) ? larger(history, (await askMoment(node)).history) : history
    return { moment, history: since, transactions, ...numbers }
  }

  list(node: JsonRpcEndpoint, account: string, since: LaneSince | null) {
    const role = this.#accounts.roleOf(account)
    const { networkId } = this.#deps.settings
    return listSent(node, { account, since: since ?? { height: 0n }, networkId, sentOf: (one) => sentOf(one, role) })
  }

  async draft(
    items: readonly { readonly payout: Payout }[],
  ): Promise<readonly (((slot: SequenceSlot) => DraftedPayment) | null)[]> {
    const { fees, settings, sweeps } = this.#deps
    const { maxFeeDrops, networkId } = settings
    const [levels, forms] = await Promise.all([
      fees.levels(),
      Promise.all(items.map(({ payout }) => this.#form(payout))),
    ])
    return items.map(({ payout }, at) => {
      const form = forms[at] ?? null
      // Null where the network takes more now than may be paid (faults.md F124).
      const fee = feeToOffer(levels, smaller(payout.feeLimit ?? maxFeeDrops, maxFeeDrops))
      if (form === null || fee === null) return null
      return (slot) => {
        if (payout.purpose === 'sweep') sweeps?.begun(payout, slot)
        return drafted(numbered(form, slot, { fee, networkId }), fee)
      }
    })
  }

  /** The solver signs its payments, the allocator those of the depository, and the key of the seed sweeps. */
  async sign(transaction: Json, signer: Signer, allocator?: Signer, seed?: Uint8Array) {
    const unsigned = readNumbered(transaction)
    return signTransaction(unsigned, this.#accounts.keyOf(unsigned.Account, { signer, allocator, seed }))
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    const isAside = ({ transaction }: SignedAttempt) => readNumbered(transaction).TicketSequence !== undefined
    return broadcastInOrder(this.#deps.rpc.pool, attempts, { send: submit, isAside })
  }

  /** The same payment at a fee that outbids it; null where that would be above the most that one transaction may cost. */
  readonly replace = (transaction: Json): Promise<DraftedPayment | null> => {
    const old = readNumbered(transaction)
    return this.#outbid(old, (fee) => ({ ...old, Fee: fee.toString() }))
  }

  /** A change of nothing in place of a payment whose bytes are here: of another one only the number is known. */
  readonly cancel = async (
    _slot: SequenceSlot,
    { instead }: { readonly instead: Json | null },
  ): Promise<DraftedPayment | null> => {
    if (instead === null) return null
    const old = readNumbered(instead)
    return this.#outbid(old, (fee) => nothingInstead(old, fee))
  }

  async #form(payout: Payout): Promise<PaymentForm | null> {
    const { rates, sweeps } = this.#deps
    if (payout.purpose !== 'sweep')
      return paymentForm(payout, { account: this.accountOf(payout), rate: await rates.rate(payout.money.currency) })
    if (sweeps === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
    return sweeps.form(payout)
  }

  async #outbid({ Fee }: NumberedTransaction, at: (fee: bigint) => NumberedTransaction) {
    const { fees, settings } = this.#deps
    const fee = outbidding(BigInt(Fee), await fees.levels(), settings.maxFeeDrops)
    return fee === null ? null : drafted(at(fee), fee)
  }
}

const drafted = (transaction: NumberedTransaction, feeCap: bigint): DraftedPayment => ({
  transaction: transactionJson(transaction),
  feeCap,
})

/** Sends the bytes of one transaction to one server. */
const submit = async (node: JsonRpcNode, { raw }: SignedAttempt, signal: AbortSignal): Promise<BroadcastResult> => {
  const asked = { batch: (calls: Parameters<JsonRpcNode['batch']>[0]) => node.batch(calls, signal) }
  try {
    return broadcastResultOf((await askNode(asked, SUBMIT, { tx_blob: raw.slice(2).toUpperCase() })).engine_result)
  } catch (error) {
    if (!(error instanceof RpcResponseError)) throw error
    // It was not even tried: the server is busy, or has lost its network.
    return { outcome: 'unknown', message: `A server did not take the payment (${error.error.message}).` }
  }
}
