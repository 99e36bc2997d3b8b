import type { LedgerBlock } from '../../../adapter/ledgerChain/src/transaction.js'
import type { LedgerTruth, Movement } from '../ledgerTruth.js'
import type { SimBranch } from '../simBranch.js'
import { sequenceWith } from '../simPool.js'
import { type SimRecord, type SimTransfer, simId } from '../simTransaction.js'

/** What a node shows of its ledger. */
export interface LedgerView {
  readonly network: string
  readonly head: LedgerBlock
  block(height: number): LedgerBlock | null
  record(id: string): SimRecord | null
  /** In blocks, of an account. */
  recordsOf(account: string, from: number, to: number): readonly SimRecord[]
  /** In blocks, of everybody. */
  recordsIn(from: number, to: number): readonly SimRecord[]
  /** Waiting, of an account. */
  pendingOf(account: string): readonly SimRecord[]
  balance(account: string, currency: string): bigint
  /** The number an account takes next, by blocks and with what waits. */
  sequence(account: string): { readonly final: number; readonly newest: number }
  check(movement: Movement): string | null
  readonly fee: bigint
  /** Throws an Error whose message is a code. */
  submit(raw: string): string
}

/** What an honest node shows that has these blocks, and these transfers waiting. */
export const viewOf = (ledger: LedgerTruth, branch: SimBranch, waiting: readonly SimTransfer[]): LedgerView => ({
  network: ledger.slug,
  head: branch.head,
  block: (height) => branch.block(height),
  record: (id) => branch.record(id) ?? waiting.map(pendingRecord).find((record) => record.id === id) ?? null,
  recordsOf: (account, from, to) =>
    branch.records.filter(({ transfer, block }) => {
      const height = block?.height ?? -1
      return height >= from && height <= to && isOf(transfer, account)
    }),
  recordsIn: (from, to) => branch.entries.slice(Math.max(0, from), to + 1).flatMap(({ records }) => records),
  pendingOf: (account) => waiting.filter((transfer) => isOf(transfer, account)).map(pendingRecord),
  balance: (account, currency) => branch.state.balance(account, currency),
  sequence: (account) => ({
    final: branch.state.sequence(account),
    newest: sequenceWith(branch.state, waiting, account),
  }),
  check: (movement) => ledger.reasonAgainst(branch.state, movement, { fee: ledger.fee, time: branch.head.time }),
  fee: ledger.fee,
  submit: (raw) => ledger.submit(raw),
})

const isOf = ({ account, from, to }: SimTransfer, who: string): boolean => [account, from, to].includes(who)

const pendingRecord = (transfer: SimTransfer): SimRecord => ({
  id: simId(transfer),
  transfer,
  status: 'pending',
  reason: null,
  fee: '0',
  block: null,
})
