import type { OwnAccountQuestions } from '@causeway/core/chain-kit'
import { NATIVE, normalizeCurrency } from '../address/addresses.js'
import { askRole, isUnified } from '../rpc/accounts.js'
import type { Asked } from '../rpc/exchangeNode.js'
import type { Assets } from '../rpc/tokens.js'
import { askBalance } from './balances.js'

/** An account of the deployment. */
export interface AccountState {
  readonly role: string
  readonly isUnified: boolean
  /** Perps USDC in the service's unit. */
  readonly balance: bigint
}

/** Answers about accounts by one API server. */
export const accountQuestions = (asked: Asked, assets: Assets): OwnAccountQuestions<AccountState> => ({
  native: { symbol: 'USDC', unit: 'hundred-millionths of a USDC' },
  read: async ({ address }) => {
    const role = await askRole(asked, address)
    if (role === 'missing') return null
    const native = await assets.find(NATIVE)
    const [unified, balance] = await Promise.all([
      isUnified(asked, address),
      native === null ? 0n : askBalance(asked, address, native),
    ])
    return { role, isUnified: unified, balance }
  },
  // Transfers cost nothing, and accounts keep no reserve; the solver pays for new accounts.
  funds: async ({ balance }, { role }) => (role === 'depository' ? null : { held: balance, reserve: 0n }),
  closed: (_, { role }) =>
    role === 'user'
      ? null
      : { message: `has the role ${role}, which no plain account has`, remedy: 'Configure an account of its own key.' },
  usedByOthers: async (_, { isUnified: unified }) =>
    unified
      ? [
          {
            check: 'account mode',
            state: 'fault',
            message:
              'joins the balances of several exchanges, so deposits in one currency could be paid out in another',
            remedy: 'Turn the unified account off in the settings of the exchange.',
          },
        ]
      : [],
  holds: async (_, { address: configured, symbol }) => {
    const currency = normalizeCurrency(configured)
    const isThere = currency !== null && (await assets.find(currency)) !== null
    if (isThere) return null
    const message = 'is not a currency of this exchange'
    return { check: `token ${symbol}`, state: 'fault', message, remedy: `Remove ${configured} from the currencies.` }
  },
})
