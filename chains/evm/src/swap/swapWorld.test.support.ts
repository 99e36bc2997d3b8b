import { fillRouterAbi, testTokenAbi } from '@causeway/contracts-abi'
import type { SwapOrder } from '@causeway/core/chain'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { type LocalAccount, type LocalEvmChain, startLocalChain } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { deployUniswap, type LocalUniswap } from '../testing/uniswap/uniswap.js'
import { swapCalls } from './swapCalls.js'
import { resolveSwapOptions, type SwapSettings } from './swapSettings.js'

export const WHOLE = 10n ** 18n
/** Stand for the swap router and for the owner of leftovers: accounts nobody pays otherwise. */
export const RECEIVER = `0x${'5a'.repeat(20)}`
const LEFTOVERS = `0x${'5b'.repeat(20)}`

/** A chain with Uniswap, two tokens (A of 18 decimals, B of 6) and a solver that holds plenty of A. */
export interface SwapWorld {
  readonly chain: LocalEvmChain
  readonly uniswap: LocalUniswap
  readonly settings: SwapSettings
  readonly solver: LocalAccount
  readonly tokenA: string
  readonly tokenB: string
  balance(owner: string, currency: string): Promise<bigint>
  allowRunners(token: string): Promise<void>
  /** Runs the calls of an order in a fresh runner that holds the input; tells what came of it. */
  run(order: SwapOrder): Promise<{ readonly received: bigint; readonly left: bigint }>
}

export const startSwapWorld = async (chainId: number): Promise<SwapWorld> => {
  const chain = await startLocalChain({ chainId })
  const solver = chain.accounts[1] as LocalAccount
  const { fillRouter } = await chain.deployContracts({ owner: solver.address, allocator: solver.address })
  const tokenA = await chain.deployToken({ name: 'A', symbol: 'A', decimals: 18 })
  const tokenB = await chain.deployToken({ name: 'B', symbol: 'B', decimals: 6 })
  const uniswap = await deployUniswap(chain)
  const settings = resolveSwapOptions(uniswap.options(RECEIVER))
  await chain.fund(solver.address, 1000n * WHOLE, tokenA)

  const balance = async (owner: string, currency: string): Promise<bigint> => {
    if (currency === ZERO_ADDRESS) return BigInt(await chain.rpc<string>('eth_getBalance', [owner, 'latest']))
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'balanceOf', args: [getAddress(owner)] })
    return BigInt(await chain.rpc<string>('eth_call', [{ to: currency, data }, 'latest']))
  }
  const allowRunners = async (token: string) => {
    const args = [getAddress(fillRouter), 2n ** 255n] as const
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args })
    await sendMined(chain, solver, { to: token, data })
  }
  const run = async (order: SwapOrder) => {
    const { from, to, amountIn } = order.offer
    const calls = swapCalls(order, { swapRouter: RECEIVER, settings }).map((call) => ({ ...call, to: call.to as Hex }))
    const native = from === ZERO_ADDRESS
    const args = [calls, getAddress(from), native ? 0n : amountIn, getAddress(LEFTOVERS)] as const
    const data = encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillCalls', args })
    const before = [await balance(RECEIVER, to), await balance(LEFTOVERS, from)] as const
    await sendMined(chain, solver, { to: fillRouter, data, value: native ? amountIn : 0n, gas: 2_000_000n })
    return {
      received: (await balance(RECEIVER, to)) - before[0],
      left: (await balance(LEFTOVERS, from)) - before[1],
    }
  }
  await allowRunners(tokenA)
  await allowRunners(uniswap.wrappedNative)
  await sendMined(chain, solver, { to: uniswap.wrappedNative, data: '0xd0e30db0', value: 10n * WHOLE })
  return { chain, uniswap, settings, solver, tokenA, tokenB, balance, allowRunners, run }
}

/** An order that runs for another hour. */
export const soonOrder = (offer: SwapOrder['offer'], minimumOut = 1n): SwapOrder => ({
  offer,
  minimumOut,
  deadline: Math.floor(Date.now() / 1000) + 3600,
})
