import type { CurrencyConfig } from '@causeway/core/chain'
import {
  controlNode,
  type DeploymentPlan,
  type LocalChain,
  type SandboxChain,
  type TestKey,
  wholeUnits,
} from '@causeway/core/testing'
import { newApiKey } from './apiKeySigner.js'
import { ownerOf } from './lighterWallet.js'

/** As configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: '0',
  symbol: 'USDC',
  name: 'Perps USDC',
  decimals: 6,
  groupId: 'usdc',
}

const SLOT = 2
const POLL_MS = 200
/** Micro-USDC that the operator leaves on the depository, for the fees of withdrawals. */
const FLOAT = 1_000_000_000n

/**
 * Deposits go to the account of the allocator's key. Solver and allocator have API keys, which the environment of a host holds. A token
 * with the symbol of a listed asset is that asset, with its decimals; any other becomes a spot asset.
 */
export const sandboxChain: SandboxChain = {
  processWord: 'openLocalLighter',
  allocator: 'own',
  hasTokens: true,
  deploy: async (chain, plan) => {
    const owned = [await openOwned(chain, plan.allocator), await openOwned(chain, plan.payout)]
    const tokens: CurrencyConfig[] = []
    for (const { standard: _, ...token } of plan.tokens) {
      const { id, decimals } = await controlNode<{ id: number; decimals: number }>(
        ...([chain.endpoint.http, 'listAsset', token.symbol, token.decimals] as const),
      )
      tokens.push({ ...token, decimals, address: `${id}` })
    }
    await fundAll(chain, plan, tokens)
    const response = await fetch(`${chain.endpoint.http}/info`)
    // CAST: the answer of the local exchange.
    const { contract_address: contractAddress } = (await response.json()) as { contract_address: string }
    // The float of the operator is no deposit.
    const startBlock = (await chain.height()) + 1
    await chain.advance()
    const depository = plan.allocator.address
    return {
      depository,
      options: {
        ...{ depository, accounts: owned.map(({ entry }) => entry), signingChainId: chain.chainId },
        ...{ contractAddress, startBlock, pollIntervalMs: POLL_MS },
      },
      environment: Object.fromEntries(owned.map(({ entry, apiKey }) => [entry.apiKeyVariable, apiKey])),
      currencies: [NATIVE_CURRENCY, ...tokens],
      unlisted: [],
    }
  },
}

/** Opens the account of a key of the operator, with an API key. */
const openOwned = async ({ chainId, endpoint }: LocalChain, { privateKey }: TestKey) => {
  const owner = ownerOf(privateKey).address.toLowerCase()
  const { privateKey: apiKey, publicKey } = await newApiKey()
  const account = await controlNode<string>(endpoint.http, 'openAccount', owner, { [SLOT]: publicKey })
  const apiKeyVariable = `LIGHTER_API_KEY_${chainId}_${account}`
  return { apiKey, entry: { account, owner, apiKeyIndex: SLOT, apiKeyVariable } }
}

/** Gives solver, depository and users what the plan says. */
const fundAll = async (
  chain: LocalChain,
  { payout, allocator, users, solverHolds, userHolds }: DeploymentPlan,
  tokens: readonly CurrencyConfig[],
): Promise<void> => {
  await chain.fund(allocator.address, FLOAT)
  const holders = [{ address: payout.address, ...solverHolds }, ...users.map((address) => ({ address, ...userHolds }))]
  for (const { address, native, token } of holders) {
    await chain.fund(address, wholeUnits(native, NATIVE_CURRENCY.decimals))
    for (const { address: currency, decimals } of token > 0n ? tokens : []) {
      await chain.fund(address, wholeUnits(token, decimals), currency)
    }
  }
}
