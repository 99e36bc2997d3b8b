import { parseUsd } from '@causeway/core/plugin'
import { NATIVE } from '../adapter/ledgerChain/src/address.js'

const dollars = (text: string): bigint => parseUsd(text) ?? 0n
const ONE = { least: dollars('1'), most: dollars('1') }

/** Lowest and highest price of a currency's whole unit within a time; all others than a coin are dollars. */
export const usdOver = (
  coinPrices: readonly { readonly since: number; readonly usd: string }[],
  currency: string,
  { from, until }: { readonly from: number; readonly until: number },
): { readonly least: bigint; readonly most: bigint } => {
  if (currency !== NATIVE) return ONE
  const stood = coinPrices
    .filter(({ since }, at) => since <= until && (coinPrices[at + 1]?.since ?? until + 1) > from)
    .map(({ usd }) => dollars(usd))
    .sort((left, right) => (left < right ? -1 : 1))
  return { least: stood[0] ?? 0n, most: stood.at(-1) ?? 0n }
}
