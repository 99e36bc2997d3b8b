import { type Json, larger, smaller } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'

/** How far the head that is known may be above the real one (faults.md F131). */
const MADE_UP = 64n

/** The locator of what is signed now: a height above which alone blocks can hold it. Empty while no head is known. */
export const signedAbove = (head: Pick<BlockRef, 'height'> | null): { readonly locator?: Json } =>
  head === null ? {} : { locator: { above: larger(head.height - MADE_UP, 0n).toString() } }

/** The least of these heights; null where a transaction has none, as one that an older release signed. */
export const oldestOf = (
  txIds: readonly string[],
  locators: Readonly<Record<string, Json>> | undefined,
): bigint | null => {
  const heights = txIds.map((txId) => heightIn(locators?.[txId]))
  const [first = null, ...more] = heights
  return more.reduce((least, height) => (least === null || height === null ? null : smaller(least, height)), first)
}

const heightIn = (locator: Json | undefined): bigint | null => {
  const above: unknown = Reflect.get(Object(locator), 'above')
  return typeof above === 'string' && /^[0-9]{1,20}$/.test(above) ? BigInt(above) : null
}
