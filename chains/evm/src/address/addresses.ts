import type { AddressCheck } from '@causeway/core/chain'
import { isAddress } from 'viem/utils'
import type { SwapSettings } from '../swap/swapSettings.js'

/** Native currency of every EVM chain. */
export const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Where signed deposits go through. Lower case. */
export interface PermitContracts {
  readonly router: string
  readonly permit2: string
}

/** Where this deployment's contracts are. */
export interface Contracts {
  readonly chainId: number
  readonly depository: string
  readonly fillRouter: string | null
  /** Makes deposit addresses and sweeps them; null: the chain has none. */
  readonly depositAddressFactory: string | null
  /** Factories that were replaced; the addresses they made are still swept. Lower case. */
  readonly formerDepositAddressFactories: readonly string[]
  /** Where currencies are exchanged, the swap router among it; null: nowhere. */
  readonly swap: SwapSettings | null
  /** Brings in deposits that users only sign for; null: nothing does. */
  readonly permits: PermitContracts | null
  /** Contracts that refuse to be called by a contract: what users want called there goes out from the lane's account. Lower case. */
  readonly directCallTargets: ReadonlySet<string>
  /** Most gas the router lets a recipient of native currency use. */
  readonly recipientGasLimit: bigint
}

const CAPITALS = /^0x[0-9A-F]{40}$/

/** Strict: a wrong mixed-case checksum is refused; digits in one case have none (EIP-55). The canonical form is lower case. */
export const validateAddress = (text: string): AddressCheck =>
  CAPITALS.test(text) || isAddress(text, { strict: true })
    ? { ok: true, canonical: text.toLowerCase() }
    : { ok: false, why: 'Expected 0x and 40 hex digits; letters in mixed case must match the checksum.' }

/** Addresses that clients send while no wallet is connected (wire.md 0.5); the second is used for one chain only. */
export const PLACEHOLDERS = [
  '0x000000000000000000000000000000000000dead',
  '0x00000000000000000000000000000000000dead0',
] as const

/** Precompiles and system contracts have numbers of at most two bytes; others mark native currency by the last two (ERC-7528). */
const OWNERLESS = /^0x(0{36}[0-9a-f]{4}|e{40}|f{40})$/

/** Whether a canonical address can have no key (`ChainAdapter.ownerless`). */
export const isOwnerless = (address: string): boolean => OWNERLESS.test(address)

/** Canonical currency id, or null when the text is no address. Case is free here: ids are not typed by hand. */
export const normalizeCurrency = (text: string): string | null =>
  /^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : null
