import { type CurrencyRegistry, formatAmount } from '@causeway/core'
import type { FundsAtAddress } from '@causeway/core/plugin'

/** The part of `CurrencyRegistry` that texts need. */
export type Names = Pick<CurrencyRegistry, 'find'>

type Money = FundsAtAddress['asked']

const moneyText = ({ chainId, currency, amount }: Money, names: Names): string => {
  const known = names.find(chainId, currency)
  return known === undefined
    ? `${amount} smallest units of ${currency}`
    : `${formatAmount(amount, known.decimals)} ${known.symbol}`
}

/**
 * States the amounts that arrived at the address of a waiting request, the missing amount, and why it waits (wire.md 2.1 `details`). Null where nothing is
 * there.
 */
export const fundsText = ({ lies, asked, trouble, reindexedAt }: FundsAtAddress, names: Names): string | null => {
  const isHeld = ({ chainId, currency }: Money) => names.find(chainId, currency) !== undefined
  const here = lies.filter((money) => !money.isStale || !isHeld(money))
  if (here.length === 0) return null
  const wanted = here.find(({ chainId, currency }) => chainId === asked.chainId && currency === asked.currency)
  const missing = asked.amount - (wanted?.amount ?? 0n)
  const held = here.filter(isHeld)
  const place = ({ chainId }: Money) => (chainId === asked.chainId ? '' : ` on chain ${chainId}`)
  return [
    `Arrived at the deposit address: ${here.map((money) => `${moneyText(money, names)}${place(money)}`).join(', ')}.`,
    ...(missing > 0n
      ? [`Missing: ${moneyText({ ...asked, amount: missing }, names)} of ${moneyText(asked, names)}.`]
      : []),
    ...here
      .filter((money) => !isHeld(money))
      .map(
        ({ currency }) =>
          `${currency} arrived and cannot be exchanged: the operator recovers it by adding the token to the chain's currencies, then a reindex sends it back.`,
      ),
    ...(trouble !== null && held.length > 0 ? [`It stays there: ${trouble}`] : []),
    ...(reindexedAt === null ? [] : [`Last reindex: ${new Date(reindexedAt).toISOString()}.`]),
  ].join(' ')
}
