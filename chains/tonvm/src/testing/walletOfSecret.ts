import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV5R1 } from '@ton/ton'

/** Keys of 32 secret bytes. */
export const keysOfSecret = (secret: Uint8Array) => keyPairFromSeed(Buffer.from(secret))

/** The wallet v5r1 of 32 secret bytes, of the main network. */
export const walletOfSecret = (secret: Uint8Array): WalletContractV5R1 =>
  WalletContractV5R1.create({ publicKey: keysOfSecret(secret).publicKey })
