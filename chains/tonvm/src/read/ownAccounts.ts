import type { OwnAccountQuestions } from '@causeway/core/chain-kit'
import { type AddressRules, NATIVE, normalizeCurrency } from '../address/addresses.js'
import type { AccountState, Asked } from '../rpc/tonApi.js'
import { askAccountNow } from './accounts.js'
import type { JettonWallets } from './jettonWallets.js'

/** Answers about accounts by one node. */
export const accountQuestions = (
  asked: Asked,
  rules: AddressRules,
  wallets: JettonWallets,
): OwnAccountQuestions<AccountState> => ({
  native: { symbol: 'TON', unit: 'nanotons' },
  read: async ({ address }) => {
    const state = await askAccountNow(asked, address)
    return state.status === 'uninitialized' && state.balance === 0n ? null : state
  },
  funds: async ({ balance }) => ({ held: balance, reserve: 0n }),
  closed: (_, { status }) =>
    status === 'frozen'
      ? {
          message: 'is frozen, because it owed rent for too long',
          remedy: 'Send the account TON together with its initial state, which restores it.',
        }
      : null,
  usedByOthers: async () => [],
  holds: async ({ address, failing }, { address: configured, symbol }) => {
    const currency = normalizeCurrency(configured, rules)
    if (currency === null || currency === NATIVE) return null
    const check = `jetton ${symbol}`
    if ((await wallets.walletOf(asked, currency, address)) !== null)
      return { check, state: 'ok', message: 'holds or may hold it' }
    return {
      ...{ check, state: 'fault' },
      message: `cannot be paid in it, so ${failing} in it: its contract names no wallet`,
      remedy: 'Correct the address of the master in the currencies of this chain.',
    }
  },
})
