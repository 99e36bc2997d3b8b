/** `src/lane.ts` of a new chain package. */
export const LANE = `
import type { Json } from '@causeway/core'
import type { AttemptState, BroadcastResult, ChainDeps, LaneAdapter, LaneReading, Payout, PayoutVerdict, PreparedAttempt, SignedAttempt, Signer } from '@causeway/core/chain'
import type { ChainOptions } from './options.js'
import { toBeDone } from './toBeDone.js'

/**
 * Payments of one account. The host signs, stores, and only then sends; it sends the same bytes again as often as it
 * likes, and pays anew only when \`payoutVerdict\` has proved that the old bytes can never land.
 */
export class __CLASS__Lane implements LaneAdapter {
  readonly options: ChainOptions
  readonly deps: ChainDeps

  constructor(options: ChainOptions, deps: ChainDeps) {
    this.options = options
    this.deps = deps
  }

  addressOf(_signer: Signer): string {
    return toBeDone('lane.addressOf', 'the canonical address of a public key')
  }

  async read(
    _address: string,
    _stored: { readonly position: Json; readonly sinceHeight: bigint } | null,
  ): Promise<LaneReading> {
    return toBeDone('lane.read', 'where the account goes on (nonce, sequence), and payments that the journal lacks')
  }

  async prepare(
    _payouts: readonly { readonly payout: Payout; readonly gas: bigint | null }[],
    _position: Json,
  ): Promise<{ readonly prepared: readonly PreparedAttempt[]; readonly position: Json }> {
    return toBeDone('lane.prepare', 'a transaction, its guards and the most it can cost, for each payout in order')
  }

  async sign(_prepared: PreparedAttempt, _signer: Signer): Promise<SignedAttempt> {
    return toBeDone('lane.sign', 'the bytes and their id; use signChecked of core; refuse a key of another account')
  }

  async broadcast(_attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    return toBeDone('lane.broadcast', 'send; whatever leaves doubt is "unknown", never "rejected"')
  }

  async states(
    _attempts: readonly { readonly txId: string; readonly payout: Payout }[],
  ): Promise<readonly AttemptState[]> {
    return toBeDone('lane.states', 'where each transaction stands, what it cost, what arrived')
  }

  /** The same payment at a higher fee under the same guards; null where the chain has no replacement. */
  async replace(_attempt: PreparedAttempt, _options: { readonly version: number }): Promise<PreparedAttempt | null> {
    return null
  }

  /** Spends the guards for nothing; null where the chain has no such thing. */
  async cancel(_attempt: PreparedAttempt, _options: { readonly version: number }): Promise<PreparedAttempt | null> {
    return null
  }

  /** What became of the bytes. Said too early to be dead, the money is paid twice. */
  async payoutVerdict(
    _guards: readonly string[],
    _txIds: readonly string[],
    _options?: { readonly agreeing: number; readonly payout?: Payout },
  ): Promise<PayoutVerdict> {
    return toBeDone('lane.payoutVerdict', 'judged at finality by two providers where there are two; failed is not "landed"; in doubt "alive"')
  }
}
`
