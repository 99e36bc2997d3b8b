import type { ChainAdapter } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { token } from '../container/tokens.js'
import type { Currency } from '../money/currency/currency.js'

/** The parts of an adapter that say whether an address can have an owner. */
export type Ownership = Pick<ChainAdapter, 'native' | 'placeholders' | 'ownerless' | 'sameAddress'>

/** Why money paid to a canonical address would be lost on any chain of its kind, as the end of a sentence; null: an owner is possible. */
export const whyOwnerless = (adapter: Ownership, address: string): string | null => {
  const same = (other: string): boolean => adapter.sameAddress(address, other)
  if (same(adapter.native.address)) return 'is the address that stands for the native currency'
  if (adapter.placeholders?.some(same) === true) return 'is the placeholder of a wallet that is not connected'
  return adapter.ownerless?.(address) === true ? 'is an address without an owner' : null
}

/** Why nothing should ever be paid to an address, as the end of a sentence, or null (wire.md K.1 6); `tokens` are those of its chain. */
export const whyNotPayable = (
  { adapter }: Pick<Chain, 'adapter'>,
  tokens: readonly Currency[],
  address: string,
): string | null => {
  const same = (other: string): boolean => adapter.sameAddress(address, other)
  const why = whyOwnerless(adapter, address)
  if (why !== null) return why
  if (same(adapter.depository)) return 'is the depository contract'
  const { wrappedNative = null, router = null } = adapter.swaps ?? {}
  if (wrappedNative !== null && same(wrappedNative)) return 'is a token contract'
  if (router !== null && same(router)) return 'is the contract that swaps'
  if (adapter.fillContract !== null && same(adapter.fillContract)) return 'is the contract that pays out'
  return tokens.some((currency) => same(currency.address)) ? 'is a token contract' : null
}

/** Whom the operator's lists name (wire.md C.1). */
export interface RecipientScreening {
  /** Throws ServiceError `SANCTIONED_WALLET_ADDRESS`, `BLOCKED_WALLET_ADDRESS`, as the lists are now. */
  screen(recipient: string): void
}

export const RECIPIENT_SCREENING = token<RecipientScreening>('core/RecipientScreening')
