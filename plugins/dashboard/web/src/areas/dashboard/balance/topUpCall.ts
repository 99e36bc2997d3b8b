/** By which a deposit names the wallet whose balance it becomes (wire.md 4.12): 32 bytes. */
export const topUpMarker = (wallet: string): string => `012345abcdef${wallet.toLowerCase().slice(2)}012345abcdef`

const TRANSFER = '0xa9059cbb'
const word = (hex: string): string => hex.padStart(64, '0')

/** Calldata of a token's transfer to the deposit contract, with the marker behind it. */
export const topUpData = (depository: string, amount: string, wallet: string): string =>
  `${TRANSFER}${word(depository.toLowerCase().slice(2))}${word(BigInt(amount).toString(16))}${topUpMarker(wallet)}`
