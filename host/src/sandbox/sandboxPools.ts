import type { LocalEvmChain, LocalUniswap } from '@causeway/chain-evm/testing'
import type { CurrencyConfig } from '@causeway/core'
import { NATIVES, UNLISTED_TOKEN, USER_HOLDS, wholeUnits } from './chainPlans.js'

/** What the pools of a chain are made of. */
export interface PoolParts {
  readonly swapRouter: string
  readonly tokens: readonly CurrencyConfig[]
  readonly users: readonly string[]
}

/** Pools of Uniswap on a chain of the sandbox. */
export interface SandboxPools {
  readonly swap: ReturnType<LocalUniswap['options']>
  readonly token: Pick<CurrencyConfig, 'address' | 'symbol' | 'name' | 'decimals'>
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND'

/**
 * Puts Uniswap on a chain, with ether at 3,000 dollars and a token nobody lists at two, which the users get too. Null where
 * its contracts are not installed: the chain has no swaps then.
 */
export const openPools = async (chain: LocalEvmChain, parts: PoolParts): Promise<SandboxPools | null> => {
  const { deployUniswap } = await import('@causeway/chain-evm/testing')
  try {
    return await fillPools(chain, await deployUniswap(chain), parts)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const fillPools = async (
  chain: LocalEvmChain,
  uniswap: LocalUniswap,
  { swapRouter, tokens, users }: PoolParts,
): Promise<SandboxPools> => {
  const dollar = tokens.find(({ symbol }) => symbol === 'USDC')
  if (dollar === undefined) throw new Error('A chain of the sandbox has no USDC')
  const address = await chain.deployToken(UNLISTED_TOKEN)
  for (const user of users) await chain.fund(user, wholeUnits(USER_HOLDS.token, UNLISTED_TOKEN.decimals), address)
  const dollars = (amount: bigint) => ({ token: dollar.address, amount: wholeUnits(amount, dollar.decimals) })
  const ether = (amount: bigint) => ({ token: NATIVES.evm.address, amount: wholeUnits(amount, 18) })
  const coral = (amount: bigint) => ({ token: address, amount: wholeUnits(amount, UNLISTED_TOKEN.decimals) })
  await uniswap.createPair([ether(500n), dollars(1_500_000n)])
  await uniswap.createPool({ sides: [ether(500n), dollars(1_500_000n)], fee: 500 })
  await uniswap.createPair([coral(500_000n), dollars(1_000_000n)])
  await uniswap.createPool({ sides: [coral(600_000n), ether(400n)], fee: 3000 })
  return { swap: uniswap.options(swapRouter, { connectors: [dollar.address] }), token: { ...UNLISTED_TOKEN, address } }
}
