import type { Arrival, BlockRef, Live } from '@causeway/core/chain'
import { NATIVE } from '../../address/addresses.js'
import type { RpcBlockTransaction, RpcBlockWithAccounts, RpcTokenBalance } from '../../rpc/wire.js'

/** Whose payments count, and of what. */
export interface ArrivalTerms {
  readonly addresses: Pick<Live, 'has'>
  /** Mints of the configured currencies; lamports always count. */
  readonly mints: ReadonlySet<string>
}

/**
 * What a block brought to live addresses, by the differences of balances: what an instruction says it moved is never believed, a failed
 * transaction brought nothing (faults.md F19), and a transfer of nothing is none (F13). Of one transaction all that an address gained in one
 * currency is one arrival, whichever of its token accounts it came to.
 */
export const arrivalsOf = (
  { transactions = [] }: RpcBlockWithAccounts,
  block: BlockRef,
  terms: ArrivalTerms,
): readonly Arrival[] => transactions.flatMap((transaction) => arrivalsIn(transaction, block, terms))

interface Gain {
  readonly to: string
  readonly currency: string
  readonly amount: bigint
}

const arrivalsIn = (transaction: RpcBlockTransaction, block: BlockRef, terms: ArrivalTerms): readonly Arrival[] => {
  const { meta } = transaction
  const [id] = transaction.transaction.signatures
  // A node that leaves `err` out has not said that it is null.
  if (meta.err !== null || id === undefined) return []
  const gains = [...lamportGains(transaction, terms), ...tokenGains(transaction, terms)]
  return gains.map(({ to, currency, amount }) => ({
    state: 'included',
    tx: { id },
    position: 0,
    to: { address: to },
    money: { currency, amount },
    sender: senderOf(transaction, currency),
    block,
  }))
}

const lamportGains = ({ transaction, meta }: RpcBlockTransaction, { addresses }: ArrivalTerms): Gain[] =>
  transaction.accountKeys.flatMap(({ pubkey }, at): Gain[] => {
    const [before, after] = [meta.preBalances[at] ?? 0, meta.postBalances[at] ?? 0]
    if (after <= before || !addresses.has(pubkey)) return []
    return [{ to: pubkey, currency: NATIVE, amount: BigInt(after) - BigInt(before) }]
  })

const tokenGains = ({ meta }: RpcBlockTransaction, { addresses, mints }: ArrivalTerms): Gain[] => {
  const after = meta.postTokenBalances
  // Most transactions of a block touch nobody's tokens that matter here.
  if (!after.some(({ mint, owner }) => owner !== undefined && mints.has(mint) && addresses.has(owner))) return []
  return changesOf(meta.preTokenBalances, after)
    .filter(({ owner, mint, change }) => change > 0n && mints.has(mint) && addresses.has(owner))
    .map(({ owner, mint, change }) => ({ to: owner, currency: mint, amount: change }))
}

interface TokenChange {
  readonly owner: string
  readonly mint: string
  readonly change: bigint
}

/** What each owner gained or lost of each mint, over all of its accounts. */
const changesOf = (before: readonly RpcTokenBalance[], after: readonly RpcTokenBalance[]): TokenChange[] => {
  const changes = new Map<string, TokenChange>()
  const add = ({ owner, mint, uiTokenAmount }: RpcTokenBalance, sign: bigint) => {
    if (owner === undefined) return
    const key = `${owner} ${mint}`
    const change = (changes.get(key)?.change ?? 0n) + sign * BigInt(uiTokenAmount.amount)
    changes.set(key, { owner, mint, change })
  }
  for (const balance of before) add(balance, -1n)
  for (const balance of after) add(balance, 1n)
  return [...changes.values()]
}

/**
 * Whose money it surely was: the one account that lost of the currency, where it signed and got nothing for it. A program's account did
 * not pay out of its own will, and of a trade the one who lost what arrived is not the one who bought it.
 */
const senderOf = (transaction: RpcBlockTransaction, currency: string): string | null => {
  const lamports = lamportChanges(transaction)
  const tokens = changesOf(transaction.meta.preTokenBalances, transaction.meta.postTokenBalances)
  const losers =
    currency === NATIVE
      ? lamports.filter(({ change }) => change < 0n).map(({ address }) => address)
      : tokens.filter(({ mint, change }) => mint === currency && change < 0n).map(({ owner }) => owner)
  const [sender] = losers
  if (sender === undefined || losers.length > 1) return null
  const signed = transaction.transaction.accountKeys.some(({ pubkey, signer }) => pubkey === sender && signer)
  const gained =
    tokens.some(({ owner, change }) => owner === sender && change > 0n) ||
    lamports.some(({ address, change }) => address === sender && change > 0n)
  return signed && !gained ? sender : null
}

/** Lamports that accounts gained or lost beside the network's fee, which the first signer pays. */
const lamportChanges = ({ transaction, meta }: RpcBlockTransaction): { address: string; change: bigint }[] =>
  transaction.accountKeys.map(({ pubkey }, at) => {
    const change = BigInt(meta.postBalances[at] ?? 0) - BigInt(meta.preBalances[at] ?? 0)
    return { address: pubkey, change: at === 0 ? change + BigInt(meta.fee) : change }
  })
