import type { CurrencyConfig } from '@causeway/core/chain'
import { type DeploymentPlan, type UnlistedCurrency, wholeUnits } from '@causeway/core/testing'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import type { SwapOptions } from '../../swap/swapOptions.js'
import type { LocalEvmChain } from '../node/localChain.js'
import { deployUniswap, type LocalUniswap } from './uniswap.js'

/** What the pools of a chain are made of. */
interface PoolParts {
  readonly swapRouter: string
  readonly tokens: readonly CurrencyConfig[]
  readonly plan: DeploymentPlan
}

/** Pools of Uniswap on a chain of the sandbox. */
interface SandboxPools {
  readonly swap: SwapOptions
  readonly token: UnlistedCurrency
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'

/**
 * Puts Uniswap on a chain, with ether at 3,000 dollars and the plan's unlisted token at two, which the users get too. Null where
 * the plan has no such token or no dollar, and where Uniswap's contracts are not installed: the chain has no swaps then.
 */
export const openSandboxPools = async (chain: LocalEvmChain, parts: PoolParts): Promise<SandboxPools | null> => {
  const { unlisted } = parts.plan
  const dollar = parts.tokens.find(({ groupId }) => groupId === 'usdc')
  if (unlisted === undefined || dollar === undefined) return null
  try {
    return await fillPools(chain, await deployUniswap(chain), { ...parts, unlisted, dollar })
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

interface FilledParts extends PoolParts {
  readonly unlisted: Omit<UnlistedCurrency, 'address'>
  readonly dollar: CurrencyConfig
}

const fillPools = async (
  chain: LocalEvmChain,
  uniswap: LocalUniswap,
  { swapRouter, plan, unlisted, dollar }: FilledParts,
): Promise<SandboxPools> => {
  const address = await chain.deployToken(unlisted)
  for (const user of plan.users) {
    await chain.fund(user, wholeUnits(plan.userHolds.token, unlisted.decimals), address)
  }
  const dollars = (amount: bigint) => ({ token: dollar.address, amount: wholeUnits(amount, dollar.decimals) })
  const ether = (amount: bigint) => ({ token: ZERO_ADDRESS, amount: wholeUnits(amount, 18) })
  const rare = (amount: bigint) => ({ token: address, amount: wholeUnits(amount, unlisted.decimals) })
  await uniswap.createPair([ether(500n), dollars(1_500_000n)])
  await uniswap.createPool({ sides: [ether(500n), dollars(1_500_000n)], fee: 500 })
  await uniswap.createPair([rare(500_000n), dollars(1_000_000n)])
  await uniswap.createPool({ sides: [rare(600_000n), ether(400n)], fee: 3000 })
  return { swap: uniswap.options(swapRouter, { connectors: [dollar.address] }), token: { ...unlisted, address } }
}
