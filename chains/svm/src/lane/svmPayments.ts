import { bytesToHex, type Hex, type Json, ServiceError } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer } from '@causeway/core/chain'
import {
  broadcastBatch,
  type Draft,
  type DraftedPayment,
  type JsonRpcClient,
  type JsonRpcEndpoint,
  type LaneQuestion,
  type LaneSince,
  type RequestRules,
  requestGuard,
  resultOf,
  type SequenceChain,
} from '@causeway/core/chain-kit'
import { USED_REQUEST_BYTES } from '../deposit/program/executeTransfer.js'
import { usedRequestAddress } from '../deposit/program/programAddresses.js'
import { draftSweep } from '../depositAddress/sweep/sweepDraft.js'
import type { SweepForms } from '../depositAddress/sweep/sweepForm.js'
import type { SvmSettings } from '../options.js'
import { budgetInstructions, isNative, unitLimit } from '../payout/budget.js'
import type { FeeSource } from '../payout/fees/feeSource.js'
import { excessBytes } from '../payout/payoutBytes.js'
import { pricedAccounts } from '../payout/payoutFees.js'
import type { PayoutForms } from '../payout/payoutForms.js'
import { type RequestForm, termsOf } from '../payout/requestForm.js'
import type { SwapPayments } from '../payout/swapPayments.js'
import type { AccountReader } from '../read/token/accountReader.js'
import { associatedTokenAddress, readTokenAccount } from '../read/token/tokenAccounts.js'
import { clockCall, readClock } from '../rpc/clock.js'
import type { HeadSource } from '../rpc/head/headSource.js'
import type { RpcAccount, RpcContext } from '../rpc/wire.js'
import { AttemptReader } from './attemptReader.js'
import { classifyBroadcastError } from './broadcastErrors.js'
import { listSent } from './laneListing.js'
import { remembers } from './laneMoment.js'
import {
  addressOfSigner,
  decodeTransaction,
  draftedOf,
  type LaneSlot,
  refusalOf,
  signTransaction,
} from './laneTransaction.js'
import { draftSwap } from './swapDraft.js'

export interface SvmPaymentsDeps {
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
}

const LATE: BroadcastResult = { outcome: 'unknown', message: 'Its blockhash is out of date.' }

interface Item {
  readonly payout: Payout
  readonly gas: bigint | null
}

/** How the lane of core makes, sends and reads back payments of Solana (chains.md svm 5). */
export class SvmPayments implements SequenceChain<JsonRpcEndpoint> {
  readonly paysBySuccess = true
  readonly addressOf = addressOfSigner
  readonly remembers = remembers
  readonly requests?: NonNullable<SequenceChain<JsonRpcEndpoint>['requests']>
  readonly #deps: SvmPaymentsDeps
  readonly #attempts: AttemptReader

  constructor(deps: SvmPaymentsDeps) {
    const { heads, settings } = deps
    const { depositoryProgram: program } = settings
    this.#deps = deps
    this.#attempts = new AttemptReader(heads, program)
    if (program !== null) this.requests = (node) => requestRules(node, program)
  }

  read(node: JsonRpcEndpoint, question: LaneQuestion) {
    return this.#attempts.read(node, question)
  }

  list(node: JsonRpcEndpoint, account: string, since: LaneSince | null, least = 0n) {
    return listSent(node, { account, since, least }, this.#deps.settings)
  }

  async draft(items: readonly Item[]): Promise<readonly Draft[]> {
    const { heads } = this.#deps
    const [missing] = await Promise.all([this.#missingAccounts(items), heads.blockhash()])
    return items.map((item) => async ({ sequence, until }) => {
      const { recent } = heads
      if (BigInt(recent.lastValidBlockHeight) !== until) throw new Error('The slot of a payment has another blockhash.')
      const slot = { sequence: Number(sequence), recent }
      const drafted = await this.#draftOne(item, slot, missing.get(item.payout) ?? null)
      const { feeLimit = drafted.feeCap } = item.payout
      return drafted.feeCap <= feeLimit ? drafted : null
    })
  }

  async sign(transaction: Json, signer: Signer, allocator?: Signer, seed?: Uint8Array) {
    const refusal = refusalOf(transaction)
    if (refusal !== null) throw new ServiceError('SERVICE_UNAVAILABLE', refusal)
    return signTransaction(decodeTransaction(transaction), { signer, allocator, seed })
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

  async #draftOne({ payout, gas }: Item, slot: LaneSlot, creation: bigint | null): Promise<DraftedPayment> {
    const { forms, fees, requests } = this.#deps
    if (payout.swap !== undefined) return draftSwap(payout, slot, this.#deps)
    if (payout.purpose === 'sweep') return draftSweep(payout, gas, slot, this.#deps)
    const [{ instructions, cosigner }, price] = await Promise.all([
      forms.build(payout, slot.sequence, creation !== null),
      fees.price(pricedAccounts(payout)),
    ])
    const units = unitLimit(payout, gas, requests !== null)
    const excess = excessBytes([...budgetInstructions(units, price), ...instructions], payout.from)
    if (excess > 0) throw new ServiceError('SOLANA_TX_TOO_LARGE', `The payment is ${excess} bytes too large.`)
    const made = { instructions, cosigner, units, price, rent: creation ?? 0n }
    if (payout.purpose !== 'withdraw' || requests === null) return draftedOf(payout, slot, made)
    const terms = termsOf(payout)
    const guard = requestGuard(bytesToHex(await requests.hash(terms)), terms.expiration)
    const rent = made.rent + (await fees.rent(USED_REQUEST_BYTES))
    return { ...draftedOf(payout, slot, { ...made, rent }), guards: [guard] }
  }
}

/** Requests as the depository program knows them: one that it never knew it never ran. */
const requestRules = async (node: JsonRpcEndpoint, program: string): Promise<RequestRules> => {
  const [clock] = await node.batch([clockCall('finalized')])
  const now = readClock(resultOf(clock, 'getAccountInfo'))
  return {
    isUsed: async (hash: Hex) => {
      const address = usedRequestAddress(program, Buffer.from(hash.slice(2), 'hex'))
      const options = { commitment: 'confirmed', encoding: 'base64' }
      const [outcome] = await node.batch([{ method: 'getAccountInfo', params: [address, options] }])
      return resultOf<RpcContext<RpcAccount | null>>(outcome, 'getAccountInfo').value?.owner === program
    },
    hasExpired: (expiration) => now !== null && now >= expiration,
  }
}
