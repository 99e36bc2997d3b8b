import { createHash } from 'node:crypto'
import type { Hex } from '@causeway/core'
import { privateKeyToAccount } from 'viem/accounts'

/** Somebody who has a balance; signs by a key of its own. */
export interface BalanceWallet {
  /** In lower case. */
  readonly address: string
  /** What a claim of this id is signed with; hex. */
  sign(id: Hex): Promise<Hex>
}

const walletNamed = (name: string): BalanceWallet => {
  const key = createHash('sha256').update(`causeway simulation wallet ${name}`).digest('hex')
  const account = privateKeyToAccount(`0x${key}`)
  return {
    address: account.address.toLowerCase(),
    sign: (id) => account.signMessage({ message: { raw: id } }),
  }
}

/** The first is linked to whoever asks hosts for quotes, until an operator links another one. */
export const BALANCE_WALLETS = [walletNamed('1'), walletNamed('2'), walletNamed('3')] as const
