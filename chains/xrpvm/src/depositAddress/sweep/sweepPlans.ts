import { ServiceError, smaller } from '@causeway/core'
import type { DepositAddress, Payout, Simulation } from '@causeway/core/chain'
import type { AccountSums, SumsView } from '@causeway/core/chain-kit'
import { amountJson, payableAmount } from '../../address/amounts.js'
import { isNative } from '../../address/currencies.js'
import { memosOf } from '../../deposit/memos.js'
import type { PaymentForm } from '../../payout/paymentForm.js'
import type { LedgerTransaction } from '../../read/transactions.js'
import { requireTag, type TaggedAccount } from '../tagAddress.js'
import type { OpenSweeps } from './openSweeps.js'

/** `TransferRate` of an issuer who charges nothing. */
export const NO_RATE = 1_000_000_000n

export interface SweepPlansDeps<Node extends object> {
  readonly tagged: TaggedAccount
  readonly depository: string
  readonly sums: AccountSums<Node, LedgerTransaction>
  readonly open: OpenSweeps
  /** Most that one transaction pays to the network, in drops. */
  readonly maxFeeDrops: bigint
  /** What the account of deposit addresses holds of a currency, and what of it must stay: the reserve of XRP. */
  holding(currency: string): Promise<{ readonly amount: bigint; readonly reserved: bigint }>
  /** What the issuer charges for a transfer, as `TransferRate` has it; `NO_RATE` of XRP. */
  transferRate(currency: string): Promise<bigint>
}

export type SweepPlan =
  | { readonly ok: true; readonly payment: PaymentForm; readonly amount: bigint }
  | Extract<Simulation, { readonly ok: false }>

const NOTHING = 'Nothing lies at the deposit address in this currency: it was swept before, or never came.'
const UNDER_WAY = 'What became of the sweep before of this deposit address is not known yet.'
const NO_FLOAT =
  'The account of deposit addresses has too little XRP of its own for its reserve and fees: send it some, without a tag.'
const LESS_HELD = 'The account of deposit addresses holds less of this currency than came to its tags.'

const refused = (kind: Extract<SweepPlan, { ok: false }>['kind'], message: string): SweepPlan => ({
  ok: false,
  kind,
  message,
})

/**
 * Everything of one currency that lies under the tag of an address, paid to the depository under the order id of the address. The ledger
 * knows only what lies on the account, so what lies under a tag is what came to it by the account's history less what was swept.
 */
export class SweepPlans<Node extends object> {
  readonly #deps: SweepPlansDeps<Node>

  constructor(deps: SweepPlansDeps<Node>) {
    this.#deps = deps
  }

  /**
   * As it is now, or why nothing can be moved.
   * @throws ServiceError when too few nodes tell the account's history, or it is no sweep of this chain
   */
  async plan({ money: { currency }, sweep }: Pick<Payout, 'money' | 'sweep'>): Promise<SweepPlan> {
    if (sweep === undefined)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'A sweep must name the address it takes from.')
    const { address, after = 0n } = sweep
    const tag = requireTag(this.#deps.tagged, address.destination)
    const view = await this.#viewOf(`${tag}`, currency, after)
    if (view === null) return refused('transient', UNDER_WAY)
    const lies = view.sumOf(`${tag}`, currency)
    return lies === 0n ? refused('revert', NOTHING) : this.#take(tag, address, { currency, lies }, view)
  }

  /** Read at least up to the ledger in which the sweep before landed; null while that may still come. */
  async #viewOf(part: string, currency: string, after: bigint): Promise<SumsView | null> {
    const { sums, open } = this.#deps
    const view = await sums.read(after)
    const from = open.knownFrom(part, currency, view.height)
    if (from === null) return null
    return view.height >= from ? view : sums.read(from)
  }

  async #take(
    tag: number,
    address: DepositAddress,
    { currency, lies }: { readonly currency: string; readonly lies: bigint },
    view: SumsView,
  ): Promise<SweepPlan> {
    const { holding, transferRate, maxFeeDrops } = this.#deps
    const [{ amount: held, reserved }, rate] = await Promise.all([holding(currency), transferRate(currency)])
    if (isNative(currency)) {
      // What is left when every tag has its own: fees and the reserve come out of that alone. Asked again, since a ledger may come between.
      if (held - view.totalOf(currency) < reserved + maxFeeDrops) return refused('transient', NO_FLOAT)
      return this.#paying(tag, address, { currency, amount: lies })
    }
    // Sums of the ledger's floating point may come out a digit above what is held.
    const takes = payableAmount(currency, smaller(lies, held))
    const amount = payableAmount(currency, (takes * NO_RATE) / rate)
    if (amount === 0n) return refused(held === 0n ? 'insufficient-funds' : 'revert', held === 0n ? LESS_HELD : NOTHING)
    const most = rate === NO_RATE ? {} : { SendMax: amountJson(currency, takes) }
    return this.#paying(tag, address, { currency, amount }, most)
  }

  #paying(
    tag: number,
    { orderId }: DepositAddress,
    { currency, amount }: { readonly currency: string; readonly amount: bigint },
    most: Pick<PaymentForm, 'SendMax'> = {},
  ): SweepPlan {
    const { tagged, depository } = this.#deps
    return {
      ok: true,
      amount,
      payment: {
        TransactionType: 'Payment',
        Account: tagged.account,
        Destination: depository,
        SourceTag: tag,
        Amount: amountJson(currency, amount),
        ...most,
        // The order id alone, as of any deposit: whoever attests deposits reads nothing else (chains.md xrpvm 3).
        Memos: memosOf(orderId),
      },
    }
  }
}
