import type { Hex } from '@causeway/core'
import { RecentMap, ServiceError } from '@causeway/core'
import type { Payout, Simulation } from '@causeway/core/chain'
import type { JsonRpcClient, JsonRpcError, RpcCall } from '@causeway/core/chain-kit'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { runSweep } from '../depositAddress/runSweep.js'
import type { EvmSettings } from '../options.js'
import { runOrigin } from '../permit/runOrigin.js'
import { firstWord } from '../read/balances.js'
import type { HeadSource } from '../rpc/headSource.js'
import { isInsufficientFunds, isRevert } from '../rpc/rpcErrors.js'
import { quantity } from '../rpc/wire.js'
import { arrivalCall, shortfall } from './arrivalProbe.js'
import { encodeBalanceOf, encodeTransfer } from './contracts/staticCall.js'
import { estimateCall, withinLimit } from './fees/gasEstimate.js'
import { gasLimit } from './fees/gasTable.js'
import { buildPayout, isPlain, type NativeRoute, type PayoutForm } from './payoutForm.js'
import { type RevertReason, revertReason } from './revertReason.js'
import { errorOf, failureOf, isAnswer, NOT_SIMULATED, type Run, SOLVER_SHORT } from './simulationFailure.js'
import { runWhole } from './wholePayment.js'

/** Somebody nobody blocks: shows whether a refusal is about the recipient. */
const NEUTRAL_RECIPIENT = '0x000000000000000000000000000000000c0ffee1'
const REMEMBERED_MS = 10 * 60_000
const REMEMBERED_MAX = 10_000
const PLENTY = quantity(10n ** 30n)

export interface SimulatorDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly contracts: Contracts
  readonly settings: EvmSettings
}

/** A native recipient as it was seen. */
interface Recipient {
  readonly route: NativeRoute
  /** It has no code. */
  readonly isPerson: boolean
  readonly at: number
}

/** Runs payouts as the solver would send them. One request in the usual case. */
export class Simulator {
  readonly #deps: SimulatorDeps
  /** Native recipients, the form that reaches them, and whether they have code. */
  readonly #routes = new RecentMap<string, Recipient>(REMEMBERED_MAX)
  /** Token and recipient pairs whose transfer was seen not to answer false. */
  readonly #honest = new RecentMap<string, number>(REMEMBERED_MAX)
  /** Tokens of whose transfers all was seen to arrive (F123). */
  readonly #whole = new RecentMap<string, number>(REMEMBERED_MAX)
  /** Most gas that a transfer of a token was seen to take. */
  readonly #tokenGas = new RecentMap<string, bigint>(REMEMBERED_MAX)
  /** First simulations of tokens that run now; others of the token wait for what they teach. */
  readonly #learning = new Map<string, Promise<unknown>>()
  /** Tokens by whether an impossible transfer reverts; those that answer false instead are asked each time. */
  readonly #revertsOnFailure = new RecentMap<string, boolean>(REMEMBERED_MAX)

  constructor(deps: SimulatorDeps) {
    this.#deps = deps
  }

  async simulate(payout: Payout, gas: 'exact' | 'bound' = 'exact'): Promise<Simulation> {
    try {
      const height = (await this.#deps.heads.tip()).height
      const outcome = await (gas === 'bound' ? this.#runBound(payout) : this.#run(payout))
      return { ...outcome, block: height }
    } catch (error) {
      if (ServiceError.is(error)) return { ok: false, kind: 'transient', message: error.message }
      throw error
    }
  }

  /** Form for a native payout to this recipient; asks the chain only when no simulation was run lately. */
  async nativeRoute(payout: Payout): Promise<NativeRoute> {
    if (payout.money.currency !== ZERO_ADDRESS || !isPlain(payout)) return 'direct'
    const known = this.#recipient(payout)
    if (known !== undefined) return known.route
    await this.simulate(payout)
    return this.#routes.get(payout.to.address)?.route ?? 'direct'
  }

  async #run(payout: Payout): Promise<Run> {
    if (payout.purpose === 'sweep') return runSweep(payout, this.#deps)
    if (payout.purpose === 'origin') return runOrigin(payout, this.#deps)
    if (!isPlain(payout)) return runWhole(payout, this.#deps)
    return payout.money.currency === ZERO_ADDRESS ? this.#runNative(payout) : this.#runToken(payout)
  }

  async #runNative(payout: Payout) {
    const form = buildPayout(payout, this.#deps.contracts, 'direct')
    const known = this.#recipient(payout)
    const calls = [this.#estimate(payout, form)]
    if (known === undefined) calls.push({ method: 'eth_getCode', params: [payout.to.address, 'latest'] })
    const [outcome, code] = await this.#deps.rpc.gather(calls)
    if (outcome?.ok) {
      const result = this.#withinLimit(payout, form, BigInt(String(outcome.result)))
      const isPerson = known?.isPerson ?? (code?.ok === true && String(code.result) === '0x')
      if (result.ok && known?.route !== 'direct') this.#remember(payout.to.address, { route: 'direct', isPerson })
      // Nothing runs that could look at the amount.
      return result.ok && isPerson ? { ...result, leastAmount: 0n } : result
    }
    const error = errorOf(outcome)
    if (isInsufficientFunds(error)) return this.#withBorrowedBalance(payout, form)
    if (!isAnswer(error)) return failureOf(payout, form, 'transient', NOT_SIMULATED)
    return this.#throughRouter(payout, form, error)
  }

  /** A contract that refuses data may still take plain value: the router pays it without data. */
  async #throughRouter(payout: Payout, direct: PayoutForm, first: JsonRpcError) {
    const refused = (reason: RevertReason) =>
      failureOf(
        payout,
        direct,
        'recipient-cannot-receive',
        `The recipient cannot receive the native currency: ${reason.text}`,
        reason,
      )
    if (this.#deps.contracts.fillRouter === null) return refused(revertReason(first))
    const form = buildPayout(payout, this.#deps.contracts, 'router')
    const [outcome] = await this.#deps.rpc.gather([this.#estimate(payout, form)])
    if (!outcome?.ok) {
      const error = errorOf(outcome)
      if (isInsufficientFunds(error)) return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
      return isAnswer(error) ? refused(revertReason(error)) : failureOf(payout, form, 'transient', NOT_SIMULATED)
    }
    this.#remember(payout.to.address, { route: 'router', isPerson: false })
    return this.#withinLimit(payout, form, BigInt(String(outcome.result)))
  }

  /** The solver is short, but would the recipient take it? That answer matters more to the user. */
  async #withBorrowedBalance(payout: Payout, form: PayoutForm) {
    const call = { from: payout.from, to: form.to, data: form.data, value: quantity(form.value) }
    const override = { [payout.from]: { balance: PLENTY } }
    const [outcome] = await this.#deps.rpc.gather([{ method: 'eth_call', params: [call, 'latest', override] }])
    const error = outcome === undefined || outcome.ok ? null : outcome.error
    if (error === null || !isRevert(error) || isInsufficientFunds(error)) {
      return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
    }
    const reason = revertReason(error)
    const message = `The recipient cannot receive the native currency: ${reason.text}`
    return failureOf(payout, form, 'recipient-cannot-receive', message, reason)
  }

  /** One call that shows both the token's answer and that the gas known of it is enough; the whole simulation else. */
  async #runBound(payout: Payout) {
    const { currency } = payout.money
    const learning = this.#learning.get(currency)
    // Awaited only where there is one: whoever comes first must begin before the next looks.
    if (learning !== undefined) await learning.catch(() => undefined)
    const gas = this.#tokenGas.get(currency)
    if (gas === undefined || !isPlain(payout) || this.#revertsOnFailure.get(currency) !== true) return this.#run(payout)
    const { to, data } = buildPayout(payout, this.#deps.contracts)
    const call = { from: payout.from, to, data, gas: quantity(gasLimit(payout, gas)) }
    const [answer] = await this.#deps.rpc.gather([{ method: 'eth_call', params: [call, 'latest'] }])
    const result = answer?.ok ? String(answer.result) : null
    return result === '0x' || (result !== null && saysTrue(result)) ? { ok: true as const, gas } : this.#run(payout)
  }

  async #runToken(payout: Payout) {
    const { currency } = payout.money
    const run = this.#askToken(payout)
    if (this.#tokenGas.has(currency) || this.#learning.has(currency)) return run
    this.#learning.set(currency, run)
    return run.finally(() => this.#learning.delete(currency))
  }

  /** A token may answer false instead of reverting, or be no contract at all (F64). */
  async #askToken(payout: Payout) {
    const form = buildPayout(payout, this.#deps.contracts)
    const { currency } = payout.money
    const key = `${currency}:${payout.to.address}`
    const reverts = this.#revertsOnFailure.get(currency)
    const trusted =
      reverts === true && performance.now() - (this.#honest.get(key) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS
    const calls = [this.#estimate(payout, form)]
    if (!trusted) calls.push(transferCall(payout.from, form.to, form.data))
    if (reverts === undefined) calls.push(transferCall(payout.from, form.to, impossibleTransfer(payout)))
    const doubted = this.#isDoubted(payout)
    if (doubted) calls.push(arrivalCall(payout))
    const outcomes = await this.#deps.rpc.gather(calls)
    const arrival = doubted ? outcomes.at(-1) : undefined
    const [estimate, answer, probe] = doubted ? outcomes.slice(0, -1) : outcomes
    if (!estimate?.ok) return this.#tokenRefused(payout, form, errorOf(estimate))
    if (!trusted) {
      if (!answer?.ok) return this.#tokenRefused(payout, form, errorOf(answer))
      const result = String(answer.result)
      if (result === '0x' && !(await this.#hasCode(currency))) return failureOf(payout, form, 'revert', NO_TOKEN)
      if (result !== '0x' && !saysTrue(result)) return this.#tokenRefused(payout, form, SAID_FALSE)
      this.#honest.set(key, performance.now())
    }
    const short = shortfall(payout, arrival)
    if (short !== null) return failureOf(payout, form, 'revert', short)
    if (doubted) this.#whole.set(currency, Date.now())
    if (probe !== undefined) this.#revertsOnFailure.set(currency, !probe.ok && isRevert(probe.error))
    const within = this.#withinLimit(payout, form, BigInt(String(estimate.result)))
    if (within.ok && within.gas > (this.#tokenGas.get(currency) ?? 0n)) this.#tokenGas.set(currency, within.gas)
    // Of a listed token: what it does, and takes, for one amount it does for another.
    return within.ok ? { ...within, leastAmount: 0n } : within
  }

  /** Whether nobody looked lately if all of a transfer arrives. A refund goes back whatever the token takes of it. */
  #isDoubted({ purpose, from, to, money }: Payout): boolean {
    const lookedAt = this.#whole.get(money.currency) ?? 0
    return purpose === 'fill' && to.address !== from && Date.now() - lookedAt >= REMEMBERED_MS
  }

  async #hasCode(address: string): Promise<boolean> {
    return (await this.#deps.rpc.call<string>('eth_getCode', [address, 'latest'])) !== '0x'
  }

  async #tokenRefused(payout: Payout, form: PayoutForm, error: JsonRpcError) {
    if (!isAnswer(error) && !isInsufficientFunds(error)) return failureOf(payout, form, 'transient', NOT_SIMULATED)
    const { currency, amount } = payout.money
    const neutral = encodeTransfer(NEUTRAL_RECIPIENT, amount)
    const [toNeutral, balance] = await this.#deps.rpc.gather([
      transferCall(payout.from, currency, neutral),
      { method: 'eth_call', params: [{ to: currency, data: encodeBalanceOf(payout.from) }, 'latest'] },
    ])
    const short = balance?.ok && firstWord(String(balance.result)) < amount
    if (short || isInsufficientFunds(error)) return failureOf(payout, form, 'insufficient-funds', SOLVER_SHORT)
    const reason = error === SAID_FALSE ? { text: error.message, data: null } : revertReason(error)
    if (toNeutral?.ok && (String(toNeutral.result) === '0x' || saysTrue(String(toNeutral.result)))) {
      const message = `The recipient cannot receive this token: ${reason.text}`
      return failureOf(payout, form, 'recipient-cannot-receive', message, reason)
    }
    return failureOf(payout, form, 'revert', `The token refuses the transfer: ${reason.text}`, reason)
  }

  #withinLimit(payout: Payout, form: PayoutForm, gas: bigint) {
    return withinLimit(payout, form, gas, this.#deps.settings)
  }

  #estimate(payout: Payout, form: PayoutForm): RpcCall {
    return estimateCall(payout, form, this.#deps.settings)
  }

  /** What was seen of a native recipient lately. */
  #recipient({ to }: Payout): Recipient | undefined {
    const known = this.#routes.get(to.address)
    return known !== undefined && performance.now() - known.at < REMEMBERED_MS ? known : undefined
  }

  #remember(recipient: string, seen: Omit<Recipient, 'at'>): void {
    this.#routes.set(recipient, { ...seen, at: performance.now() })
  }
}

const SAID_FALSE: JsonRpcError = { code: 3, message: 'it answered false' }
const NO_TOKEN = 'The currency is no token: there is no contract at its address.'

/** More than anybody can hold. */
const impossibleTransfer = (payout: Payout): Hex => encodeTransfer(payout.to.address, 2n ** 256n - 1n)

const transferCall = (from: string, to: string, data: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ from, to, data }, 'latest'],
})

const saysTrue = (answer: string): boolean => /^0x0*1$/.test(answer.slice(0, 66))
