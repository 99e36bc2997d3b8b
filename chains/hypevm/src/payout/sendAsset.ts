import { amountText } from '../address/amounts.js'
import type { Asset } from '../rpc/tokens.js'

/** Fields of a transfer as it is signed, in the order of its typed data (chains.md hypevm 3). */
export const SEND_ASSET_TYPES = {
  'HyperliquidTransaction:SendAsset': [
    { name: 'hyperliquidChain', type: 'string' },
    { name: 'destination', type: 'string' },
    { name: 'sourceDex', type: 'string' },
    { name: 'destinationDex', type: 'string' },
    { name: 'token', type: 'string' },
    { name: 'amount', type: 'string' },
    { name: 'fromSubAccount', type: 'string' },
    { name: 'nonce', type: 'uint64' },
  ],
} as const

export const SEND_ASSET_PRIMARY_TYPE = 'HyperliquidTransaction:SendAsset'

/** Parameters of a transfer of an asset within its exchange. */
export interface SendAsset {
  readonly hyperliquidChain: 'Mainnet' | 'Testnet'
  readonly destination: string
  readonly sourceDex: string
  readonly destinationDex: string
  /** Symbol and token id. */
  readonly token: string
  /** Decimal text. */
  readonly amount: string
  readonly fromSubAccount: string
  readonly nonce: number
}

/** EIP-155 ids that actions of this service are signed for; wallets name their own (chains.md hypevm 10). */
const SIGNATURE_CHAINS = { mainnet: 42_161, testnet: 421_614 } as const

export const signatureChainOf = (isTestnet: boolean): number =>
  isTestnet ? SIGNATURE_CHAINS.testnet : SIGNATURE_CHAINS.mainnet

/** A transfer from an account's balance in an exchange to another account's in the same exchange. */
export const sendAssetOf = (
  { dex, symbol, tokenId, decimals }: Asset,
  { to, amount, nonce, isTestnet }: { to: string; amount: bigint; nonce: number; isTestnet: boolean },
): SendAsset => ({
  hyperliquidChain: isTestnet ? 'Testnet' : 'Mainnet',
  ...{ destination: to, sourceDex: dex, destinationDex: dex, token: `${symbol}:${tokenId}` },
  ...{ amount: amountText(amount, decimals), fromSubAccount: '', nonce },
})
