import type { Json } from '../../chain/json.js'
import type { Payout, SignedAttempt } from '../../chain/laneAdapter.js'
import { ServiceError } from '../../errors/serviceError.js'
import { createEd25519Signer } from '../../keys/ed25519Signer.js'
import { paymentMemo } from '../ledger/paymentMemo.js'
import type { SequenceSlot } from './numbers/sequenceGuard.js'
import type {
  AccountReading,
  FreeOrder,
  LaneQuestion,
  SentTransaction,
  SequenceChain,
  StrictOrder,
} from './sequenceChain.js'
import { SequenceLane, type SequenceLaneDeps } from './sequenceLane.js'

/** Blocks of the fake chain that may be replaced. */
export const SETTLE = 3
export const LIFETIME = 10n
export const ACCOUNT = '0:payer'
const FEE = 5n

/** What one fake node shows, and how. */
export interface FakeNode {
  readonly name: string
  away?: boolean
  /** Transactions that its look-up by id leaves out. */
  hides?: ReadonlySet<string>
  /** Transactions that its list leaves out too. */
  unlisted?: ReadonlySet<string>
  history?: bigint
  gap?: string
}

interface FakeTransfer extends SequenceSlot {
  readonly to: string
  readonly amount: bigint
  readonly memo: string
}

/** An account on a chain of numbers and heights. `land` puts signed bytes into the next block, as a strict chain would or not. */
export class FakeAccount implements SequenceChain<FakeNode> {
  readonly strict: boolean
  /** The number that it took next in the oldest final state. */
  first = 5n
  height = 50n
  /** The number that the account takes next. */
  next = 5n
  /** Numbers below `next` that were put aside, used ones too; null: this chain has no such. */
  aside: readonly bigint[] | null = null
  readonly sent: SentTransaction[] = []
  /** The keys that each payment was signed with. */
  readonly keys: unknown[] = []
  /** Every question that was asked. */
  readonly asked: LaneQuestion[] = []

  constructor(strict: boolean) {
    this.strict = strict
  }

  addressOf(): string {
    return ACCOUNT
  }

  async read(node: FakeNode, question: LaneQuestion): Promise<AccountReading> {
    this.asked.push(question)
    const { attempts } = question
    if (node.away === true) throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
    const final = this.height - BigInt(SETTLE)
    const used = this.sent
      .filter(({ block }) => block !== null && block.height <= final)
      .map(({ sequence }) => sequence)
    const settled = used.reduce((most, sequence) => (sequence >= most ? sequence + 1n : most), this.first)
    const all = this.sent.map(({ sequence }) => sequence)
    const without = (gone: readonly bigint[]) => (this.aside ?? []).filter((number) => !gone.includes(number))
    return {
      moment: { height: this.height, final },
      transactions: attempts.map(({ txId }) => {
        const found = this.sent.find(({ tx }) => tx.id === txId)
        return found === undefined || node.hides?.has(txId) === true ? null : found
      }),
      ...(this.strict ? { next: { final: settled, newest: this.next } } : {}),
      ...(this.aside === null ? {} : { aside: { final: without(used), newest: without(all) } }),
      ...(node.history === undefined ? {} : { history: node.history }),
    }
  }

  async list(node: FakeNode, _account: string, since: Parameters<SequenceChain<FakeNode>['list']>[2]) {
    if (node.away === true) throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
    const transactions = this.sent.filter(({ sequence, block, tx }) => {
      if (node.unlisted?.has(tx.id) === true) return false
      if (since === null) return true
      return 'height' in since ? block === null || block.height > since.height : sequence >= since.sequence
    })
    return { transactions, ...(node.gap === undefined ? {} : { gap: node.gap }) }
  }

  async draft(payouts: readonly { readonly payout: Payout }[]) {
    return payouts.map(({ payout }) => {
      if (payout.feeLimit !== undefined && payout.feeLimit < FEE) return null
      const { to, money } = payout
      return ({ sequence, until }: SequenceSlot) => ({
        transaction: {
          to: to.address,
          amount: `${money.amount}`,
          memo: paymentMemo(payout),
          sequence: `${sequence}`,
          until: `${until}`,
        },
        feeCap: FEE,
      })
    })
  }

  async sign(transaction: Json, ...keys: readonly unknown[]) {
    this.keys.push(keys)
    const text = JSON.stringify(transaction)
    return { txId: text, raw: `0x${Buffer.from(text).toString('hex')}` as const }
  }

  async broadcast(attempts: readonly SignedAttempt[]) {
    return attempts.map(() => ({ outcome: 'known' as const }))
  }

  /** Puts signed bytes into a new block; false where the chain would not take them. */
  land({ txId }: Pick<SignedAttempt, 'txId'>, status: 'success' | 'reverted' = 'success'): boolean {
    const transfer = transferOf(txId)
    if (transfer.until <= this.height || this.sent.some(({ tx }) => tx.id === txId)) return false
    const isAside = this.aside?.includes(transfer.sequence) === true
    if (isAside && this.sent.some(({ sequence }) => sequence === transfer.sequence)) return false
    if (this.strict && !isAside && transfer.sequence !== this.next) return false
    this.height += 1n
    if (!isAside) this.next = transfer.sequence + 1n
    this.sent.push(sentOf(txId, transfer, status, this.height))
    return true
  }
}

const transferOf = (txId: string): FakeTransfer => {
  const { sequence, until, amount, ...rest } = JSON.parse(txId)
  return { ...rest, sequence: BigInt(sequence), until: BigInt(until), amount: BigInt(amount) }
}

const sentOf = (
  txId: string,
  { to, amount, memo, sequence, until }: FakeTransfer,
  status: 'success' | 'reverted',
  height: bigint,
): SentTransaction => ({
  tx: { id: txId },
  sequence,
  until,
  memo,
  to,
  money: { currency: 'coin', amount },
  block: { height, hash: `0x${height}`, time: Number(height) },
  fee: FEE,
  arrived: { currency: 'coin', amount },
  revert: status === 'reverted' ? 'refused' : null,
  txData: { from: ACCOUNT, to, data: memo, value: `${amount}` },
})

export const SIGNER = createEd25519Signer('11'.repeat(32))

export const payoutTo = (to: string, changes: Partial<Payout> = {}): Payout => ({
  purpose: 'fill',
  orderId: `0x${Buffer.from(to).toString('hex').padStart(64, '0')}`,
  from: ACCOUNT,
  to: { address: to },
  money: { currency: 'coin', amount: 7n },
  calls: [],
  ...changes,
})

/** A lane over fake nodes; the order that the account has when none is named. */
export const laneOf = (
  chain: FakeAccount,
  nodes: readonly FakeNode[] = [{ name: 'one' }],
  changes: Partial<SequenceLaneDeps<FakeNode>> = {},
): SequenceLane<FakeNode> => {
  const order: FreeOrder | StrictOrder = { kind: chain.strict ? 'strict' : 'free' }
  return new SequenceLane({
    chain,
    pool: { providers: nodes, providerCount: nodes.length, ordered: () => nodes },
    monitor: { report: () => undefined },
    order,
    lifetime: LIFETIME,
    settle: SETTLE,
    ...changes,
  })
}
