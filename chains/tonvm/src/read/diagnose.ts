import { type ChainDiagnosis, diagnoseHistory, type OwnAccountQuestions } from '@causeway/core/chain-kit'
import { type AddressRules, NATIVE, normalizeCurrency } from '../address/addresses.js'
import type { TonSettings } from '../options.js'
import { LAG_BLOCKS } from '../rpc/probe.js'
import type { AccountState, Asked, TonNode } from '../rpc/tonApi.js'
import { askAccountNow, askBlock, askNewest } from './accounts.js'
import type { JettonWallets } from './jettonWallets.js'

/** A masterchain block comes every few seconds: without one for so long the network stands still, or the node does. */
const STALE_SECONDS = 60

/** How `doctor` checks the nodes of a network. */
export const chainDiagnosis = ({
  genesisHash,
  startBlock: start,
}: TonSettings): Omit<ChainDiagnosis<TonNode>, 'onChain'> => ({
  ...{ unit: 'masterchain block', maxBehind: LAG_BLOCKS, staleSeconds: STALE_SECONDS },
  otherChain: {
    message: 'serves another network by its zero state',
    ...(genesisHash === null ? {} : { expected: genesisHash }),
    remedy: 'Correct the URL, or "genesisHash" in the chain\'s options.',
  },
  read: async (node, subject) => {
    const { height, time } = await askNewest(node)
    const history = async () => {
      const isThere = start === null || (await askBlock(node, BigInt(start))) !== null
      return diagnoseHistory(subject, { unit: 'block', option: 'startBlock', start, since: isThere ? 0n : height })
    }
    return { height, time, history }
  },
})

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
