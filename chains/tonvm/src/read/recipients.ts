import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { Address } from '@ton/core'
import { NATIVE, NATIVE_RAW, PLACEHOLDER } from '../address/addresses.js'
import type { Asked } from '../rpc/tonApi.js'
import { askAccountNow } from './accounts.js'
import type { JettonWallets } from './jettonWallets.js'

export interface RecipientsDeps {
  readonly depository: string
  readonly wallets: JettonWallets
}

/** Named as user or recipient while no wallet is connected (wire.md 0.5). */
export const PLACEHOLDERS: readonly string[] = [Address.parse(PLACEHOLDER).toRawString()]

/** Whether no key can exist for an account: 32 zero bytes. */
export const isOwnerless = (account: string): boolean => account === NATIVE_RAW

/** Whether an account can be paid in a currency now, as one node shows it. */
export const readRecipient = async (
  asked: Asked,
  { to, currency }: { readonly to: Destination; readonly currency: string },
  { depository, wallets }: RecipientsDeps,
): Promise<RecipientStatus> => {
  const { address } = to
  if (PLACEHOLDERS.includes(address)) return { canReceive: true }
  if (address === depository) return { canReceive: false, why: 'The depository is not a recipient.' }
  const why = await refusalOf(asked, { address, currency }, wallets)
  return why === null ? { canReceive: true } : { canReceive: false, why }
}

/** Why an account cannot be paid; null: any account receives TON and jettons, also before it has code. */
export const refusalOf = async (
  asked: Asked,
  { address, currency }: { readonly address: string; readonly currency: string },
  wallets: JettonWallets,
): Promise<string | null> => {
  if (isOwnerless(address)) return 'No key exists for this account.'
  const { status } = await askAccountNow(asked, address)
  if (status === 'frozen') return 'The account is frozen because it owes rent. Its owner must restore it first.'
  if (currency === NATIVE) return null
  const wallet = await wallets.walletOf(asked, currency, address)
  return wallet === null ? 'The currency is no jetton.' : null
}
