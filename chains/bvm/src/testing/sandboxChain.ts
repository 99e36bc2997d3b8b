import type { CurrencyConfig } from '@causeway/core/chain'
import { controlNode, type SandboxChain, wholeUnits } from '@causeway/core/testing'
import { NATIVE } from '../address/addresses.js'
import { accountOfSeed } from '../derive/depositAddress.js'
import { NETWORKS } from '../network/networks.js'

/** As configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: NATIVE,
  symbol: 'BTC',
  name: 'Bitcoin',
  decimals: 8,
  groupId: 'btc',
}

/** What the solver holds is in so many coins: payouts that wait for a block each need one. */
const SOLVER_COINS = 20n
const POLL_MS = 200

/** Deposits go to the address of the allocator's key, addresses are keys of a seed, and there are no tokens: parties are funded, nothing is deployed. */
export const sandboxChain: SandboxChain = {
  processWord: 'openLocalBitcoin',
  allocator: 'own',
  hasTokens: false,
  deploy: async ({ endpoint }, { payout, allocator, seed, users, solverHolds, userHolds, tokens }) => {
    if (tokens.length > 0) throw new Error('Bitcoin has no tokens.')
    const coin = {
      address: payout.address,
      value: wholeUnits(solverHolds.native, NATIVE_CURRENCY.decimals) / SOLVER_COINS,
    }
    const held = wholeUnits(userHolds.native, NATIVE_CURRENCY.decimals)
    await controlNode(endpoint.http, 'pay', [
      ...Array.from({ length: Number(SOLVER_COINS) }, () => coin),
      ...users.map((address) => ({ address, value: held })),
    ])
    const depository = allocator.address
    return {
      depository,
      options: {
        ...{ depository, network: 'regtest', startHeight: 0, pollIntervalMs: POLL_MS },
        ...(seed === undefined ? {} : { depositAccountKey: accountOfSeed(seed, NETWORKS.regtest).publicExtendedKey }),
      },
      currencies: [NATIVE_CURRENCY],
      unlisted: [],
    }
  },
}
