import type { Books } from './readBooks.js'
import type { ChainBalances } from './readChainBalances.js'

/** One holder's balance on the chain beside the books. */
export interface Comparison {
  readonly chainId: number
  readonly currency: string
  readonly holder: 'wallet' | 'depository'
  readonly onChain: bigint
  readonly booked: bigint
  /** On the chain less booked; what was booked in later blocks is taken off before. */
  readonly difference: bigint
  /** Why it may differ while everything is right; null when nothing explains it. */
  readonly explanation: string | null
}

/** Compares what a chain showed with the books, exactly; empty for a chain that could not be asked. */
export const compareBalances = ({ chain, seen }: ChainBalances, books: Books): Comparison[] => {
  if (seen === null) return []
  const chainId = chain.config.id
  const unread = seen.height - (books.readTo.get(chainId) ?? 0n)
  return [...seen.wallet.keys()].flatMap((currency) => [
    compare(
      { chainId, currency, holder: 'wallet' },
      seen.wallet.get(currency) ?? 0n,
      books.get(chainId, currency, 'wallet'),
      books.get(chainId, currency, 'early-wallet'),
      flying(books, chainId, currency),
    ),
    compare(
      { chainId, currency, holder: 'depository' },
      seen.depository.get(currency) ?? 0n,
      books.get(chainId, currency, 'depository'),
      books.get(chainId, currency, 'early-depository'),
      arriving(books, chainId, currency, unread),
    ),
  ])
}

/** How far a balance may be off, and why. */
interface Room {
  readonly low: bigint
  /** Null: without bound. */
  readonly high: bigint | null
  readonly why: string
}

/** Payouts that are signed may be on the chain already, or not. */
const flying = (books: Books, chainId: number, currency: string): Room => ({
  low: -(books.get(chainId, currency, 'flying-out') + books.get(chainId, currency, 'flying-gas')),
  high: books.get(chainId, currency, 'flying-in'),
  why: 'payouts on their way',
})

/** Withdrawals may have left the depository already; deposits in blocks not read yet have arrived. */
const arriving = (books: Books, chainId: number, currency: string, unread: bigint): Room => ({
  low: -books.get(chainId, currency, 'flying-in'),
  high: unread > 0n ? null : 0n,
  why: unread > 0n ? `deposits in ${unread} blocks that are not read yet` : 'withdrawals on their way',
})

const compare = (
  what: Pick<Comparison, 'chainId' | 'currency' | 'holder'>,
  onChain: bigint,
  booked: bigint,
  early: bigint,
  room: Room,
): Comparison => {
  const difference = onChain - (booked - early)
  const fits = difference >= room.low && (room.high === null || difference <= room.high)
  return { ...what, onChain, booked, difference, explanation: difference !== 0n && fits ? room.why : null }
}
