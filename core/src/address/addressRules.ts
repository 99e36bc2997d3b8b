import { token } from '../container/tokens.js'

/** What the operator decides about addresses to pay to. */
export interface DepositAddressRules {
  /** Whether an account is of a custodian, such as an exchange, that cannot tell whose money comes back to it (wire.md E.5). */
  isCustodial(chainId: number, address: string): boolean
}

/** Registered by the plugin that gives addresses; where none does, nobody is custodial. */
export const DEPOSIT_ADDRESS_RULES = token<DepositAddressRules>('core/DepositAddressRules')
