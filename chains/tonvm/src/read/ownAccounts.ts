import type { ChainConfig, Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { type OwnAccountQuestions, type OwnAccountsTerms, verifyOwnAccounts } from '@causeway/core/chain-kit'
import { NATIVE, normalizeCurrency, validateAddress } from '../address/addresses.js'
import type { TonSettings } from '../options.js'
import type { AccountState, Asked } from '../rpc/tonApi.js'
import { askAccount, askNewest } from './accounts.js'
import type { JettonWallets } from './jettonWallets.js'

export interface OwnAccountsDeps {
  readonly config: ChainConfig
  readonly settings: TonSettings
  readonly wallets: JettonWallets
}

/** The accounts of the deployment. @param allocator address of the allocator key; null where this process has none */
export const ownAccountsOf = (
  { config, settings: { depository, depositAccount, isTestnet } }: OwnAccountsDeps,
  { allocator }: Pick<DiagnosisRequest, 'allocator'>,
): OwnAccountsTerms => ({
  ...{ config, depository, depositAccount, allocator },
  validateAddress: (text) => validateAddress(text, { isTestnet }),
})

/** Compares the accounts of the deployment with the network. @throws ServiceError if the node does not answer */
export const verifyAccounts = (
  asked: Asked,
  deps: OwnAccountsDeps,
  request: Pick<DiagnosisRequest, 'allocator'>,
): Promise<readonly Diagnosis[]> => verifyOwnAccounts(ownAccountsOf(deps, request), accountQuestions(asked, deps))

/** Answers about accounts by one node. */
export const accountQuestions = (
  asked: Asked,
  { settings: { isTestnet }, wallets }: OwnAccountsDeps,
): OwnAccountQuestions<AccountState> => ({
  native: { symbol: 'TON', unit: 'nanotons' },
  read: async ({ address }) => {
    const { height } = await askNewest(asked)
    const state = await askAccount(asked, address, height)
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
    const currency = normalizeCurrency(configured, { isTestnet })
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
