import type { Json } from '@causeway/core'
import { larger, RecentMap, smaller } from '@causeway/core'
import type {
  AttemptState,
  BroadcastResult,
  ChainConfig,
  LaneAdapter,
  LanePlace,
  LaneReading,
  Payout,
  PayoutVerdict,
  PreparedAttempt,
  SignedAttempt,
  Signer,
  WithdrawAuthorization,
} from '@causeway/core/chain'
import { signChecked } from '@causeway/core/chain'
import type { EndpointMonitor } from '@causeway/core/chain-kit'
import { askProviders, broadcastBatch, type JsonRpcClient, requestGuard } from '@causeway/core/chain-kit'
import { bytesToHex, hexToBytes } from 'viem/utils'
import type { Contracts } from '../address/addresses.js'
import type { EvmSettings } from '../options.js'
import { delegationsOf } from '../payout/delegations.js'
import type { FeeLevel, FeeSource } from '../payout/fees/feeSource.js'
import { gasWithin, transactionBytes, typicalGas } from '../payout/fees/gasTable.js'
import { buildPayout } from '../payout/payoutForm.js'
import type { Simulator } from '../payout/simulator.js'
import { termsOf, type WithdrawalTerms, withdrawalDigest, withdrawalStructHash } from '../payout/withdrawal.js'
import { originGuards } from '../permit/originCall.js'
import { allowanceCall, firstWord } from '../read/balances.js'
import type { HeadSource } from '../rpc/headSource.js'
import { quantity, type RpcTransaction } from '../rpc/wire.js'
import { SWAP_ROUTER } from '../setup/contractAddresses.js'
import { readStates } from './attemptStates.js'
import { classifyBroadcastError } from './broadcastErrors.js'
import { judge } from './finality.js'
import { nonceOf, readLane } from './laneReader.js'
import {
  addressOfSigner,
  decodeTransaction,
  type LaneTransaction,
  nonceGuard,
  preparedOf,
  readNonceGuard,
  signTransaction,
} from './laneTransaction.js'
import { RefusedLimits, withMargin } from './refusedLimits.js'
import { signedAbove } from './signedAbove.js'

export interface EvmLaneDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly fees: FeeSource
  readonly simulator: Simulator
  readonly contracts: Contracts
  readonly settings: EvmSettings
  readonly confirmations: ChainConfig['confirmations']
  /** Configured tokens, without the native currency. */
  readonly tokens: readonly string[]
  readonly monitor: EndpointMonitor
}

/** What a pending transaction offers; the gas price of one without a fee market stands for both. */
const feesOf = ({ gasPrice = '0x0', maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice }: RpcTransaction) => ({
  maxFeePerGas: BigInt(maxFeePerGas),
  maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
})

const SENT_MAX = 10_000
const TRANSFER_GAS = 21_000n

/** Payouts of one account, in nonce order. The position is `{ nonce }`, the next one to use. */
export class EvmLane implements LaneAdapter {
  readonly #deps: EvmLaneDeps
  readonly #refused: RefusedLimits
  readonly #sent = new RecentMap<string, NonNullable<AttemptState['txData']>>(SENT_MAX)

  constructor(deps: EvmLaneDeps) {
    this.#deps = deps
    this.#refused = new RefusedLimits({ fees: deps.fees, most: deps.settings.callsGasLimit })
  }

  addressOf(signer: Signer): string {
    return addressOfSigner(signer)
  }

  read(address: string, stored: LanePlace | null): Promise<LaneReading> {
    return readLane(address.toLowerCase(), stored, this.#deps)
  }

  /** More than the allowances that `causeway contracts deploy` has the key give: their number is what providers agree on at least. */
  async hasSent(address: string): Promise<boolean> {
    const sent = nonceOf((await this.read(address, null)).position)
    if (sent === 0) return false
    const { rpc, settings, tokens } = this.#deps
    const routers = [settings.fillRouter, settings.swap?.router ?? SWAP_ROUTER.address].filter((each) => each !== null)
    const calls = tokens.flatMap((token) => routers.map((router) => allowanceCall(address, token, router)))
    if (calls.length === 0) return true
    const given = await askProviders(rpc, async (endpoint) =>
      (await endpoint.batch(calls)).filter((answer) => answer.ok && firstWord(String(answer.result)) > 0n),
    )
    return sent > Math.min(...given.map(({ length }) => length))
  }

  beginning(): Json {
    return { nonce: 0 }
  }

  /** From the lowest nonce of the guards on, in whichever block it is. */
  readAgain(address: string, stored: LanePlace, guards: readonly string[]): Promise<LaneReading> {
    const nonces = guards.flatMap((guard) => readNonceGuard(guard)?.nonce ?? []).map(Number)
    const nonce = Math.min(nonceOf(stored.position), ...nonces)
    return readLane(address.toLowerCase(), stored, this.#deps, { nonce, height: 0n })
  }

  async prepare(payouts: readonly { readonly payout: Payout; readonly gas: bigint | null }[], position: Json) {
    const fees = await this.#deps.fees.current()
    let nonce = nonceOf(position)
    const prepared: (PreparedAttempt | null)[] = []
    for (const { payout, gas } of payouts) {
      const left = await this.#feeLeft(payout, gas)
      const limit = left === null ? gasWithin(payout, gas, fees.expected) : limitWithin(payout, left, gas, fees)
      const offer = limit === null ? null : offerWithin(payout, limit, left, fees)
      prepared.push(offer === null ? null : await this.#prepareOne(payout, offer, nonce))
      if (offer !== null) nonce += 1
    }
    return { prepared, position: { nonce } }
  }

  async sign(prepared: PreparedAttempt, signer: Signer): Promise<SignedAttempt> {
    const transaction = decodeTransaction(prepared.transaction)
    const { txId, raw } = await signTransaction(transaction, signer)
    this.#rememberSent(txId, transaction)
    return { ...prepared, txId, raw, ...signedAbove(this.#deps.heads.latest) }
  }

  async broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    const sent = attempts.map(({ transaction, raw }, at) => ({ at, raw, transaction: decodeTransaction(transaction) }))
    sent.sort((left, right) => left.transaction.nonce - right.transaction.nonce)
    const calls = sent.map(({ raw }) => ({ method: 'eth_sendRawTransaction', params: [raw] }))
    const answers = await broadcastBatch(this.#deps.rpc, calls, classifyBroadcastError)
    const results = new Array<BroadcastResult>(attempts.length)
    for (const [place, { at, transaction }] of sent.entries()) {
      const result: BroadcastResult = answers[place] ?? { outcome: 'unknown', message: 'No answer' }
      if (result.outcome !== 'known') this.#refused.note(transaction, result.message)
      results[at] = result
    }
    return results
  }

  states(attempts: readonly { readonly txId: string; readonly payout: Payout }[]): Promise<readonly AttemptState[]> {
    return readStates(attempts, { ...this.#deps, sent: this.#sent })
  }

  async replace(attempt: PreparedAttempt): Promise<PreparedAttempt | null> {
    const transaction = decodeTransaction(attempt.transaction)
    const fees = this.#bumped(transaction, await this.#deps.fees.current())
    const cap = this.#deps.settings.maxFeePerGasCap
    // Above the operator's cap, or its own, there is no replacement: the first version stays in the pool.
    if (cap !== null && fees.maxFeePerGas > cap) return null
    const { from, gas: before, feeLimit } = transaction
    const least = this.#refused.gasOf(transaction)
    const gas = attempt.kind === 'pay' ? least : larger(least, await this.#cancelGas(from, before))
    if (feeLimit !== undefined && gas * fees.maxFeePerGas > feeLimit) return null
    return preparedOf({ ...transaction, ...fees, gas }, attempt.kind, attempt.guards)
  }

  async cancel(attempt: PreparedAttempt): Promise<PreparedAttempt | null> {
    const transaction = decodeTransaction(attempt.transaction)
    const fees = this.#bumped(transaction, await this.#deps.fees.current())
    const gas = await this.#cancelGas(transaction.from, transaction.gas)
    const nothing = { to: transaction.from, data: '0x', value: 0n, gas } as const
    const { delegations: _, feeLimit: __, ...rest } = transaction
    const type = rest.type === 'legacy' ? 'legacy' : 'eip1559'
    return preparedOf({ ...rest, ...fees, ...nothing, type }, 'cancel', attempt.guards)
  }

  async cancelFound(found: {
    readonly txId: string
    readonly guards: readonly string[]
  }): Promise<PreparedAttempt | null> {
    const held = found.guards.map(readNonceGuard).find((guard) => guard !== null)
    if (held === undefined) return null
    const { contracts, settings, rpc, fees } = this.#deps
    const [known, current] = await Promise.all([
      rpc.call<RpcTransaction | null>('eth_getTransactionByHash', [found.txId]),
      fees.current(),
    ])
    const { maxFeePerGas, maxPriorityFeePerGas } = known === null ? current : this.#bumped(feesOf(known), current)
    const transaction: LaneTransaction = {
      type: settings.feeMode,
      chainId: contracts.chainId,
      from: held.address,
      nonce: Number(held.nonce),
      to: held.address,
      data: '0x',
      value: 0n,
      gas: await this.#cancelGas(held.address, BigInt(known?.gas ?? settings.recipientGasLimit)),
      maxFeePerGas,
      maxPriorityFeePerGas,
    }
    return preparedOf(transaction, 'cancel', found.guards)
  }

  payoutVerdict(
    guards: readonly string[],
    txIds: readonly string[],
    options: Parameters<typeof judge>[2] = { agreeing: 1 },
  ): Promise<PayoutVerdict> {
    return judge(guards, txIds, options, { ...this.#deps, pool: this.#deps.rpc })
  }

  /** Signature checked against the allocator's own address before anybody relies on it. */
  async authorizeWithdrawal(request: WithdrawalTerms, allocator: Signer): Promise<WithdrawAuthorization> {
    const digest = withdrawalDigest(request, this.#deps.contracts)
    const signature = bytesToHex(await signChecked(allocator, hexToBytes(digest)))
    return { nonce: request.nonce, expiration: request.expiration, signature }
  }

  /**
   * Gas of an account's transfer of nothing to itself: more than 21,000 where the chain counts its data (Arbitrum, zkSync, Mantle).
   * `otherwise`, that of what it replaces, where no node estimates it.
   */
  async #cancelGas(account: string, otherwise: bigint): Promise<bigint> {
    const call = { from: account, to: account, data: '0x', value: quantity(0n) }
    try {
      const estimate = BigInt(await this.#deps.rpc.call<string>('eth_estimateGas', [call]))
      return this.#refused.bounded(larger(withMargin(estimate), TRANSFER_GAS))
    } catch {
      return larger(otherwise, TRANSFER_GAS)
    }
  }

  /** Most that the gas of a payout may cost: its `feeLimit` without the fees of a rollup. Null: there is no limit. */
  async #feeLeft(payout: Payout, gas: bigint | null): Promise<bigint | null> {
    const { feeLimit } = payout
    if (feeLimit === undefined) return null
    return feeLimit - (await this.#deps.fees.rollupFee(transactionBytes(payout), gas ?? typicalGas(payout)))
  }

  async #prepareOne(payout: Payout, offer: Offer, nonce: number): Promise<PreparedAttempt> {
    const { contracts, settings, simulator } = this.#deps
    const form = buildPayout(payout, contracts, await simulator.nativeRoute(payout))
    const delegations = delegationsOf(payout)
    const from = payout.from.toLowerCase()
    const guards = [nonceGuard(from, nonce), ...originGuards(payout)]
    if (payout.purpose === 'withdraw') {
      const terms = termsOf(payout)
      guards.push(requestGuard(withdrawalStructHash(terms), terms.expiration))
    }
    const transaction: LaneTransaction = {
      type: delegations.length === 0 ? settings.feeMode : 'eip7702',
      chainId: contracts.chainId,
      from,
      nonce,
      ...form,
      ...offer,
      ...(delegations.length === 0 ? {} : { delegations }),
    }
    return preparedOf(transaction, 'pay', guards)
  }

  /** Both fees at least `minGasBumpPercent` above the old ones, and at least the current level. */
  #bumped(old: Pick<LaneTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>, now: FeeLevel) {
    const percent = 100n + this.#deps.settings.minGasBumpPercent
    const raise = (fee: bigint, current: bigint) => {
      const bumped = (fee * percent + 99n) / 100n
      const least = bumped > fee ? bumped : fee + 1n
      return current > least ? current : least
    }
    const maxPriorityFeePerGas = raise(old.maxPriorityFeePerGas, now.maxPriorityFeePerGas)
    const maxFeePerGas = raise(old.maxFeePerGas, now.maxFeePerGas)
    return {
      maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, maxFeePerGas),
      maxFeePerGas,
    }
  }

  #rememberSent(txId: string, tx: LaneTransaction): void {
    this.#sent.set(txId, { from: tx.from, to: tx.to, data: tx.data, value: tx.value.toString() })
  }
}

/** Gas and prices of a transaction. */
type Offer = Pick<LaneTransaction, 'gas' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'feeLimit'>

const limitWithin = (payout: Payout, feeLimit: bigint, gas: bigint | null, { expected }: FeeLevel): bigint | null =>
  feeLimit <= 0n ? null : gasWithin({ ...payout, feeLimit }, gas, expected)

/**
 * The prices of now. A transaction for a user runs code that its estimate may not show, so all its gas at its highest price stays within its limit
 * (faults.md F145).
 */
const offerWithin = (payout: Payout, gas: bigint, feeLimit: bigint | null, fees: FeeLevel): Offer => {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  if (payout.purpose !== 'origin' || feeLimit === null) return { gas, maxFeePerGas, maxPriorityFeePerGas }
  const most = smaller(maxFeePerGas, feeLimit / gas)
  return { gas, maxFeePerGas: most, maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, most), feeLimit }
}
