import type { Chain } from '@causeway/core/plugin'
import type { Books } from './readBooks.js'
import type { ChainBalances } from './readChainBalances.js'

/** One holder's balance on the chain beside the books. */
export interface Comparison {
  readonly chainId: number
  readonly currency: string
  /** `senders`: the keys that send for users, together. */
  readonly holder: 'wallet' | 'depository' | 'senders'
  readonly onChain: bigint
  readonly booked: bigint
  /** On the chain less booked; what was booked in later blocks is taken off before. */
  readonly difference: bigint
  /** Why it may differ while everything is right; null when nothing explains it. */
  readonly explanation: string | null
}

/** Compares what a chain showed with the books, exactly; nothing for a chain that could not be asked, or a token that did not tell. */
export const compareBalances = ({ chain, seen }: ChainBalances, books: Books): Comparison[] => {
  if (seen === null) return []
  const chainId = chain.config.id
  const { capabilities, native } = chain.adapter
  const unread = seen.height - (books.readTo.get(chainId) ?? 0n)
  const sent = compare(
    { chainId, currency: native.address, holder: 'senders' },
    seen.senders,
    books.get(chainId, native.address, 'sender'),
    books.get(chainId, native.address, 'early-sender'),
    { low: -books.get(chainId, native.address, 'flying-sender'), high: 0n, why: 'what is on its way for users' },
  )
  const held = [...seen.wallet.keys()].flatMap((currency) => [
    ...compare(
      { chainId, currency, holder: 'wallet' },
      seen.wallet.get(currency) ?? null,
      books.get(chainId, currency, 'wallet'),
      books.get(chainId, currency, 'early-wallet'),
      flying(books, chainId, currency),
    ),
    ...compare(
      { chainId, currency, holder: 'depository' },
      seen.depository.get(currency) ?? null,
      books.get(chainId, currency, 'depository'),
      books.get(chainId, currency, 'early-depository'),
      arriving(books, {
        ...{ chainId, currency, unread, reserved: seen.reserved.depository.get(currency) ?? 0n },
        hasFloat: capabilities.depositoryFloat === true && currency === native.address,
        rounding: roundingOf(chain, currency),
      }),
    ),
  ])
  // Most chains have no such key.
  return seen.senders === 0n && books.get(chainId, native.address, 'sender') === 0n ? held : [...held, ...sent]
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

interface Arrival {
  readonly chainId: number
  readonly currency: string
  /** Blocks that are not read yet. */
  readonly unread: bigint
  /** What the chain keeps of it, which somebody paid to open the account and nobody deposited. */
  readonly reserved: bigint
  /** Whether the operator's own money lies there too, which no book has. */
  readonly hasFloat: boolean
  /** What the ledger's own rounding may have left there or taken. */
  readonly rounding: bigint
}

/** A millionth of a whole unit, where the digits of amounts are limited: balances are rounded each time they change (chains.md xrpvm 10). */
const roundingOf = ({ adapter, config }: Chain, currency: string): bigint => {
  if (adapter.payable === undefined || currency === adapter.native.address) return 0n
  const { decimals = 0 } = config.currencies.find(({ address }) => address === currency) ?? {}
  return decimals > MILLIONTH ? 10n ** BigInt(decimals - MILLIONTH) : 0n
}
const MILLIONTH = 6

/** Withdrawals may have left the depository already; deposits in blocks not read yet have arrived. */
const arriving = (books: Books, { chainId, currency, unread, reserved, hasFloat, rounding }: Arrival): Room => {
  const leaving = books.get(chainId, currency, 'flying-in')
  if (unread > 0n) return { low: -leaving, high: null, why: `deposits in ${unread} blocks that are not read yet` }
  if (hasFloat)
    return { low: -leaving, high: null, why: 'what the operator left there, which opened the account or pays its fees' }
  if (rounding > 0n)
    return {
      low: -leaving - rounding,
      high: rounding,
      why: leaving === 0n ? 'what the ledger rounds of its balances' : 'withdrawals on their way',
    }
  const kept = `what the chain keeps of the account (${reserved})`
  if (reserved === 0n) return { low: -leaving, high: 0n, why: 'withdrawals on their way' }
  return { low: -leaving, high: reserved, why: leaving === 0n ? kept : `${kept}, and withdrawals on their way` }
}

const compare = (
  what: Pick<Comparison, 'chainId' | 'currency' | 'holder'>,
  onChain: bigint | null,
  booked: bigint,
  early: bigint,
  room: Room,
): readonly Comparison[] => {
  if (onChain === null) return []
  const difference = onChain - (booked - early)
  const fits = difference >= room.low && (room.high === null || difference <= room.high)
  return [{ ...what, onChain, booked, difference, explanation: difference !== 0n && fits ? room.why : null }]
}
