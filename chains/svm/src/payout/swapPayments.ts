import type { Payout, Simulation } from '@causeway/core/chain'
import type { JsonRpcClient } from '@causeway/core/chain-kit'
import { NATIVE } from '../address/addresses.js'
import { compileMessage } from '../lane/laneTransaction.js'
import { ACCOUNT_SIZE } from '../read/token/program/tokenLayouts.js'
import { readTokenAccount } from '../read/token/tokenAccounts.js'
import { type SimulatedMessage, simulateMessage } from '../rpc/simulateMessage.js'
import { ownerHarm } from '../swap/ownerHarm.js'
import { budgetInstructions, MAX_UNITS } from './budget.js'
import { NOT_SIMULATED, SHORT_OF_FEES, SOLVER_SHORT, SOLVER_SHORT_OF_FEES, TRANSIENT } from './failure/failureKinds.js'
import { readTransactionError, type TransactionFailure } from './failure/transactionError.js'
import type { FeeSource } from './fees/feeSource.js'
import { SIGNATURE_LAMPORTS } from './fees/networkFees.js'
import { excessBytes } from './payoutBytes.js'
import { signaturesOf } from './payoutFees.js'
import { recipientProblem } from './recipientRules.js'
import type { SwapForm, SwapForms } from './swapForm.js'

type Failure = Extract<Simulation, { ok: false }>
type Outcome = Omit<Extract<Simulation, { ok: true }>, 'block'> | Failure

/** A payment through a swap and what became of it when it was tried. */
export interface SwapAttempt {
  readonly form: SwapForm
  readonly outcome: Outcome
}

export interface SwapPaymentsDeps {
  readonly rpc: JsonRpcClient
  readonly forms: SwapForms
  readonly fees: FeeSource
}

const SOME_BLOCKHASH = NATIVE
/** The two instructions about computation come first. */
const BUDGET = 2

/**
 * Payments through swaps, tried on the node before they are signed: the recipient must get the least that was promised, and
 * the solver must lose no more than the payment, fee and rent, and no power over its accounts.
 */
export class SwapPayments {
  readonly #deps: SwapPaymentsDeps

  constructor(deps: SwapPaymentsDeps) {
    this.#deps = deps
  }

  /** @throws ServiceError when the swap cannot be built, or the node does not answer */
  async attempt(payout: Payout, sequence: number): Promise<SwapAttempt> {
    const form = await this.#deps.forms.build(payout, sequence)
    const instructions = [...budgetInstructions(MAX_UNITS, 0n), ...form.instructions]
    const excess = excessBytes(instructions, payout.from, form.tables)
    if (excess > 0) {
      const message = `The payment is ${excess} bytes too large for one transaction.`
      return { form, outcome: { ok: false, kind: 'too-large', message } }
    }
    const message = compileMessage(instructions, payout.from, SOME_BLOCKHASH, form.tables)
    const also = [payout.to.address, form.destination]
    const { rpc, fees } = this.#deps
    const [tried, rent] = await Promise.all([
      simulateMessage(message, { tables: form.tables, also: [...new Set(also)] }, rpc),
      fees.rent(form.output?.tokenAccountBytes ?? ACCOUNT_SIZE),
    ])
    return { form, outcome: judge(payout, form, tried, rent) }
  }
}

const judge = (payout: Payout, form: SwapForm, { simulation, changes }: SimulatedMessage, rent: bigint): Outcome => {
  const { from, to, money, topup = 0n } = payout
  const at = (address: string) => changes.find((change) => change.address === address)
  const token =
    form.output === null ? null : { address: form.destination, account: at(form.destination)?.before ?? null }
  const problem = recipientProblem({
    to: to.address,
    account: at(to.address)?.before ?? null,
    mint: form.output,
    token,
  })
  if (problem !== null) return fail('recipient-cannot-receive', problem)
  if (simulation.err !== null) {
    const failure = readTransactionError(simulation.err, { programs: [], logs: simulation.logs, depository: null })
    return failed(failure, form, at(from)?.before === null)
  }
  // What the recipient's account costs is told; an account for lamports goes to the recipient with its rent.
  const isNew = form.output === null || readTokenAccount(token?.account ?? null) === null
  const accountCreation = isNew ? rent : 0n
  const costs = SIGNATURE_LAMPORTS * signaturesOf(payout) + accountCreation + topup
  const harm = ownerHarm({ owner: from, spends: money, costs }, changes)
  if (harm !== null) return fail('revert', `The swap of this payment cannot be used: ${harm}.`)
  const gained = gainedBy(form, at(form.destination)) - (form.output === null ? rent + topup : 0n)
  if (gained < (payout.swap?.minimumOut ?? 0n)) return fail('revert', 'The swap would give less than was promised.')
  const gas = BigInt(simulation.unitsConsumed ?? Number(MAX_UNITS))
  return { ok: true, gas, ...(accountCreation === 0n ? {} : { accountCreation }) }
}

const gainedBy = ({ output }: SwapForm, change: SimulatedMessage['changes'][number] | undefined): bigint => {
  const { before = null, after = null } = change ?? {}
  if (output === null) return BigInt(after?.lamports ?? 0) - BigInt(before?.lamports ?? 0)
  const held = (account: typeof before) => readTokenAccount(account)?.amount ?? 0n
  return held(after) - held(before)
}

const failed = (failure: TransactionFailure, { funding }: SwapForm, payerIsMissing: boolean): Failure => {
  const { name, instruction, text, data } = failure
  if (TRANSIENT.has(name)) return fail('transient', NOT_SIMULATED)
  if (SHORT_OF_FEES.has(name) || payerIsMissing) return fail('insufficient-funds', SOLVER_SHORT_OF_FEES)
  if (instruction !== null && instruction < BUDGET + funding) return fail('insufficient-funds', SOLVER_SHORT)
  return { ...fail('revert', `The transaction would fail: ${text}`), data }
}

const fail = (kind: Failure['kind'], message: string): Failure => ({ ok: false, kind, message })
