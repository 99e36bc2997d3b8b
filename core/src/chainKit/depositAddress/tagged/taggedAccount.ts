import { createHash } from 'node:crypto'
import type { Arrival, DepositAddressTerms } from '../../../chain/address/depositAddresses.js'
import type { BlockRef, Destination, TxRef } from '../../../chain/chainReferences.js'
import { type ArrivalsIn, accountArrivals } from '../../arrivals/accountArrivals.js'
import type { AccountMove } from '../../arrivals/nodeSums.js'
import type { LedgerSource } from '../../ledger/ledgerSource.js'

/** Tags, memos or comments that tell the deposit addresses of one account apart. */
export interface AddressLabels {
  readonly form: 'tag' | 'memo'
  /** Number of labels that the same terms have (faults.md F18). */
  readonly turns: number
  /** Returns the label of an order's address; `turn` is below `turns`. */
  of(terms: DepositAddressTerms, turn: number): string
  /** Returns the destination of a label as `derive` writes it. */
  spell(label: string): Destination
  /** Returns the label that a destination names; null for a destination that is no address of the account. */
  read(destination: Destination): string | null
}

/** Block, sender and number of a transaction. */
export interface TransactionPlace {
  readonly tx: TxRef
  readonly block: BlockRef
  /** As `Arrival.sender`. */
  readonly sender: string | null
  /** Number of the account that the transaction used up, also if it failed; null for a transaction of another account. */
  readonly number: bigint | null
}

/** One account whose labels are deposit addresses, and how its transactions are read. */
export interface TaggedAccount<Transaction> {
  /** Canonical form. */
  readonly account: string
  readonly labels: AddressLabels
  /**
   * Returns the money that a transaction brought to labels, and took from them (below zero), in order. A sweep must name its label on the
   * chain. Money without a label belongs to the operator and is left out.
   */
  movesOf(transaction: Transaction): readonly AccountMove[]
  /** Whether the transaction created the account, so that no payment is older. */
  isFirst(transaction: Transaction): boolean
  /** Returns null for a transaction that is in no block. */
  placeOf(transaction: Transaction): TransactionPlace | null
}

/** Reads arrivals at live labels, in `currencies` alone: the option `arrivals` of `IndexedLedger`. */
export const taggedArrivals = <Node, Transaction>(
  tagged: TaggedAccount<Transaction>,
  source: Pick<LedgerSource<Node, Transaction>, 'page'>,
  currencies: ReadonlySet<string>,
): ArrivalsIn<Node> =>
  accountArrivals({
    ...{ source, account: tagged.account },
    arrivalsOf: (transaction: Transaction) => arrivalsOf(tagged, transaction, currencies),
  })

const arrivalsOf = <Transaction>(
  { labels, movesOf, placeOf }: TaggedAccount<Transaction>,
  transaction: Transaction,
  currencies: ReadonlySet<string>,
): readonly Arrival[] => {
  const place = placeOf(transaction)
  if (place === null) return []
  const { tx, block, sender } = place
  const brought = movesOf(transaction).filter(({ currency, amount }) => amount > 0n && currencies.has(currency))
  return brought.map(({ part, currency, amount }, at) => ({
    ...{ state: 'included', tx, block, sender, to: labels.spell(part), money: { currency, amount } },
    position: brought.slice(0, at).filter((other) => other.part === part && other.currency === currency).length,
  }))
}

const TAG_BYTES = 4

/**
 * Returns the tag of 32 bits of an order's address: a hash, so that no caller chooses one. Never 0, which some wallets send if the user
 * names no tag. Among 100 million given tags, four turns are all taken for one order in three million (faults.md F18).
 */
export const tagOfTerms = ({ orderId, depositor }: DepositAddressTerms, turn = 0): number => {
  const digest = createHash('sha256').update(`${orderId}|${depositor}|${turn}`).digest()
  for (let at = 0; at < digest.length; at += TAG_BYTES) {
    const tag = digest.readUInt32BE(at)
    if (tag !== 0) return tag
  }
  throw new Error('The hash has only zeros.')
}
