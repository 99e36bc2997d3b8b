import type { LedgerBlock } from '../../../adapter/ledgerChain/src/transaction.js'
import { blockHash } from '../simBranch.js'
import { type SimRecord, simId } from '../simTransaction.js'
import type { LedgerView } from './ledgerView.js'
import type { InventedDeposit, NodeLie } from './nodeTrouble.js'

/** When a lie began, as it refers to it. */
export interface LieBegin {
  readonly head: LedgerBlock
  /** Where deposits go. */
  readonly depository: string
}

/** What a node shows that lies so. */
export const lyingView = (view: LedgerView, lie: NodeLie, begin: LieBegin): LedgerView => {
  switch (lie.kind) {
    case 'invents-deposit':
      return inventing(view, lie.deposit, begin)
    case 'hides':
      return showing(view, (record) => (lie.of === 'all' || lie.of.includes(record.id) ? null : record))
    case 'invents-height':
      return ahead(view, lie.ahead)
    case 'alters-amounts':
      return showing(view, (record) => altered(record, lie.by))
    case 'invents-fate':
      return showing(view, (record) => decided(record, lie.status, view.head))
    case 'fork':
      return forked(view, lie.since)
  }
}

/** Every record as `show` gives it; null: not at all. */
const showing = (view: LedgerView, show: (record: SimRecord) => SimRecord | null): LedgerView => ({
  ...view,
  record: (id) => {
    const record = view.record(id)
    return record && show(record)
  },
  recordsOf: (...asked) => view.recordsOf(...asked).flatMap((record) => show(record) ?? []),
  recordsIn: (...asked) => view.recordsIn(...asked).flatMap((record) => show(record) ?? []),
  pendingOf: (account) => view.pendingOf(account).flatMap((record) => show(record) ?? []),
})

const altered = (record: SimRecord, by: bigint): SimRecord => {
  const other = (text: string): string => {
    const amount = BigInt(text) + by
    return (amount < 1n ? 1n : amount).toString()
  }
  const transfer = { ...record.transfer, amount: other(record.transfer.amount) }
  if (record.swept === undefined) return { ...record, transfer }
  return { ...record, transfer, swept: record.swept.map((money) => ({ ...money, amount: other(money.amount) })) }
}

const decided = (record: SimRecord, status: 'success' | 'failed', block: LedgerBlock): SimRecord => {
  if (record.status !== 'pending') return record
  const { currency, amount, sweep, fee } = record.transfer
  const swept = sweep === undefined ? {} : { swept: status === 'success' ? [{ currency, amount }] : [] }
  return { ...record, status, block, fee, ...swept }
}

const inventing = (view: LedgerView, deposit: InventedDeposit, { head, depository }: LieBegin): LedgerView => {
  const block = view.block(head.height + 1)
  if (block === null) return view
  const { from, currency, amount, memo, to = depository } = deposit
  const transfer = {
    network: view.network,
    account: from,
    from,
    to,
    currency,
    amount: amount.toString(),
    memo,
    fee: view.fee.toString(),
    sequence: 1_000_000 + head.height,
    validUntil: head.height + 20,
  }
  const invented: SimRecord = {
    id: simId(transfer),
    transfer,
    status: 'success',
    reason: null,
    fee: transfer.fee,
    block,
  }
  return {
    ...view,
    record: (id) => (id === invented.id ? invented : view.record(id)),
    recordsIn: (least, most) => {
      const others = view.recordsIn(least, most)
      return block.height >= least && block.height <= most ? [...others, invented].sort(byHeight) : others
    },
    recordsOf: (account, least, most) => {
      const isAsked = [from, to].includes(account) && block.height >= least && block.height <= most
      const others = view.recordsOf(account, least, most)
      return isAsked ? [...others, invented].sort(byHeight) : others
    },
  }
}

const byHeight = (left: SimRecord, right: SimRecord): number => (left.block?.height ?? 0) - (right.block?.height ?? 0)

const ahead = (view: LedgerView, blocks: number): LedgerView => {
  const invented = (height: number): LedgerBlock => ({
    ...view.head,
    height,
    hash: blockHash(view.network, height, 'no'),
  })
  const highest = view.head.height + blocks
  return {
    ...view,
    head: invented(highest),
    block: (height) => (height > view.head.height && height <= highest ? invented(height) : view.block(height)),
  }
}

const forked = (view: LedgerView, since: number): LedgerView => {
  const other = (block: LedgerBlock): LedgerBlock =>
    block.height > since ? { ...block, hash: blockHash(block.hash, 'fork') } : block
  const stays = showing(view, (record) => (record.block !== null && record.block.height > since ? null : record))
  return {
    ...stays,
    head: other(view.head),
    block: (height) => {
      const block = view.block(height)
      return block && other(block)
    },
  }
}
