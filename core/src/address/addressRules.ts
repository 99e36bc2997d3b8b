import { token } from '../container/tokens.js'

/** What the operator knows of senders. */
export interface DepositAddressRules {
  /** Whether an account belongs to a custodian, so that what it sent must not go back to it by itself (wire.md E.5). */
  isCustodial(chainId: number, address: string): boolean
}

export const DEPOSIT_ADDRESS_RULES = token<DepositAddressRules>('core/DepositAddressRules')

/** Where nobody said more. */
export const NO_CUSTODIANS: DepositAddressRules = { isCustodial: () => false }
