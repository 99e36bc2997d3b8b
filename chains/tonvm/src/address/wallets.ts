import type { Cell } from '@ton/core'
import { WalletContractV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletContractV5R1.js'

/** A wallet v5r1. */
export interface Wallet {
  /** Raw form. */
  readonly address: string
  /** Of its subwallet and network, which every request of the wallet repeats. */
  readonly walletId: number
  readonly init: { readonly code: Cell; readonly data: Cell }
}

/** State of a wallet v5r1, as its data cell holds it. */
export interface WalletState {
  /** The number that its next request takes. */
  readonly seqno: bigint
  readonly walletId: number
}

/** The wallet v5r1 of an ed25519 key on the network of a global id, subwallet 0 (chains.md tonvm 5). */
export const walletOfKey = (publicKey: Uint8Array, networkGlobalId: number): Wallet => {
  const { address, init } = WalletContractV5R1.create({
    publicKey: Buffer.from(publicKey),
    walletId: { networkGlobalId, context: { workchain: 0, walletVersion: 'v5r1', subwalletNumber: 0 } },
  })
  return { address: address.toRawString(), walletId: readWalletState(init.data).walletId, init }
}

/** @throws Error for the data of another contract */
export const readWalletState = (data: Cell): WalletState => {
  const slice = data.beginParse()
  slice.skip(1)
  return { seqno: BigInt(slice.loadUint(32)), walletId: slice.loadUint(32) }
}
