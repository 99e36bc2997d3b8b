import { type Hex, ServiceError } from '@causeway/core'
import type {
  DirectCapability,
  DirectExecution,
  DirectFailure,
  DirectRequest,
  FeeQuote,
  StepItemDraft,
  TxRef,
} from '@causeway/core/chain'
import { readTransactions } from '../deposit/depositLookup.js'
import { stepItem } from '../deposit/stepItem.js'
import type { UserDeps } from '../deposit/userSteps.js'
import { revertReason } from '../payout/revertReason.js'
import { revertText } from '../payout/revertText.js'
import { readBalances } from '../read/balances.js'
import { feeOf } from '../rpc/receipts.js'
import { isInsufficientFunds, isRevert } from '../rpc/rpcErrors.js'
import { quantity, txDataOf } from '../rpc/wire.js'
import { type DirectForm, directForm, directSpending } from './directForm.js'
import { directExecution, isAttempt, isFailed, type MinedTransaction } from './findDirect.js'

const SEND_BYTES = 250
const SWAP_BYTES = 1500
const NO_ID: Hex = `0x${'0'.repeat(64)}`

/** Sends, and where the chain has swaps wraps, unwraps and swaps, that users run alone (wire.md 1.4). */
export class EvmDirect implements DirectCapability {
  readonly kinds: DirectCapability['kinds']
  readonly deposits = true
  readonly #deps: UserDeps

  constructor(deps: UserDeps) {
    this.#deps = deps
    this.kinds = deps.contracts.swap === null ? ['send'] : ['send', 'wrap', 'unwrap', 'swap']
  }

  /** Sends are run by a node: their recipient may refuse. Throws DESTINATION_TX_FAILED when it does. */
  async estimateFee(request: Omit<DirectRequest, 'requestId'>): Promise<FeeQuote> {
    const form = directForm({ ...request, requestId: NO_ID }, this.#deps.contracts)
    const gas = request.kind === 'send' ? await this.#sendGas(request, form) : form.gas
    return this.#deps.fees.quote(gas, request.kind === 'swap' ? SWAP_BYTES : SEND_BYTES)
  }

  async build(request: DirectRequest): Promise<readonly StepItemDraft[]> {
    const { contracts, steps } = this.#deps
    const { stepId, description, to, data, value } = directForm(request, contracts)
    const { context, allowing } = await steps.before(directSpending(request, contracts))
    const step: StepItemDraft = {
      stepId,
      kind: 'transaction',
      action: 'Confirm transaction in your wallet',
      description,
      data: stepItem({ from: request.from, to, data, value }, context),
    }
    return [...allowing, step]
  }

  async find(tx: TxRef, request: Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>): Promise<DirectExecution | null> {
    const mined = await this.#mined(tx)
    return mined === null ? null : directExecution(mined, request, this.#deps.contracts)
  }

  async outcome(
    tx: TxRef,
    request: Omit<DirectRequest, 'swap' | 'fee' | 'deposits'>,
  ): Promise<DirectExecution | DirectFailure | null> {
    const { rpc, contracts } = this.#deps
    const mined = await this.#mined(tx)
    if (mined === null) return null
    if (!isFailed(mined)) return directExecution(mined, request, contracts)
    if (!isAttempt(mined, request, contracts)) return null
    const { receipt, block } = mined
    const txData = txDataOf(mined.tx)
    const reason = await revertText(receipt, txData, rpc)
    return { failed: true, requestId: request.requestId, tx, block, fee: feeOf(receipt, mined.tx), txData, reason }
  }

  async #mined(tx: TxRef): Promise<MinedTransaction | null> {
    const { rpc, contracts } = this.#deps
    const { readings } = await readTransactions([tx.id], (calls) => rpc.batch(calls), contracts.depository)
    const reading = readings.get(tx.id)
    if (reading === undefined || reading.receipt === null || reading.tx === null || reading.block === null) return null
    return { receipt: reading.receipt, tx: reading.tx, block: reading.block }
  }

  /** Gas of a send as a node estimates it; the typical one while the user is short, who may fill up before signing. */
  async #sendGas({ from, money }: Omit<DirectRequest, 'requestId'>, form: DirectForm): Promise<bigint> {
    const { to, data, value } = form
    const call = { from, to, data, value: quantity(value) }
    const { rpc } = this.#deps
    const [outcome] = await rpc.gather([{ method: 'eth_estimateGas', params: [call] }])
    if (outcome?.ok) return BigInt(String(outcome.result))
    if (outcome === undefined || isInsufficientFunds(outcome.error) || !isRevert(outcome.error)) return form.gas
    const { amounts } = await readBalances([{ address: from, currency: money.currency }], rpc)
    if ((amounts[0] ?? 0n) < money.amount) return form.gas
    throw new ServiceError('DESTINATION_TX_FAILED', `The send would fail: ${revertReason(outcome.error).text}`, {
      data: { failedCallData: { from, to, data, value: value.toString() } },
    })
  }
}
