import { bytesToHex, type Json, larger, ServiceError } from '@causeway/core'
import type {
  AttemptState,
  BlockRef,
  BroadcastResult,
  LaneAdapter,
  LanePace,
  LanePlace,
  LaneReading,
  Payout,
  PayoutVerdict,
  PreparedAttempt,
  SignedAttempt,
  Signer,
} from '@causeway/core/chain'
import { broadcastInTurn, type HeadFollower } from '@causeway/core/chain-kit'
import { parseAddress } from '../address/addresses.js'
import type { BitcoinNetwork } from '../address/networks.js'
import { addressOfScript, equalBytes } from '../address/scriptAddress.js'
import { requireSweep, sweepSigners } from '../depositAddress/sweepSigners.js'
import { COINBASE_MATURITY, coinGuard, outpointOfGuard, outpointText } from '../payout/coins/coin.js'
import { type FeeBounds, feeOf } from '../payout/coins/feeRate.js'
import type { FeeSource } from '../payout/feeSource.js'
import type { PayoutBuilder, SpendableCoins } from '../payout/payoutBuilder.js'
import { compressKey, payoutSigner } from '../payout/payoutSigner.js'
import {
  decodePayout,
  encodePayout,
  keyScript,
  type PayoutInput,
  type PayoutTransaction,
  payoutFee,
  payoutId,
  payoutSize,
  signPayout,
} from '../payout/payoutTransaction.js'
import { findFalseCoins } from '../payout/provenCoins.js'
import { cancelPayout, type ReplacementTerms, raiseFee } from '../payout/replacePayout.js'
import type { WatchedScript } from '../rpc/bitcoinSource.js'
import type { SourceMonitor, SourcePool } from '../rpc/sourcePool.js'
import { readStates } from './attemptStates.js'
import { judge } from './finality.js'
import { FinishedPayouts } from './finishedPayouts.js'
import {
  coinsText,
  decodePosition,
  encodePosition,
  heldCoins,
  heldPayout,
  markDead,
  prunePosition,
} from './lanePosition.js'
import { hasSent, placeBefore, readLane } from './laneReader.js'
import { payoutGroups } from './payoutGroups.js'

export interface BvmLaneDeps {
  readonly pool: SourcePool
  readonly heads: Pick<HeadFollower<BlockRef>, 'tip'>
  readonly fees: FeeSource
  readonly builder: PayoutBuilder
  readonly monitor: Pick<SourceMonitor, 'report'>
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
  readonly bounds: FeeBounds
  /** Depth at which a transaction is final. */
  readonly settle: bigint
  readonly pace: LanePace
  readonly payoutsPerTransaction: number
}

/** How often other coins are chosen in place of those that are not there. */
const MAX_ROUNDS = 4

/**
 * Payouts of one P2WPKH address; where nodes pass on several order ids in one transaction, it may carry several. The position names the coins that payouts hold; each coin is a guard. Versions of a payout
 * spend the same coins, so only one of them can be in a block.
 */
export class BvmLane implements LaneAdapter {
  /** The depository is an address: its key signs withdrawals beside the solver's, who pays their fee. */
  readonly cosigns = true
  readonly pace: LanePace
  readonly payoutsPerTransaction: number
  readonly #deps: BvmLaneDeps
  readonly #finished: FinishedPayouts
  /** Coins of payouts that were proven dead, as `coinsText` writes them, for the positions that hold them. */
  readonly #dead = new Set<string>()

  constructor(deps: BvmLaneDeps) {
    this.#deps = deps
    this.#finished = new FinishedPayouts(deps)
    this.pace = deps.pace
    this.payoutsPerTransaction = deps.payoutsPerTransaction
  }

  addressOf({ publicKey }: Signer): string {
    const address = addressOfScript(keyScript(compressKey(publicKey)), this.#deps.network)
    if (address === null) throw new Error('A key hash has no address.')
    return address
  }

  read(address: string, stored: LanePlace | null): Promise<LaneReading> {
    return readLane(address, stored, this.#deps)
  }

  hasSent(address: string): Promise<boolean> {
    return hasSent(address, this.#deps)
  }

  beginning(height: bigint): Json {
    return encodePosition({ begin: height, payouts: [] })
  }

  readAgain(address: string, stored: LanePlace, guards: readonly string[]): Promise<LaneReading> {
    return readLane(address, placeBefore(stored, guards), this.#deps)
  }

  async prepare(items: readonly { readonly payout: Payout; readonly gas: bigint | null }[], stored: Json) {
    const decoded = decodePosition(stored)
    if (items.length === 0) return { prepared: [], position: stored }
    const position = markDead(markDead(decoded, this.#dead), this.#finished.overSweeps)
    const funds = await this.#deps.builder.read(items.map(({ payout }) => payout))
    const payouts = items.map(({ payout }) => payout)
    const made = await this.#makeWithin(payouts, funds, heldCoins(position))
    const transactions = [...new Set(made)].filter((item) => item !== null)
    const preparedOf = new Map(transactions.map((item) => [item, toPrepared('pay', item, item.inputs.map(coinGuard))]))
    const prepared = made.map((item) => (item === null ? null : (preparedOf.get(item) ?? null)))
    const added = transactions.map((item) => heldPayout(payoutId(item), item, funds.tip))
    this.#finished.check(position, funds.tip)
    const kept = prunePosition(position, this.#finished.txIds, funds.tip)
    return { prepared, position: encodePosition({ ...kept, payouts: [...kept.payouts, ...added] }) }
  }

  async sign(prepared: PreparedAttempt, signer: Signer, allocator?: Signer, seed?: Uint8Array): Promise<SignedAttempt> {
    const payout = decodePayout(prepared.transaction)
    const { network, depository } = this.#deps
    const own = [signer, ...(allocator === undefined ? [] : [allocator])].map(payoutSigner)
    requireSweep(payout, { depository: depository.script, lane: keyScript(compressKey(signer.publicKey)) })
    const signers = [...own, ...sweepSigners(payout, seed, network)]
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
    return Promise.all(attempts.map(({ raw }) => broadcastInTurn(this.#deps.pool, (source) => source.broadcast(raw))))
  }

  states(attempts: readonly { readonly txId: string; readonly payout: Payout }[]): Promise<readonly AttemptState[]> {
    return readStates(attempts, this.#deps)
  }

  /**
   * Null where the change does not pay for more, or the operator's cap is reached: the version before stays. So it does where its
   * recipients' own transactions would cost more to replace than it pays itself: they could make any fee of it, for nothing.
   */
  async replace({ transaction, kind, guards }: PreparedAttempt): Promise<PreparedAttempt | null> {
    const payout = decodePayout(transaction)
    const terms = await this.#replacing(payout)
    const raised = raiseFee(payout, terms)
    if (raised === null || payoutFee(raised) > feeOf(payoutSize(raised), this.#deps.bounds.cap)) return null
    if (terms.evicted > feeOf(payoutSize(raised), terms.rate)) return null
    return toPrepared(kind, raised, guards)
  }

  /** Null where it would cost more than the payment takes away, and more than the operator's cap. */
  async cancel({ transaction, guards }: PreparedAttempt): Promise<PreparedAttempt | null> {
    const payout = decodePayout(transaction)
    const own = ownInput(payout)
    const cancelled = own === undefined ? null : cancelPayout(payout, await this.#replacing(payout), own.script)
    if (own === undefined || cancelled === null) return null
    const { bounds, depository } = this.#deps
    const lost = paidAway(payout, [own.script, depository.script])
    const most = larger(lost, feeOf(payoutSize(cancelled), bounds.cap))
    return payoutFee(cancelled) > most ? null : toPrepared('cancel', cancelled, guards)
  }

  /** The rate of now, and what descendants of the version that waits pay. All versions spend the lane's own coin. */
  async #replacing(payout: PayoutTransaction): Promise<Required<ReplacementTerms>> {
    const { pool, fees } = this.#deps
    const own = ownInput(payout)
    const [rate, evicted] = await Promise.all([
      fees.rate(),
      pool.ask(async (source) => {
        const { height } = await source.tip()
        const spend = own === undefined ? null : await source.spend({ txId: own.txId, index: own.index }, height)
        return spend?.confirmations === 0n ? source.descendantFees(spend.txId) : 0n
      }),
    ])
    return { rate, evicted }
  }

  async payoutVerdict(
    guards: readonly string[],
    txIds: readonly string[],
    { agreeing }: { readonly agreeing: number } = { agreeing: 1 },
  ): Promise<PayoutVerdict> {
    const verdict = await judge(guards, txIds, agreeing, this.#deps)
    if (verdict === 'dead')
      this.#dead.add(coinsText(guards.flatMap((guard) => outpointOfGuard(guard) ?? []).map(outpointText)))
    return verdict
  }

  /** False while one node, quickly asked, still holds all of its coins unspent in blocks: it can land then. */
  async mayBeDead(guards: readonly string[]): Promise<boolean> {
    const outpoints = guards.flatMap((guard) => outpointOfGuard(guard) ?? [])
    const held = await this.#deps.pool.ask((source) => Promise.all(outpoints.map((outpoint) => source.holds(outpoint))))
    return held.length === 0 || !held.every((holds) => holds)
  }

  /**
   * Null for those that cost more than their `feeLimit` (faults.md F124). Of a transaction that several share each costs an equal
   * part; one whose part is too much is tried alone before it is left out, since another may be what made the fee high.
   */
  async #makeWithin(
    payouts: readonly Payout[],
    funds: SpendableCoins,
    held: ReadonlySet<string>,
  ): Promise<readonly (PayoutTransaction | null)[]> {
    const left = new Set(payouts.keys())
    const alone = new Set<number>()
    for (;;) {
      const made = await this.#makeTrue(payouts, funds, held, { left, alone })
      const beyond = [...left].filter((at) => !isWithin(payouts[at], made[at], made))
      if (beyond.length === 0) return made
      for (const at of beyond) {
        if (alone.has(at)) left.delete(at)
        else alone.add(at)
      }
    }
  }

  /** Payments out of coins that are proven to be there: those that are not are left out. */
  async #makeTrue(payouts: readonly Payout[], funds: SpendableCoins, held: ReadonlySet<string>, choice: GroupChoice) {
    const avoided = new Set(held)
    const young = youngCoins(funds)
    for (let round = 1; ; round++) {
      const made = this.#makeAll(payouts, funds, avoided, choice)
      const wrong = await findFalseCoins(
        made.flatMap((item) => item?.inputs ?? []),
        this.#deps.pool,
        young,
      )
      if (wrong.size === 0) return made
      if (round === MAX_ROUNDS) {
        return made.map((item) => (item?.inputs.some((coin) => wrong.has(outpointText(coin))) ? null : item))
      }
      for (const coin of wrong) avoided.add(coin)
    }
  }

  /** One transaction for each group; where that cannot be made, one for each of its payouts that can. */
  #makeAll(
    payouts: readonly Payout[],
    funds: SpendableCoins,
    avoided: ReadonlySet<string>,
    { left, alone }: GroupChoice,
  ) {
    const taken = new Set(avoided)
    const made: (PayoutTransaction | null)[] = payouts.map(() => null)
    const make = (places: readonly number[]): boolean => {
      const group = places.flatMap((at) => payouts[at] ?? [])
      const transaction = this.#make(group, funds, taken)
      for (const coin of transaction?.inputs ?? []) taken.add(outpointText(coin))
      for (const at of places) made[at] = transaction
      return transaction !== null
    }
    const tried = [...payouts.entries()].filter(([at]) => left.has(at))
    const groupable = tried.map(([at, payout]) => ({
      recipient: alone.has(at) ? null : this.#sharedRecipient(payout, funds),
      kind: payout.purpose === 'sweep' ? ('sweep' as const) : ('payment' as const),
    }))
    for (const places of payoutGroups(groupable, this.payoutsPerTransaction)) {
      const group = places.flatMap((place) => tried[place]?.[0] ?? [])
      if (!make(group) && group.length > 1) for (const at of group) make([at])
    }
    return made
  }

  /** Null where a payout shares no transaction: the depository's key signs it too, or its output would look like change. */
  #sharedRecipient({ purpose, to, sweep }: Payout, { lane }: SpendableCoins): string | null {
    // Told apart by their order ids: what two of them have in common may be the address.
    if (purpose === 'sweep') return sweep?.address.destination.address ?? null
    const address = parseAddress(to.address, this.#deps.network)
    if (purpose === 'withdraw' || !address.ok || equalBytes(address.script, lane.script)) return null
    return Buffer.from(address.script).toString('hex')
  }

  /** Null for payments that free coins do not cover now, or that cannot be made at all: their simulation says so next time. */
  #make(payouts: readonly Payout[], funds: SpendableCoins, held: ReadonlySet<string>): PayoutTransaction | null {
    const free = (coins: SpendableCoins['coins']) => coins.filter((coin) => !held.has(outpointText(coin)))
    try {
      const swept = new Map([...funds.swept].map(([address, coins]) => [address, free(coins)]))
      const [coins, deposits] = [free(funds.coins), free(funds.deposits)]
      return this.#deps.builder.build(payouts, { ...funds, coins, deposits, swept })
    } catch (error) {
      if (ServiceError.is(error)) return null
      throw error
    }
  }
}

/** The lane's own coin is the last one: it pays the fee, also where deposits or deposit addresses are spent before it. */
const ownInput = ({ inputs }: PayoutTransaction): PayoutInput | undefined => inputs.at(-1)

/** Satoshis that a payment brings to other scripts than these. */
const paidAway = ({ outputs }: PayoutTransaction, own: readonly Uint8Array[]): bigint =>
  outputs
    .filter(({ script }) => !own.some((mine) => equalBytes(mine, script)))
    .reduce((sum, { value }) => sum + value, 0n)

const toPrepared = (
  kind: PreparedAttempt['kind'],
  payout: PayoutTransaction,
  guards: readonly string[],
): PreparedAttempt => ({ kind, transaction: encodePayout(payout), guards, feeCap: payoutFee(payout) })

/** Places in a list of payouts: those that are tried, and those of them that share no transaction. */
interface GroupChoice {
  readonly left: ReadonlySet<number>
  readonly alone: ReadonlySet<number>
}

/** Whether a payout's equal part of the fee of its transaction is within its limit. */
const isWithin = (
  payout: Payout | undefined,
  own: PayoutTransaction | null | undefined,
  made: readonly (PayoutTransaction | null)[],
): boolean =>
  payout?.feeLimit === undefined ||
  !own ||
  payoutFee(own) <= payout.feeLimit * BigInt(made.filter((item) => item === own).length)

/** Coins that could not be spent yet if a coinbase made them. */
const youngCoins = ({ coins, deposits, swept, tip }: SpendableCoins): ReadonlySet<string> =>
  new Set(
    [...coins, ...deposits, ...[...swept.values()].flat()]
      .filter(({ height }) => height === null || tip - height + 1n < COINBASE_MATURITY)
      .map(outpointText),
  )
