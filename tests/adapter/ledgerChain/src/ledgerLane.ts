import {
  type AttemptState,
  type BroadcastResult,
  type Hex,
  type Json,
  type JsonRpcEndpoint,
  type LaneAdapter,
  type LaneReading,
  type OutgoingTransaction,
  type Payout,
  type PayoutPurpose,
  type PreparedAttempt,
  type RpcOutcome,
  ServiceError,
  type SignedAttempt,
  type Signer,
  signChecked,
} from '@causeway/core'
import { addressOfKey } from './address.js'
import { blockRef, txDataOf } from './depositWatch.js'
import type { LedgerNode } from './ledgerNode.js'
import { bytesOf, FEE, idOf, type LedgerRecord, type LedgerTransfer, type SignedTransfer } from './transaction.js'

export interface LedgerLaneDeps {
  readonly node: LedgerNode
  readonly expiryBlocks: number
  /** Blocks after which nothing leaves the ledger. */
  readonly settle: number
}

const NOWHERE = { block: null, confirmations: 0, fee: 0n, paid: null, revert: null, txData: null } as const
const MEMO = /^(0x[0-9a-f]{64})(?: ([a-z]+))?$/

/** Payments of one account. The position is `{ sequence }`, the next one to use; a payment lives until its `validUntil`. */
export class LedgerLane implements LaneAdapter {
  readonly #deps: LedgerLaneDeps

  constructor(deps: LedgerLaneDeps) {
    this.#deps = deps
  }

  addressOf(signer: Signer): string {
    return addressOfKey(signer.publicKey)
  }

  async read(
    address: string,
    stored: { readonly position: Json; readonly sinceHeight: bigint } | null,
  ): Promise<LaneReading> {
    const { node, settle } = this.#deps
    const head = await node.head()
    const since = stored === null ? 0 : Math.max(0, Number(stored.sinceHeight) - settle)
    const { records } = await node.range(address, since, head.height)
    const own = records.filter(({ transfer }) => transfer.from === address)
    const first = stored === null ? null : sequenceOf(stored.position)
    const next = Math.max(first ?? 0, ...own.map(({ transfer }) => transfer.sequence + 1))
    const unknown = first === null ? [] : own.filter(({ transfer }) => transfer.sequence >= first).map(outgoingOf)
    return { position: { sequence: next }, unknown, complete: true }
  }

  async prepare(payouts: readonly { readonly payout: Payout }[], position: Json) {
    const { node, expiryBlocks } = this.#deps
    const validUntil = (await node.head()).height + expiryBlocks
    const first = sequenceOf(position)
    const prepared = payouts.map(({ payout }, at) => prepareOne(payout, first + at, validUntil))
    return { prepared, position: { sequence: first + payouts.length } }
  }

  async sign(prepared: PreparedAttempt, signer: Signer): Promise<SignedAttempt> {
    const transfer = transferOf(prepared)
    if (this.addressOf(signer) !== transfer.from) {
      throw new ServiceError('UNKNOWN_ERROR', 'The key of this payment is not the key of its account.')
    }
    const signature = hexOf(await signChecked(signer, bytesOf(transfer)))
    const signed: SignedTransfer = { transfer, publicKey: hexOf(signer.publicKey), signature }
    return { ...prepared, txId: idOf(transfer), raw: `0x${hexOf(Buffer.from(JSON.stringify(signed)))}` }
  }

  async broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    const [endpoint] = this.#deps.node.rpc.ordered()
    const calls = attempts.map(({ raw }) => ({ method: 'ledger_submit', params: [raw] }))
    try {
      const outcomes = (await endpoint?.batch(calls)) ?? []
      return attempts.map((_, at) => resultOf(outcomes[at]))
    } catch {
      // The node may have taken them before it fell silent; the same bytes go out again later.
      return attempts.map(() => resultOf(undefined))
    }
  }

  async states(attempts: readonly { readonly txId: string; readonly payout: Payout }[]) {
    const { head, records } = await this.#deps.node.records(attempts.map(({ txId }) => txId))
    return attempts.map((_, at): AttemptState => stateOf(records[at] ?? null, head.height))
  }

  /** The ledger has no replacement. */
  async replace(): Promise<null> {
    return null
  }

  /** The ledger has no such thing: time cancels what was not included. */
  async cancel(): Promise<null> {
    return null
  }

  async isDead(
    guards: readonly string[],
    txIds: readonly string[],
    { agreeing }: { readonly agreeing: number } = { agreeing: 1 },
  ): Promise<'dead' | 'alive' | 'landed'> {
    const { rpc } = this.#deps.node
    const needed = Math.max(agreeing, Math.min(2, rpc.providerCount))
    const asked = await Promise.allSettled(rpc.providers.map((endpoint) => this.#judge(guards, txIds, endpoint)))
    const said = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    if (said.length < needed) {
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too few nodes of this ledger answer. Try again later.')
    }
    const [first] = said
    return first !== undefined && said.every((verdict) => verdict === first) ? first : 'alive'
  }

  async #judge(guards: readonly string[], txIds: readonly string[], endpoint: JsonRpcEndpoint) {
    const { head, records } = await this.#deps.node.records(txIds, endpoint)
    if (records.some((record) => record?.status === 'success')) return 'landed'
    // A failed one can never run again, once its block is final.
    const final = head.height - this.#deps.settle
    const open = records.some((record) => record !== null && (record.block === null || record.block.height > final))
    const lastHeights = guards.map((guard) => Number(guard.split(':')[3]))
    return !open && lastHeights.length > 0 && lastHeights.every((last) => final > last) ? 'dead' : 'alive'
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const sequenceOf = (position: Json): number => {
  const sequence: unknown = Reflect.get(Object(position), 'sequence')
  if (typeof sequence !== 'number') throw new Error('The stored position of this lane is not one of a ledger.')
  return sequence
}

// CAST: only prepareOne makes such transactions.
const transferOf = ({ transaction }: PreparedAttempt): LedgerTransfer => transaction as unknown as LedgerTransfer

const prepareOne = (payout: Payout, sequence: number, validUntil: number): PreparedAttempt => {
  const { from, to, money, orderId, purpose } = payout
  const memo = purpose === 'fill' ? orderId : `${orderId} ${purpose}`
  const { currency, amount } = money
  const transfer = { from, to: to.address, currency, amount: amount.toString(), memo, sequence, validUntil }
  return { kind: 'pay', transaction: transfer, guards: [`sequence:${from}:${sequence}:${validUntil}`], feeCap: FEE }
}

const resultOf = (outcome: RpcOutcome | undefined): BroadcastResult => {
  if (outcome === undefined) return { outcome: 'unknown', message: 'No node of this ledger answered.' }
  if (outcome.ok) return { outcome: 'known' }
  const { message } = outcome.error
  if (message === 'NO_FEE') {
    return { outcome: 'rejected', reason: 'insufficient-funds', message: 'The solver cannot pay the fee.' }
  }
  if (['EXPIRED', 'BAD_SIGNATURE', 'MALFORMED'].includes(message)) {
    return { outcome: 'rejected', reason: 'invalid', message: `The ledger refuses the payment: ${message}.` }
  }
  return { outcome: 'unknown', message: 'The node gave an answer that says nothing about the payment.' }
}

const stateOf = (record: LedgerRecord | null, tip: number): AttemptState => {
  if (record === null) return { ...NOWHERE, status: 'missing' }
  const { status, block, transfer, reason, fee } = record
  if (status === 'pending' || block === null) return { ...NOWHERE, status: 'pending', txData: txDataOf(record) }
  const shared = {
    block: blockRef(block),
    confirmations: Math.max(1, tip - block.height + 1),
    fee: BigInt(fee),
    txData: txDataOf(record),
  }
  return status === 'success'
    ? { ...shared, status: 'success', paid: BigInt(transfer.amount), revert: null }
    : { ...shared, status: 'reverted', paid: 0n, revert: reason }
}

const outgoingOf = (record: LedgerRecord): OutgoingTransaction => {
  const { id, transfer, status, block } = record
  const [, orderId, purpose] = MEMO.exec(transfer.memo) ?? []
  return {
    tx: { id },
    guards: [`sequence:${transfer.from}:${transfer.sequence}:${transfer.validUntil}`],
    // CAST: matched by the pattern.
    orderId: (orderId as Hex | undefined) ?? null,
    to: transfer.to,
    money: { currency: transfer.currency, amount: BigInt(transfer.amount) },
    // CAST: whatever else it says, the host matches by the order.
    purpose: orderId === undefined ? null : ((purpose ?? 'fill') as PayoutPurpose),
    status: status === 'failed' ? 'reverted' : status,
    block: block === null ? null : blockRef(block),
  }
}
