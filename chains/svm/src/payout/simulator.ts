import { ServiceError } from '@causeway/core'
import type { Payout, Simulation } from '@causeway/core/chain'
import { type JsonRpcClient, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { type MessageV0, PublicKey } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { USED_REQUEST_BYTES } from '../deposit/program/executeTransfer.js'
import type { SweepForms } from '../depositAddress/sweep/sweepForm.js'
import { noSweeps, simulateSweep } from '../depositAddress/sweep/sweepSimulator.js'
import { compileMessage } from '../lane/laneTransaction.js'
import type { SvmSettings } from '../options.js'
import { accountsCalls } from '../read/token/accountReader.js'
import { readTokenAccount } from '../read/token/tokenAccounts.js'
import type { HeadSource } from '../rpc/head/headSource.js'
import { type RpcSimulation, simulateCall } from '../rpc/simulateMessage.js'
import type { RpcAccount, RpcContext } from '../rpc/wire.js'
import { budgetInstructions, MAX_UNITS } from './budget.js'
import {
  NOT_SIMULATED,
  SHORT,
  SHORT_OF_FEES,
  SOLVER_SHORT,
  SOLVER_SHORT_OF_FEES,
  TRANSIENT,
} from './failure/failureKinds.js'
import { readTransactionError, type TransactionFailure } from './failure/transactionError.js'
import type { FeeSource } from './fees/feeSource.js'
import { excessBytes } from './payoutBytes.js'
import type { PayoutForm } from './payoutForm.js'
import type { PayoutForms } from './payoutForms.js'
import { recipientProblem } from './recipientRules.js'
import type { SwapPayments } from './swapPayments.js'

type Failure = Extract<Simulation, { ok: false }>

export interface SimulatorDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly fees: FeeSource
  readonly forms: PayoutForms
  /** Null where the chain has no swap sources. */
  readonly swaps: SwapPayments | null
  /** Null where the configuration has no deposit addresses. */
  readonly sweeps: SweepForms | null
  readonly settings: Pick<SvmSettings, 'depository' | 'depositoryProgram'>
}

/** Accounts a payout touches, as they are before it. */
interface Accounts {
  readonly payer: RpcAccount | null
  readonly recipient: RpcAccount | null
  readonly source: RpcAccount | null
  readonly destination: RpcAccount | null
}

/** A number no lane reaches, so that the memo has its greatest length. */
const SOME_SEQUENCE = 9_999_999_999
const SOME_BLOCKHASH = NATIVE

/** Runs payouts as the solver would send them, the recipient's token account created along. One request in the usual case. */
export class Simulator {
  readonly #deps: SimulatorDeps

  constructor(deps: SimulatorDeps) {
    this.#deps = deps
  }

  async simulate(payout: Payout): Promise<Simulation> {
    try {
      const [head, outcome] = await Promise.all([this.#deps.heads.tip(), this.#run(payout)])
      return { ...outcome, block: head.height }
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      if (error.code === 'UNSUPPORTED_CURRENCY') return { ok: false, kind: 'revert', message: error.message }
      return { ok: false, kind: 'transient', message: error.message }
    }
  }

  async #run(payout: Payout): Promise<Omit<Extract<Simulation, { ok: true }>, 'block'> | Failure> {
    if (payout.swap !== undefined) return this.#swap(payout)
    if (payout.purpose === 'sweep') return this.#sweep(payout)
    const form = await this.#deps.forms.build(payout, SOME_SEQUENCE, true)
    const instructions = [...budgetInstructions(MAX_UNITS, 0n), ...form.instructions]
    const fail = failureOf(payout, form)
    const excess = excessBytes(instructions, payout.from)
    if (excess > 0) return fail('too-large', `The payment is ${excess} bytes too large for one transaction.`)
    const message = compileMessage(instructions, payout.from, SOME_BLOCKHASH)
    const addresses = [payout.from, payout.to.address, form.source, form.destination]
    const [run, ...read] = await this.#deps.rpc.gather([simulateCall(message), ...accountsCalls(addresses)])
    const accounts = accountsOf(read)
    const problem = this.#problem(payout, form, accounts)
    if (problem !== null) return fail('recipient-cannot-receive', problem)
    const leastAmount = await this.#leastAmount(payout, form, accounts)
    if (payout.money.amount < leastAmount) return tooLittle(fail, leastAmount)
    if (run?.ok !== true) return fail('transient', NOT_SIMULATED)
    const { value } = run.result as RpcContext<RpcSimulation>
    if (value.err !== null) return this.#refused(payout, form, accounts, message, value, fail)
    const accountCreation = await this.#creation(payout, form, accounts)
    const gas = BigInt(value.unitsConsumed ?? Number(MAX_UNITS))
    return { ok: true, gas, leastAmount, ...(accountCreation === 0n ? {} : { accountCreation }) }
  }

  async #swap(payout: Payout): Promise<Omit<Extract<Simulation, { ok: true }>, 'block'> | Failure> {
    const { swaps } = this.#deps
    if (swaps === null) return { ok: false, kind: 'revert', message: 'This chain has no swaps.' }
    return (await swaps.attempt(payout, SOME_SEQUENCE)).outcome
  }

  #sweep(payout: Payout): Promise<Omit<Extract<Simulation, { ok: true }>, 'block'> | Failure> {
    const { sweeps } = this.#deps
    if (sweeps === null) throw noSweeps()
    return simulateSweep(payout, { ...this.#deps, forms: sweeps })
  }

  /** What is wrong with the recipient, whatever the simulation says. */
  #problem(payout: Payout, form: PayoutForm, accounts: Accounts): string | null {
    const to = payout.to.address
    const token = form.mint === null ? null : { address: form.destination, account: accounts.destination }
    return recipientProblem({ to, account: accounts.recipient, mint: form.mint, token })
  }

  /** From where on the amount makes no difference: an account must keep its rent, tokens may be few. */
  async #leastAmount(payout: Payout, form: PayoutForm, accounts: Accounts): Promise<bigint> {
    if (form.mint !== null || payout.to.address === payout.from) return 0n
    return missingRent(payout, accounts, await this.#deps.fees.rent(bytesOf(accounts.recipient)))
  }

  #refused(
    payout: Payout,
    form: PayoutForm,
    accounts: Accounts,
    message: MessageV0,
    { err, logs }: RpcSimulation,
    fail: Fail,
  ): Failure {
    const programs = message.compiledInstructions.map(
      ({ programIdIndex }) => message.staticAccountKeys[programIdIndex]?.toBase58() ?? '',
    )
    const depository = this.#deps.settings.depositoryProgram
    const failure = readTransactionError(err, { programs, logs, depository })
    if (TRANSIENT.has(failure.name)) return fail('transient', NOT_SIMULATED)
    // Nodes name it differently when the payer has no account at all.
    if (SHORT_OF_FEES.has(failure.name) || accounts.payer === null)
      return fail('insufficient-funds', SOLVER_SHORT_OF_FEES, failure)
    if (failure.name === 'InsufficientFundsForRent') return this.#belowRent(payout, message, failure, fail)
    if (form.mint !== null && readTokenAccount(accounts.source) === null) {
      return fail('insufficient-funds', SOLVER_SHORT, failure)
    }
    if (SHORT.has(failure.name)) {
      const paysTransfer = failure.instruction === message.compiledInstructions.length - 1
      return fail('insufficient-funds', paysTransfer ? SOLVER_SHORT : SOLVER_SHORT_OF_FEES, failure)
    }
    return fail('revert', `The transaction would fail: ${failure.text}`, failure)
  }

  #belowRent(payout: Payout, message: MessageV0, failure: TransactionFailure, fail: Fail): Failure {
    const account = failure.account === null ? undefined : message.staticAccountKeys[failure.account]
    if (account?.equals(new PublicKey(payout.to.address)) && payout.to.address !== payout.from) {
      return fail(
        'recipient-cannot-receive',
        'The payment is too small: the account would hold less than its rent.',
        failure,
      )
    }
    return fail('insufficient-funds', SOLVER_SHORT, failure)
  }

  /** Rent that the payer leaves in accounts which are not there yet. */
  async #creation({ purpose }: Payout, form: PayoutForm, accounts: Accounts): Promise<bigint> {
    const { fees, settings } = this.#deps
    let rent = 0n
    if (form.mint !== null && readTokenAccount(accounts.destination) === null) {
      const held = BigInt(accounts.destination?.lamports ?? 0)
      const needed = await fees.rent(form.mint.tokenAccountBytes)
      rent += needed > held ? needed - held : 0n
    }
    if (purpose === 'withdraw' && settings.depositoryProgram !== null) rent += await fees.rent(USED_REQUEST_BYTES)
    return rent
  }
}

type Fail = (kind: Failure['kind'], message: string, failure?: TransactionFailure) => Failure

const failureOf =
  (payout: Payout, form: PayoutForm): Fail =>
  (kind, message, failure) => {
    const value = form.mint === null ? payout.money.amount.toString() : '0'
    const call = { from: payout.from, to: payout.to.address, data: `0x${form.transfer.data.toString('hex')}`, value }
    return { ok: false, kind, message, call, ...(failure === undefined ? {} : { data: failure.data }) }
  }

const accountsOf = (outcomes: readonly RpcOutcome[]): Accounts => {
  const all = outcomes.flatMap(
    (outcome) => resultOf<RpcContext<readonly (RpcAccount | null)[]>>(outcome, 'getMultipleAccounts').value,
  )
  const [payer = null, recipient = null, source = null, destination = null] = all
  return { payer, recipient, source, destination }
}

const bytesOf = (account: RpcAccount | null): number =>
  account === null ? 0 : (account.space ?? Buffer.from(account.data[0], 'base64').length)

/** What the recipient's account lacks of its rent beside what comes with the payment. */
const missingRent = ({ topup = 0n }: Payout, { recipient }: Accounts, least: bigint): bigint => {
  const missing = least - BigInt(recipient?.lamports ?? 0) - topup
  return missing > 0n ? missing : 0n
}

const tooLittle = (fail: Fail, leastAmount: bigint): Failure => {
  const least = `at least ${leastAmount} lamports (${inSol(leastAmount)} SOL)`
  const message = `The payment is too small: the recipient's account needs ${least} to keep its rent.`
  return { ...fail('recipient-cannot-receive', message), leastAmount }
}

const inSol = (lamports: bigint): string =>
  `${lamports / 1_000_000_000n}.${(lamports % 1_000_000_000n).toString().padStart(9, '0')}`.replace(/\.?0+$/, '')
