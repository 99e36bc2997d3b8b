import type { CurrencyConfig } from '@causeway/core/chain'
import {
  controlNode,
  type DeploymentPlan,
  type LocalChain,
  type SandboxChain,
  wholeUnits,
} from '@causeway/core/testing'
import { depositKeyOf } from '../depositAddress/depositAddresses.js'
import { NATIVE } from './engine/funding.js'
import { networkOf } from './engine/tokens.js'

/** Perps USDC, as configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: NATIVE,
  symbol: 'USDC',
  name: 'USDC (perps)',
  decimals: 8,
  groupId: 'usdc',
}

const POLL_MS = 200
/** Places of a balance below the unit of the service. */
const MORE_PLACES = 2

/** Deposits go to the account of the allocator's key. Tokens are spot tokens with two decimal places more than the plan says. */
export const sandboxChain: SandboxChain = {
  processWord: 'openLocalHyperliquid',
  allocator: 'own',
  hasTokens: true,
  deploy: async (chain, plan) => {
    const depository = plan.allocator.address
    await controlNode(chain.endpoint.http, 'open', depository)
    const currencies = await createTokens(chain, plan)
    await fundAll(chain, plan, currencies)
    return {
      depository,
      options: {
        ...{ depository, testnet: networkOf(chain.chainId) === 'Testnet', pollIntervalMs: POLL_MS, lagMs: 0 },
        ...(plan.seed === undefined ? {} : { depositKey: depositKeyOf(plan.seed) }),
      },
      currencies: [NATIVE_CURRENCY, ...currencies],
      unlisted: [],
    }
  },
}

const createTokens = async (
  { endpoint }: LocalChain,
  { tokens }: DeploymentPlan,
): Promise<readonly CurrencyConfig[]> => {
  const created: CurrencyConfig[] = []
  for (const { standard: _, ...token } of tokens) {
    const { symbol: name, decimals: szDecimals } = token
    const draft = { name, szDecimals, weiDecimals: szDecimals + MORE_PLACES }
    created.push({ ...token, address: await controlNode<string>(endpoint.http, 'createToken', draft) })
  }
  return created
}

/** Gives solver and users what the plan says. */
const fundAll = async (
  chain: LocalChain,
  { payout, users, solverHolds, userHolds }: DeploymentPlan,
  currencies: readonly CurrencyConfig[],
): Promise<void> => {
  const holders = [{ address: payout.address, ...solverHolds }, ...users.map((address) => ({ address, ...userHolds }))]
  for (const { address, native, token } of holders) {
    if (native > 0n) await chain.fund(address, wholeUnits(native, NATIVE_CURRENCY.decimals))
    for (const { address: currency, decimals } of token > 0n ? currencies : [])
      await chain.fund(address, wholeUnits(token, decimals), currency)
  }
}
