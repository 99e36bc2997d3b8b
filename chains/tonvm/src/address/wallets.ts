import type { Cell } from '@ton/core'
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1.js'

/** The wallet v5r1 of an ed25519 key on the network of a global id, subwallet 0 (chains.md tonvm 5). */
export const walletOfKey = (publicKey: Uint8Array, networkGlobalId: number): WalletContractV5R1 =>
  WalletContractV5R1.create({
    publicKey: Buffer.from(publicKey),
    walletId: { networkGlobalId, context: { workchain: 0, walletVersion: 'v5r1', subwalletNumber: 0 } },
  })

/** Raw address of the wallet of a key. */
export const addressOfKey = (publicKey: Uint8Array, networkGlobalId: number): string =>
  walletOfKey(publicKey, networkGlobalId).address.toRawString()

/** The public key of a wallet v5r1, by its data cell. @throws Error for the data of another contract */
export const readPublicKey = (data: Cell): Uint8Array => data.beginParse().skip(65).loadBuffer(32)

/** The number that the next request of a wallet v5r1 takes, by its data cell. @throws Error for the data of another contract */
export const readSeqno = (data: Cell): bigint => BigInt(data.beginParse().skip(1).loadUint(32))
