import {
  type AttemptState,
  type BroadcastResult,
  bytesToHex,
  type Json,
  type LaneAdapter,
  type LanePace,
  type LaneReading,
  type Payout,
  type PreparedAttempt,
  ServiceError,
  type SignedAttempt,
  type Signer,
} from '@causeway/core'
import { addressOfScript, equalBytes } from '../address/scriptAddress.js'
import { coinGuard, outpointText } from '../coins/coin.js'
import { type FeeBounds, feeOf } from '../coins/feeRate.js'
import type { FeeSource } from '../fees/feeSource.js'
import type { HeadSource } from '../head/headSource.js'
import type { BitcoinNetwork } from '../network/networks.js'
import type { PayoutBuilder, Purse } from '../payout/payoutBuilder.js'
import { compressKey, payoutSigner } from '../payout/payoutSigner.js'
import {
  decodePayout,
  encodePayout,
  keyScript,
  type PayoutTransaction,
  payoutFee,
  payoutId,
  payoutSize,
  signPayout,
} from '../payout/payoutTransaction.js'
import { cancelPayout, raiseFee } from '../payout/replacePayout.js'
import type { WatchedScript } from '../source/bitcoinSource.js'
import type { SourceMonitor } from '../source/sourceMonitor.js'
import type { SourcePool } from '../source/sourcePool.js'
import { readStates } from './attemptStates.js'
import { judge } from './finality.js'
import {
  decodePosition,
  encodePosition,
  type HeldPayout,
  heldCoins,
  heldPayout,
  type LanePosition,
  prunePosition,
} from './lanePosition.js'
import { readLane } from './laneReader.js'

export interface BvmLaneDeps {
  readonly pool: SourcePool
  readonly heads: HeadSource
  readonly fees: FeeSource
  readonly builder: PayoutBuilder
  readonly monitor: Pick<SourceMonitor, 'report'>
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
  readonly bounds: FeeBounds
  /** Depth at which a transaction is final. */
  readonly settle: bigint
  readonly pace: LanePace
}

/**
 * Payouts of one P2WPKH address. The position names the coins that payouts hold; each coin is a guard. Versions of a payout
 * spend the same coins, so only one of them can be in a block.
 */
export class BvmLane implements LaneAdapter {
  /** The depository is an address: its key signs withdrawals beside the solver's, who pays their fee. */
  readonly cosigns = true
  readonly pace: LanePace
  readonly #deps: BvmLaneDeps

  constructor(deps: BvmLaneDeps) {
    this.#deps = deps
    this.pace = deps.pace
  }

  addressOf({ publicKey }: Signer): string {
    const address = addressOfScript(keyScript(compressKey(publicKey)), this.#deps.network)
    if (address === null) throw new Error('A key hash has no address.')
    return address
  }

  read(
    address: string,
    stored: { readonly position: Json; readonly sinceHeight: bigint } | null,
  ): Promise<LaneReading> {
    return readLane(address, stored, this.#deps)
  }

  async prepare(items: readonly { readonly payout: Payout; readonly gas: bigint | null }[], stored: Json) {
    const position = decodePosition(stored)
    if (items.length === 0) return { prepared: [], position: stored }
    const purse = await this.#deps.builder.read(items.map(({ payout }) => payout))
    const held = new Set(heldCoins(position))
    const prepared: (PreparedAttempt | null)[] = []
    const added: HeldPayout[] = []
    for (const { payout } of items) {
      const made = this.#make(payout, purse, held)
      prepared.push(made === null ? null : toPrepared('pay', made, made.inputs.map(coinGuard)))
      if (made === null) continue
      const entry = heldPayout(payoutId(made), made.inputs, purse.tip)
      for (const coin of entry.coins) held.add(coin)
      added.push(entry)
    }
    return { prepared, position: encodePosition(nextPosition(position, purse, added)) }
  }

  async sign(prepared: PreparedAttempt, signer: Signer, allocator?: Signer): Promise<SignedAttempt> {
    const payout = decodePayout(prepared.transaction)
    const signers = [signer, ...(allocator === undefined ? [] : [allocator])].map(payoutSigner)
    const scripts = signers.map(({ publicKey }) => keyScript(publicKey))
    if (payout.inputs.some(({ script }) => !scripts.some((own) => equalBytes(own, script)))) {
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        'The signers of this chain are not those of the coins of a payment.',
      )
    }
    const { txId, raw } = await signPayout(payout, signers)
    return { ...prepared, txId, raw: bytesToHex(raw) }
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    return Promise.all(attempts.map(({ raw }) => this.#deps.pool.broadcast(raw)))
  }

  states(attempts: readonly { readonly txId: string; readonly payout: Payout }[]): Promise<readonly AttemptState[]> {
    return readStates(attempts, this.#deps)
  }

  /** Null where the change does not pay for more, or the operator's cap is reached: the version before stays. */
  async replace({ transaction, kind, guards }: PreparedAttempt): Promise<PreparedAttempt | null> {
    const raised = raiseFee(decodePayout(transaction), await this.#deps.fees.rate())
    if (raised === null || payoutFee(raised) > feeOf(payoutSize(raised), this.#deps.bounds.cap)) return null
    return toPrepared(kind, raised, guards)
  }

  async cancel({ transaction, guards }: PreparedAttempt): Promise<PreparedAttempt | null> {
    const payout = decodePayout(transaction)
    // The lane's own coin is the last one: it pays the fee, also where deposits are spent before it.
    const from = payout.inputs.at(-1)?.script
    const cancelled = from === undefined ? null : cancelPayout(payout, await this.#deps.fees.rate(), from)
    return cancelled === null ? null : toPrepared('cancel', cancelled, guards)
  }

  isDead(
    guards: readonly string[],
    txIds: readonly string[],
    { agreeing }: { readonly agreeing: number } = { agreeing: 1 },
  ): Promise<'dead' | 'alive' | 'landed'> {
    return judge(guards, txIds, agreeing, this.#deps)
  }

  /** Null for a payment that free coins do not cover now, or that cannot be made at all: its simulation says so next time. */
  #make(payout: Payout, purse: Purse, held: ReadonlySet<string>): PayoutTransaction | null {
    const free = (coins: Purse['coins']) => coins.filter((coin) => !held.has(outpointText(coin)))
    try {
      return this.#deps.builder.build(payout, { ...purse, coins: free(purse.coins), deposits: free(purse.deposits) })
    } catch (error) {
      if (ServiceError.is(error)) return null
      throw error
    }
  }
}

const toPrepared = (
  kind: PreparedAttempt['kind'],
  payout: PayoutTransaction,
  guards: readonly string[],
): PreparedAttempt => ({ kind, transaction: encodePayout(payout), guards, feeCap: payoutFee(payout) })

const nextPosition = (position: LanePosition, purse: Purse, added: readonly HeldPayout[]): LanePosition => {
  const unspent = new Set([...purse.coins, ...purse.deposits].map(outpointText))
  const pruned = prunePosition(position, unspent, purse.tip)
  return { ...pruned, payouts: [...pruned.payouts, ...added] }
}
