import { token } from '../../container/tokens.js'

/** Whom the wallets of this deployment may pay by an operator's order. */
export interface AllowedRecipient {
  readonly chainId: number
  /** With its tag or memo behind it, where it has one (`destinationText`). */
  readonly address: string
  /** Addresses of currencies; absent: any. */
  readonly currencies?: readonly string[] | undefined
  /** Most that it may be sent within any 24 hours, whole units by currency; a currency that is not named has no limit. */
  readonly perDay?: readonly { readonly currency: string; readonly amount: string }[] | undefined
}

/** What a process that signs takes of operators, from its own configuration. Nothing where no operator is named. */
export interface WalletPolicy {
  /** Addresses of operators' keys; any one of them suffices. */
  readonly operators: readonly string[]
  readonly allowed: readonly AllowedRecipient[]
}

export const WALLET_OFF: WalletPolicy = { operators: [], allowed: [] }

/** How the wallet is turned on, for whoever finds it off. */
export const WALLET_OFF_TEXT =
  'Wallet orders are off: the configuration names no operator. Make a key (causeway keys new operator, in a folder of its own) and put into the configuration of the ' +
  'process that signs: wallet: { operators: ["<address of that key>"], allowed: [{ chainId: 1, address: "<recipient>" }] }'

export const WALLET_POLICY = token<WalletPolicy>('core/WalletPolicy')
