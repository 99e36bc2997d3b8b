import type { Json } from '@causeway/core'
import { bytesToHex, ServiceError } from '@causeway/core'
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
} from '@causeway/core/chain'
import type { EndpointMonitor } from '@causeway/core/chain-kit'
import { broadcastBatch, type JsonRpcClient, requestGuard } from '@causeway/core/chain-kit'
import { USED_REQUEST_BYTES } from '../deposit/program/executeTransfer.js'
import { prepareSweep } from '../depositAddress/sweep/sweepAttempt.js'
import type { SweepForms } from '../depositAddress/sweep/sweepForm.js'
import type { SvmSettings } from '../options.js'
import { budgetInstructions, isNative, unitLimit } from '../payout/budget.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import { priorityFee, SIGNATURE_LAMPORTS } from '../payout/fees/networkFees.js'
import { excessBytes } from '../payout/payoutBytes.js'
import { pricedAccounts, signaturesOf } from '../payout/payoutFees.js'
import type { PayoutForms } from '../payout/payoutForms.js'
import { type RequestForm, termsOf } from '../payout/requestForm.js'
import type { SwapPayments } from '../payout/swapPayments.js'
import type { AccountReader } from '../read/token/accountReader.js'
import { associatedTokenAddress, readTokenAccount } from '../read/token/tokenAccounts.js'
import type { HeadSource, RecentBlockhash } from '../rpc/head/headSource.js'
import { AttemptStates } from './attemptStates.js'
import { classifyBroadcastError } from './broadcastErrors.js'
import { judge } from './finality.js'
import { readLane } from './laneReader.js'
import {
  addressOfSigner,
  compileMessage,
  decodeTransaction,
  type LaneTransaction,
  preparedOf,
  refusalOf,
  signTransaction,
} from './laneTransaction.js'
import { BlockhashValidity } from './laneValidity.js'
import { readSequenceGuard, sequenceGuard, sequenceOf } from './sequenceGuard.js'
import { prepareSwap } from './swapAttempt.js'

export interface SvmLaneDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly fees: FeeSource
  readonly forms: PayoutForms
  /** Null where the chain has no swap sources. */
  readonly swaps: SwapPayments | null
  /** Null where the configuration has no deposit addresses. */
  readonly sweeps: SweepForms | null
  readonly accounts: AccountReader
  /** The allocator's requests in program form; null where it signs along. */
  readonly requests: RequestForm | null
  readonly settings: SvmSettings
  readonly confirmations: ChainConfig['confirmations']
  readonly monitor: Pick<EndpointMonitor, 'report'>
}

const LATE: BroadcastResult = { outcome: 'unknown', message: 'Its blockhash is out of date.' }

/** Whether a payment costs no more than its `feeLimit` (faults.md F124). */
const isWithin = ({ feeCap }: PreparedAttempt, payout: Payout | undefined): boolean =>
  payout?.feeLimit === undefined || feeCap <= payout.feeLimit

interface Item {
  readonly payout: Payout
  readonly gas: bigint | null
}

/**
 * Payouts of one account. The position is `{ sequence }`, the number the next transaction carries in its memo. There is no
 * replacement: the same bytes are sent until they land or their blockhash has expired at finality.
 */
export class SvmLane implements LaneAdapter {
  /** In memo form the depository's own key signs withdrawals beside the solver's. */
  readonly cosigns: boolean
  readonly validity: BlockhashValidity
  readonly authorizeWithdrawal?: NonNullable<LaneAdapter['authorizeWithdrawal']>
  readonly #deps: SvmLaneDeps
  readonly #states: AttemptStates

  constructor(deps: SvmLaneDeps) {
    const { requests } = deps
    this.#deps = deps
    this.#states = new AttemptStates(deps)
    this.cosigns = requests === null
    this.validity = new BlockhashValidity(deps.rpc, async () => (await deps.heads.tip()).blockHeight)
    if (requests !== null) this.authorizeWithdrawal = (request, allocator) => requests.authorize(request, allocator)
  }

  addressOf(signer: Signer): string {
    return addressOfSigner(signer)
  }

  read(address: string, stored: LanePlace | null): Promise<LaneReading> {
    const { rpc, heads, settings } = this.#deps
    const { depository, signaturePage } = settings
    return readLane(address, stored, { rpc, heads, depository, signaturePage })
  }

  /** Transactions with a number of a lane in their memo: an account without one has paid for no deployment. */
  async hasSent(address: string): Promise<boolean> {
    return sequenceOf((await this.read(address, null)).position) > 0
  }

  beginning(): Json {
    return { sequence: 0 }
  }

  async prepare(items: readonly Item[], position: Json) {
    const first = sequenceOf(position)
    const [recent, missing] = await Promise.all([this.#deps.heads.blockhash(), this.#missingAccounts(items)])
    const prepared = await Promise.all(
      items.map((item, at) => this.#prepareOne(item, first + at, recent, missing.get(item.payout) ?? null)),
    )
    return {
      prepared: prepared.map((attempt, at) => (isWithin(attempt, items[at]?.payout) ? attempt : null)),
      position: { sequence: first + items.length },
    }
  }

  async sign(prepared: PreparedAttempt, signer: Signer, allocator?: Signer, seed?: Uint8Array): Promise<SignedAttempt> {
    const refusal = refusalOf(prepared.transaction)
    if (refusal !== null) throw new ServiceError('SERVICE_UNAVAILABLE', refusal)
    const { txId, raw } = await signTransaction(decodeTransaction(prepared.transaction), { signer, allocator, seed })
    return { ...prepared, txId, raw }
  }

  async broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 }
    const calls = attempts.map(({ raw }) => ({
      method: 'sendTransaction',
      params: [Buffer.from(raw.slice(2), 'hex').toString('base64'), options],
    }))
    const answers = await broadcastBatch(this.#deps.rpc, calls, classifyBroadcastError)
    return attempts.map((attempt, at) => {
      const answer = answers[at] ?? { outcome: 'unknown', message: 'No answer' }
      // Without preflight a node answers so for any bytes, and drops those whose time has passed.
      return answer.outcome === 'known' && this.#isLate(attempt) ? LATE : answer
    })
  }

  states(attempts: readonly { readonly txId: string; readonly payout: Payout }[]): Promise<readonly AttemptState[]> {
    return this.#states.read(attempts)
  }

  async replace(): Promise<null> {
    return null
  }

  async cancel(): Promise<null> {
    return null
  }

  payoutVerdict(
    guards: readonly string[],
    txIds: readonly string[],
    { agreeing }: { readonly agreeing: number } = { agreeing: 1 },
  ): Promise<PayoutVerdict> {
    return judge(guards, txIds, agreeing, { ...this.#deps, pool: this.#deps.rpc })
  }

  /** A payment that no node shows is dead once its blockhash has expired, and not before; the confirmed head is ahead of the final one. */
  async mayBeDead(guards: readonly string[]): Promise<boolean> {
    const height = this.#deps.heads.latest?.blockHeight
    if (height === undefined) return true
    return guards.every((guard) => (readSequenceGuard(guard)?.lastValidBlockHeight ?? 0n) < height)
  }

  #isLate({ transaction }: SignedAttempt): boolean {
    const height = this.#deps.heads.latest?.blockHeight ?? 0n
    return decodeTransaction(transaction).lastValidBlockHeight < height
  }

  /** Rent of each recipient's token account that is not there; payouts whose account is there, or that need none, are absent. */
  async #missingAccounts(items: readonly Item[]): Promise<ReadonlyMap<Payout, bigint>> {
    const { forms, accounts, fees } = this.#deps
    const wanted = await Promise.all(
      items
        .filter(({ payout }) => !isNative(payout) && payout.swap === undefined && payout.purpose !== 'sweep')
        .map(async ({ payout }) => {
          const mint = await forms.mintOf(payout)
          return { payout, mint, address: associatedTokenAddress(payout.to.address, mint) }
        }),
    )
    const found = await accounts.read(wanted.map(({ address }) => address))
    const missing = wanted.filter(({ payout }, at) => {
      // An account that is somebody else's counts as missing too: creating it then fails, before any money moves.
      return readTokenAccount(found[at] ?? null)?.owner !== payout.to.address
    })
    return new Map(
      await Promise.all(
        missing.map(async ({ payout, mint }) => [payout, await fees.rent(mint.tokenAccountBytes)] as const),
      ),
    )
  }

  async #prepareOne(
    { payout, gas }: Item,
    sequence: number,
    recent: RecentBlockhash,
    creation: bigint | null,
  ): Promise<PreparedAttempt> {
    const { forms, fees, requests } = this.#deps
    if (payout.swap !== undefined) return prepareSwap(payout, { sequence, recent }, this.#deps)
    if (payout.purpose === 'sweep') return prepareSweep(payout, { sequence, recent, gas }, this.#deps)
    const [form, price] = await Promise.all([
      forms.build(payout, sequence, creation !== null),
      fees.price(pricedAccounts(payout)),
    ])
    const units = unitLimit(payout, gas, requests !== null)
    const instructions = [...budgetInstructions(units, price), ...form.instructions]
    const excess = excessBytes(instructions, payout.from)
    if (excess > 0) throw new ServiceError('SOLANA_TX_TOO_LARGE', `The payment is ${excess} bytes too large.`)
    const transaction: LaneTransaction = {
      from: payout.from,
      cosigner: form.cosigner,
      sequence,
      lastValidBlockHeight: BigInt(recent.lastValidBlockHeight),
      units,
      price,
      message: bytesToHex(compileMessage(instructions, payout.from, recent.blockhash).serialize()),
    }
    const network = SIGNATURE_LAMPORTS * signaturesOf(payout) + priorityFee(units, price)
    const guards = [sequenceGuard({ ...transaction, address: payout.from })]
    if (payout.purpose !== 'withdraw' || requests === null) {
      return preparedOf(transaction, guards, network + (creation ?? 0n))
    }
    const terms = termsOf(payout)
    guards.push(requestGuard(bytesToHex(await requests.hash(terms)), terms.expiration))
    return preparedOf(transaction, guards, network + (creation ?? 0n) + (await fees.rent(USED_REQUEST_BYTES)))
  }
}
