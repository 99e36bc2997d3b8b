import { pino } from 'pino'
import type { Arrival } from '../../chain/address/depositAddresses.js'
import type { BlockRef } from '../../chain/chainReferences.js'
import { ServiceError } from '../../errors/serviceError.js'
import type { LedgerPage, LedgerSource, PageRequest } from '../ledger/ledgerSource.js'
import type { AccountMove } from './nodeSums.js'

/** Money to a part of the account, or from it. */
export interface Entry {
  readonly name: string
  readonly height: bigint
  readonly part: string
  readonly amount: bigint
  readonly currency?: string
  /** Number of the account that a sweep uses up. */
  readonly number?: bigint
  /** By it the account came about. */
  readonly opens?: boolean
}

/** A node of the ledger, with what is wrong with it. */
export interface Node {
  readonly name: string
  readonly provider: string
  head: bigint
  away?: boolean
  since?: bigint
  /** Entries that it does not list. */
  hides?: readonly string[]
  /** Marks that it does not know any more. */
  forgets?: boolean
}

export const ACCOUNT = 'account'
export const silent = pino({ level: 'silent' })

export const nodeOf = (name: string, head: bigint, changes: Partial<Node> = {}): Node => ({
  name,
  provider: name,
  head,
  ...changes,
})

/** A block comes every two seconds. */
export const blockOf = (height: bigint): BlockRef => ({ height, hash: `block ${height}`, time: Number(height) * 2 })

/** An account's history, of which nodes give two entries at once. */
export class TaggedLedger implements Pick<LedgerSource<Node, Entry>, 'head' | 'page'> {
  readonly entries: Entry[]
  readonly requests: PageRequest[] = []

  constructor(entries: readonly Entry[] = []) {
    this.entries = [...entries]
  }

  async head(node: Node): Promise<BlockRef> {
    if (node.away === true) throw new ServiceError('RPC_HTTP_ERROR', 'Away.')
    return blockOf(node.head)
  }

  async page(node: Node, request: PageRequest): Promise<LedgerPage<Entry>> {
    this.requests.push(request)
    const { after, upTo, mark } = request
    if (mark !== null && node.forgets === true) throw new ServiceError('RPC_HTTP_ERROR', 'What mark?')
    const { hides = [], since } = node
    const listed = this.entries.filter(
      ({ name, height }) => height > after && height <= upTo && height >= (since ?? 0n) && !hides.includes(name),
    )
    const from = Number(mark ?? 0)
    return {
      transactions: listed.slice(from, from + 2),
      more: listed.length > from + 2 ? from + 2 : null,
      ...(since === undefined ? {} : { since }),
    }
  }
}

export const movesOf = ({ part, currency = 'coin', amount }: Entry): readonly AccountMove[] => [
  { part, currency, amount },
]

export const arrivalsOf = ({ name, height, part, currency = 'coin', amount }: Entry): readonly Arrival[] =>
  amount < 0n
    ? []
    : [
        {
          ...{ state: 'included', tx: { id: name }, position: 0, sender: null, block: blockOf(height) },
          to: { address: part },
          money: { currency, amount },
        },
      ]
