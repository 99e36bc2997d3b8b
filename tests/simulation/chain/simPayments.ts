import type { Hex, Json } from '@causeway/core'
import type { BroadcastResult, Payout, SignedAttempt, Signer, SweepSource } from '@causeway/core/chain'
import { signChecked } from '@causeway/core/chain'
import {
  broadcastBatch,
  type DraftedPayment,
  type JsonRpcEndpoint,
  type JsonRpcError,
  type LaneQuestion,
  type LaneSince,
  paymentMemo,
  requestGuard,
  type SentTransaction,
  type SequenceChain,
  type SequenceSlot,
  type StrictOrder,
} from '@causeway/core/chain-kit'
import { addressOfKey, NATIVE } from '../../adapter/ledgerChain/src/address.js'
import { askAll, askOne, type LedgerNode } from '../../adapter/ledgerChain/src/ledgerNode.js'
import { sentOf as plainlySent, refusalOf } from '../../adapter/ledgerChain/src/ledgerPayments.js'
import type { LedgerBlock } from '../../adapter/ledgerChain/src/transaction.js'
import type { SimSweep } from './address/simSweep.js'
import { broughtInBy } from './permit/simCalls.js'
import { permitKey } from './permit/simPermit.js'
import { type SimRecord, type SimTransfer, simBytes, simId, simRaw } from './simTransaction.js'

export interface SimPaymentsDeps {
  readonly network: string
  readonly depository: string
  /** Blocks after which nothing leaves the ledger. */
  readonly settle: number
}

/** What the lane of core has to know of a simulated ledger. */
export class SimPayments implements SequenceChain<JsonRpcEndpoint> {
  readonly #node: LedgerNode
  readonly #deps: SimPaymentsDeps

  constructor(node: LedgerNode, deps: SimPaymentsDeps) {
    this.#node = node
    this.#deps = deps
  }

  addressOf(signer: Signer): string {
    return addressOfKey(signer.publicKey)
  }

  /** A node answers a batch by one state. */
  async read(endpoint: JsonRpcEndpoint, { account, attempts }: LaneQuestion) {
    const calls = attempts.map(({ txId }) => ({ method: 'ledger_record', params: [txId] }))
    const [head, next, ...records] = await askAll(endpoint, [
      { method: 'ledger_head', params: [] },
      { method: 'ledger_sequence', params: [account] },
      ...calls,
    ])
    // CAST: what these methods answer.
    const { height } = head as LedgerBlock
    const { final, newest } = next as { readonly final: number; readonly newest: number }
    return {
      moment: { height: BigInt(height), final: BigInt(height - this.#deps.settle) },
      transactions: (records as readonly (SimRecord | null)[]).map((record) => record && sentOf(record)),
      next: { final: BigInt(final), newest: BigInt(newest) },
    }
  }

  async list(endpoint: JsonRpcEndpoint, account: string, since: LaneSince | null) {
    const from = since !== null && 'height' in since ? Number(since.height) : 0
    const least = since !== null && 'sequence' in since ? since.sequence : 0n
    const { height } = await this.#node.head(endpoint)
    const listed = await askAll(endpoint, [
      { method: 'ledger_records', params: [account, from, height] },
      { method: 'ledger_pending', params: [account] },
    ])
    // CAST: what these methods answer.
    const records = (listed as readonly (readonly SimRecord[])[]).flat()
    const own = records.filter(({ transfer }) => transfer.account === account && BigInt(transfer.sequence) >= least)
    return { transactions: own.map(sentOf) }
  }

  async draft(payouts: readonly { readonly payout: Payout }[]) {
    const fee = await this.fee()
    return payouts.map(({ payout }) =>
      payout.feeLimit !== undefined && payout.feeLimit < fee
        ? null
        : (slot: SequenceSlot) => drafted(this.#transferOf(payout, slot, fee)),
    )
  }

  async sign(transaction: Json, signer: Signer, allocator?: Signer) {
    // CAST: only this class makes such transactions.
    const transfer = transaction as unknown as SimTransfer
    const signers = transfer.from === this.#deps.depository && allocator !== undefined ? [signer, allocator] : [signer]
    const message = simBytes(transfer)
    const signatures = await Promise.all(
      signers.map(async (each) => ({
        publicKey: hexOf(each.publicKey),
        signature: hexOf(await signChecked(each, message)),
      })),
    )
    return { txId: simId(transfer), raw: simRaw({ transfer, signatures }) satisfies Hex }
  }

  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]> {
    const calls = attempts.map(({ raw }) => ({ method: 'ledger_submit', params: [raw] }))
    return broadcastBatch(this.#node.rpc, calls, outcomeOf)
  }

  /** What blocks take now. */
  async fee(): Promise<bigint> {
    return BigInt(await askOne<string>(this.#node.rpc, 'ledger_fee', []))
  }

  /** The same transfer at a higher fee. */
  readonly replace: NonNullable<StrictOrder['replace']> = async (transaction) => {
    // CAST: only this class makes such transactions.
    const transfer = transaction as unknown as SimTransfer
    return drafted({ ...transfer, fee: (await this.#dearer(BigInt(transfer.fee))).toString() })
  }

  /** A transfer of next to nothing to the account itself, dearer than what it takes the place of. */
  readonly cancel: NonNullable<StrictOrder['cancel']> = async ({ account, sequence, until }, { instead }) => {
    // CAST: only this class makes such transactions.
    const other = instead as unknown as SimTransfer | null
    const fee = await this.#dearer(BigInt(other?.fee ?? (await this.#feeWaiting(account, sequence))))
    return drafted({
      network: this.#deps.network,
      account,
      from: account,
      to: account,
      currency: NATIVE,
      amount: '1',
      memo: '',
      fee: fee.toString(),
      sequence: Number(sequence),
      validUntil: Number(until),
    })
  }

  /** Fee of what a node shows waiting with this number. */
  async #feeWaiting(account: string, sequence: bigint): Promise<string> {
    const waiting = await askOne<readonly SimRecord[]>(this.#node.rpc, 'ledger_pending', [account])
    const found = waiting.find(({ transfer }) => transfer.account === account && BigInt(transfer.sequence) === sequence)
    return found?.transfer.fee ?? '0'
  }

  /** A fee that nodes take instead of this one, and blocks take now. */
  async #dearer(fee: bigint): Promise<bigint> {
    const [now, raised] = [await this.fee(), fee + fee / 4n + 1n]
    return now > raised ? now : raised
  }

  #transferOf(payout: Payout, { sequence, until }: SequenceSlot, fee: bigint): SimTransfer {
    const { from, to, sweep, call } = payout
    const permit = broughtInBy(payout)
    const { currency, amount } = permit ?? payout.money
    const { network, depository } = this.#deps
    return {
      network,
      account: from,
      from: sourceOf(payout, depository),
      to: to.address,
      ...(to.tag === undefined ? {} : { tag: to.tag }),
      currency,
      amount: amount.toString(),
      memo: paymentMemo(payout),
      fee: fee.toString(),
      sequence: Number(sequence),
      validUntil: Number(until),
      ...(sweep === undefined ? {} : { sweep: sweepOf(sweep) }),
      ...(permit === undefined ? {} : { permit }),
      ...(call === undefined ? {} : { call: true }),
    }
  }
}

/** Whose money a payment takes: a withdrawal that of the depository, a sweep what lies at its address, what a user signed its own. */
export const sourceOf = (payout: Payout, depository: string): string => {
  const { purpose, from, sweep } = payout
  const taken = sweep?.address.destination.address ?? broughtInBy(payout)?.owner
  return taken ?? (purpose === 'withdraw' ? depository : from)
}

export const sweepOf = ({ address: { orderId, depositor }, currencies }: SweepSource): SimSweep => ({
  orderId,
  depositor,
  currencies: [...currencies],
})

/** Of a sweep it is what it brought of its main currency that counts as paid; a call is worth nothing to its lane. */
const sentOf = (record: SimRecord): SentTransaction => {
  const plain = plainlySent(record)
  const nothing = { currency: NATIVE, amount: 0n }
  const sent = record.transfer.call ? { ...plain, money: nothing, arrived: nothing } : plain
  if (record.swept === undefined) return sent
  const main = record.swept.find(({ currency }) => currency === record.transfer.currency)
  return { ...sent, arrived: { currency: record.transfer.currency, amount: BigInt(main?.amount ?? 0) } }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Anybody may submit a permit: it lives beside the transaction that has it. What a call holds nobody looks into. */
const drafted = (transfer: SimTransfer): DraftedPayment => {
  const { permit, call, fee } = transfer
  const guards = permit === undefined || call ? [] : [requestGuard(permitKey(permit), permit.expiresAt)]
  return { transaction: { ...transfer }, feeCap: BigInt(fee), guards }
}

/** What the ledger's error means for bytes that were sent. */
const outcomeOf = (error: JsonRpcError): BroadcastResult => {
  if (error.message === 'SEQUENCE_USED') {
    return { outcome: 'rejected', reason: 'nonce-too-low', message: 'Another transfer has used the number.' }
  }
  if (error.message === 'UNDERPRICED') {
    return { outcome: 'rejected', reason: 'underpriced', message: 'A dearer transfer waits with this number.' }
  }
  return refusalOf(error)
}
