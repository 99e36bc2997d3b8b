import type { Hex } from '@causeway/core'
import type { CurrencyConfig } from '@causeway/core/chain'
import { type DeploymentPlan, type SandboxChain, wholeUnits } from '@causeway/core/testing'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { allowRouters } from './allowRouters.js'
import { adoptLocalChain, type LocalEvmChain } from './node/localChain.js'
import { placePermit2 } from './permit2.js'
import { openSandboxPools } from './uniswap/sandboxPools.js'

/** As configurations list it. */
export const NATIVE: CurrencyConfig = {
  address: ZERO_ADDRESS,
  symbol: 'ETH',
  name: 'Ether',
  decimals: 18,
  groupId: 'eth',
}

/** Contracts, tokens, allowances of the solver, Permit2, and pools of Uniswap where its contracts are installed. */
export const sandboxChain: SandboxChain = {
  processWord: 'anvil',
  allocator: 'shared',
  sendsForUsers: true,
  hasTokens: true,
  deploy: async ({ endpoint, pid }, plan) => {
    const chain = await adoptLocalChain({ rpcUrl: endpoint.http, pid: pid ?? 0 })
    const { address: owner } = plan.allocator
    const deployed = await chain.deployContracts({ owner, allocator: owner })
    const { depository, fillRouter, swapRouter, depositAddressFactory, permitRouter } = deployed
    await placePermit2(chain)
    const tokens = await makeTokens(chain, plan)
    // CAST: an address of this chain is hex text.
    const payer = { ...plan.payout, address: plan.payout.address as Hex }
    const held = tokens.map(({ address }) => address)
    await allowRouters(chain, payer, { tokens: held, routers: [fillRouter, swapRouter] })
    const pools = await openSandboxPools(chain, { swapRouter, tokens, plan })
    return {
      depository,
      options: {
        depository,
        fillRouter,
        depositAddressFactory,
        permitRouter,
        startBlock: 0,
        ...(pools === null ? {} : { swap: pools.swap }),
      },
      currencies: [NATIVE, ...tokens],
      unlisted: pools === null ? [] : [pools.token],
    }
  },
}

/** Users sign for the dollar (EIP-3009, EIP-2612), as they do on public chains; for the other tokens by Permit2. */
const kindOf = (symbol: string) => (symbol === 'USDC' ? 'authorization' : 'standard')

/** Makes the tokens and gives every party what it is to hold. */
const makeTokens = async (chain: LocalEvmChain, plan: DeploymentPlan): Promise<readonly CurrencyConfig[]> => {
  const tokens: CurrencyConfig[] = []
  for (const { standard: _, ...token } of plan.tokens) {
    tokens.push({ ...token, address: await chain.deployToken({ ...token, kind: kindOf(token.symbol) }) })
  }
  const solver = { address: plan.payout.address, ...plan.solverHolds }
  if (plan.origin !== undefined)
    await chain.fund(plan.origin.address, wholeUnits(plan.solverHolds.native, NATIVE.decimals))
  for (const holder of [solver, ...plan.users.map((address) => ({ address, ...plan.userHolds }))]) {
    await chain.fund(holder.address, wholeUnits(holder.native, NATIVE.decimals))
    for (const { address, decimals } of tokens) {
      await chain.fund(holder.address, wholeUnits(holder.token, decimals), address)
    }
  }
  return tokens
}
