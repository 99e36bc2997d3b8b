import { type Json, larger, ServiceError, smaller } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import type {
  AccountReading,
  DraftedPayment,
  JsonRpcClient,
  JsonRpcEndpoint,
  LaneQuestion,
  LaneSince,
  SequenceChain,
  SequenceSlot,
} from '@causeway/core/chain-kit'
import { accountOfKey } from '../address/addresses.js'
import type { XrpSettings } from '../options.js'
import { type FeeLevels, type FeeSource, feeToOffer, outbidding } from '../payout/feeLevels.js'
import { type PaymentForm, paymentForm } from '../payout/paymentForm.js'
import type { SweepForms } from '../payout/sweepForms.js'
import type { TransferRates } from '../payout/transferRates.js'
import { readFound, transactionCall } from '../rpc/xrpNode.js'
import { listSent } from './accountListing.js'
import { askNumbers } from './accountNumbers.js'
import { askMoment } from './laneMoment.js'
import {
  type NumberedTransaction,
  nothingInstead,
  numbered,
  readNumbered,
  transactionJson,
  withFee,
} from './numberedTransaction.js'
import { type SenderRole, sentOf } from './sentTransaction.js'
import { signTransaction } from './signTransaction.js'
import { submitInOrder } from './submitInOrder.js'

export interface XrpPaymentsDeps {
  readonly rpc: JsonRpcClient
  readonly fees: FeeSource
  readonly rates: TransferRates
  readonly settings: Pick<XrpSettings, 'depository' | 'networkId' | 'maxFeeDrops'>
  /** Null: no deposit addresses. */
  readonly sweeps: SweepForms | null
}

type Item = { readonly payout: Payout; readonly gas: bigint | null }

/** What the lane of core has to know of the XRP Ledger: how payments are made, signed, sent and read back (chains.md xrpvm 5). */
export class XrpPayments implements SequenceChain<JsonRpcEndpoint> {
  readonly others: readonly string[]
  readonly #deps: XrpPaymentsDeps

  constructor(deps: XrpPaymentsDeps) {
    this.#deps = deps
    const { settings, sweeps } = deps
    this.others = [settings.depository, ...(sweeps === null ? [] : [sweeps.account])]
  }

  addressOf(signer: Signer): string {
    return accountOfKey(signer.publicKey)
  }

  accountOf({ purpose, from }: Payout): string {
    const { settings, sweeps } = this.#deps
    if (purpose === 'withdraw') return settings.depository
    return purpose === 'sweep' && sweeps !== null ? sweeps.account : from
  }

  /**
   * The account is asked in the very ledger that the moment names; transactions may be newer. A server that does not show one is asked once
   * more which ledgers it has, so that it had them all along.
   */
  async read(node: JsonRpcEndpoint, { account, attempts }: LaneQuestion): Promise<AccountReading> {
    const { moment, history } = await askMoment(node)
    const calls = attempts.map(({ txId }) => transactionCall(txId))
    const [numbers, outcomes] = await Promise.all([
      askNumbers(node, account, moment.height),
      calls.length === 0 ? [] : node.batch(calls),
    ])
    const transactions = calls.map((call, at) => {
      const found = readFound(outcomes[at], call)
      return found === null ? null : sentOf(found, this.#roleOf(found.signed.Account), attempts[at]?.payout)
    })
    const since = transactions.includes(null) ? larger(history, (await askMoment(node)).history) : history
    return { moment, history: since, transactions, ...numbers }
  }

  async list(node: JsonRpcEndpoint, account: string, since: LaneSince | null) {
    const { networkId } = this.#deps.settings
    const { transactions, ...rest } = await listSent(node, { account, since: since ?? { height: 0n }, networkId })
    return { ...rest, transactions: transactions.map((transaction) => sentOf(transaction, this.#roleOf(account))) }
  }

  async draft(items: readonly Item[]): Promise<readonly (((slot: SequenceSlot) => DraftedPayment) | null)[]> {
    const [levels, forms] = await Promise.all([
      this.#deps.fees.levels(),
      Promise.all(items.map(({ payout }) => this.#form(payout))),
    ])
    return items.map(({ payout }, at) => {
      const [form, fee] = [forms[at] ?? null, this.#feeOf(payout, levels)]
      return form === null || fee === null ? null : (slot) => this.#drafted(payout, form, slot, fee)
    })
  }

  /** The solver signs its payments, the allocator those of the depository, and the key of the seed sweeps. */
  async sign(transaction: Json, signer: Signer, allocator?: Signer, seed?: Uint8Array) {
    const unsigned = readNumbered(transaction)
    const key = this.#keyOf(unsigned.Account, { signer, allocator, seed })
    if (accountOfKey(key.publicKey) !== unsigned.Account) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The key at hand is not the key of the account that would pay.')
    }
    return signTransaction(unsigned, key)
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    return submitInOrder(this.#deps.rpc, attempts)
  }

  /** The same payment at a fee that outbids it; null where that would be above the most that one transaction may cost. */
  readonly replace = async (transaction: Json): Promise<DraftedPayment | null> => {
    const old = readNumbered(transaction)
    const fee = await this.#outbid(old)
    return fee === null ? null : this.#withCap(withFee(old, fee), fee)
  }

  /** A change of nothing, in place of a payment whose bytes are here: what holds the number of another one is not known. */
  readonly cancel = async (
    _slot: SequenceSlot,
    { instead }: { readonly instead: Json | null },
  ): Promise<DraftedPayment | null> => {
    if (instead === null) return null
    const old = readNumbered(instead)
    const fee = await this.#outbid(old)
    return fee === null ? null : this.#withCap(nothingInstead(old, fee), fee)
  }

  async #form(payout: Payout): Promise<PaymentForm | null> {
    const { rates, sweeps } = this.#deps
    if (payout.purpose !== 'sweep')
      return paymentForm(payout, { account: this.accountOf(payout), rate: await rates.rate(payout.money.currency) })
    if (sweeps === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
    return sweeps.form(payout)
  }

  /** Null where the network takes more now than may be paid (faults.md F124). */
  #feeOf({ feeLimit }: Payout, levels: FeeLevels): bigint | null {
    const { maxFeeDrops } = this.#deps.settings
    return feeToOffer(levels, feeLimit === undefined ? maxFeeDrops : smaller(feeLimit, maxFeeDrops))
  }

  #drafted(payout: Payout, form: PaymentForm, slot: SequenceSlot, fee: bigint): DraftedPayment {
    if (payout.purpose === 'sweep') this.#deps.sweeps?.begun(payout, slot)
    return this.#withCap(numbered(form, slot, { fee, networkId: this.#deps.settings.networkId }), fee)
  }

  #withCap(transaction: NumberedTransaction, feeCap: bigint): DraftedPayment {
    return { transaction: transactionJson(transaction), feeCap }
  }

  async #outbid({ Fee }: NumberedTransaction): Promise<bigint | null> {
    const { fees, settings } = this.#deps
    return outbidding(BigInt(Fee), await fees.levels(), settings.maxFeeDrops)
  }

  #keyOf(
    account: string,
    keys: { readonly signer: Signer; readonly allocator?: Signer | undefined; readonly seed?: Uint8Array | undefined },
  ): Signer {
    const { settings, sweeps } = this.#deps
    if (account === sweeps?.account) return sweeps.signer(keys.seed)
    if (account !== settings.depository) return keys.signer
    if (keys.allocator === undefined)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A withdrawal needs the key of the depository (keys.allocator).')
    return keys.allocator
  }

  #roleOf(account: string): SenderRole {
    const { settings, sweeps } = this.#deps
    if (account === settings.depository) return 'depository'
    return account === sweeps?.account ? 'deposits' : 'solver'
  }
}
