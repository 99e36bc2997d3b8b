import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Abi, encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import type { SwapOptions } from '../../swap/swapOptions.js'
import type { LocalEvmChain } from '../node/localChain.js'
import { sendMined } from '../node/sendMined.js'
import { createPair, createPool, type PoolSeed, type RangedPoolSeed } from './uniswapPools.js'

/** Uniswap's own contracts on a local chain, with Multicall3. */
export interface LocalUniswap {
  readonly wrappedNative: string
  readonly multicall: string
  readonly v2: { readonly factory: string; readonly router: string }
  readonly v3: {
    readonly factory: string
    readonly quoter: string
    readonly router: string
    readonly positions: string
  }
  /** `options.swap` with both versions, named `uniswap-v2` and `uniswap-v3`; `router` is the service's own contract. */
  options(router: string, changes?: Partial<SwapOptions>): SwapOptions
  /** Makes a V2 pair of test tokens, or adds to it; the zero address stands for native currency. Returns its address. */
  createPair(seed: PoolSeed): Promise<string>
  /** Makes a V3 pool whose first price is that of the amounts, or adds a position to it. Returns its address. */
  createPool(seed: RangedPoolSeed): Promise<string>
}

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}

/** The contracts are optional peers: they are looked for only when somebody deploys them. */
const artifact = (path: string): Artifact => {
  const { abi, bytecode } = createRequire(import.meta.url)(`@uniswap/${path}.json`) as { abi: Abi; bytecode: string }
  return { abi, bytecode: bytecode.startsWith('0x') ? (bytecode as Hex) : `0x${bytecode}` }
}

/** viem carries the bytecode of Multicall3 without exporting it. */
const multicallBytecode = (): Hex => {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('viem/package.json'))
  return (require(join(folder, '_cjs/constants/contracts.js')) as { multicall3Bytecode: Hex }).multicall3Bytecode
}

const V3 = 'v3-periphery/artifacts/contracts'

/** Deploys Uniswap V2 and V3 with WETH9; the 0.01 % tier of V3 is enabled as on public chains. */
export const deployUniswap = async (chain: LocalEvmChain): Promise<LocalUniswap> => {
  const deploy = (path: string, ...args: readonly unknown[]) => {
    const { abi, bytecode } = artifact(path)
    return chain.deploy(abi, bytecode, args)
  }
  const wrappedNative = await deploy('v2-periphery/build/WETH9')
  const v2 = await deployV2(deploy, wrappedNative)
  const v3Factory = await deploy('v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory')
  const v3 = {
    factory: v3Factory,
    quoter: await deploy(`${V3}/lens/QuoterV2.sol/QuoterV2`, v3Factory, wrappedNative),
    router: await deploy(`${V3}/SwapRouter.sol/SwapRouter`, v3Factory, wrappedNative),
    positions: await deploy(
      `${V3}/NonfungiblePositionManager.sol/NonfungiblePositionManager`,
      v3Factory,
      wrappedNative,
      ZERO_ADDRESS,
    ),
  }
  await enableLowestTier(chain, v3Factory)
  const multicall = await chain.deploy([], multicallBytecode())
  const parts = { chain, wrappedNative }
  return {
    wrappedNative,
    multicall,
    v2,
    v3,
    options: (router, changes = {}) => ({
      router,
      wrappedNative,
      multicall,
      uniswapV2: [{ name: 'uniswap-v2', factory: v2.factory, router: v2.router }],
      uniswapV3: [{ name: 'uniswap-v3', factory: v3.factory, quoter: v3.quoter, router: v3.router }],
      ...changes,
    }),
    createPair: (seed) => createPair(seed, { ...parts, factory: v2.factory }),
    createPool: (seed) => createPool(seed, { ...parts, positions: v3.positions }),
  }
}

const deployV2 = async (
  deploy: (path: string, ...args: readonly unknown[]) => Promise<string>,
  wrappedNative: string,
): Promise<LocalUniswap['v2']> => {
  const factory = await deploy('v2-core/build/UniswapV2Factory', ZERO_ADDRESS)
  const router = artifact('v2-periphery/build/UniswapV2Router02')
  const pairHash = keccak256(artifact('v2-core/build/UniswapV2Pair').bytecode)
  if (!router.bytecode.includes(pairHash.slice(2))) {
    throw new Error('The Uniswap V2 router looks for other pairs than its factory makes.')
  }
  return { factory, router: await deploy('v2-periphery/build/UniswapV2Router02', factory, wrappedNative) }
}

const enableLowestTier = async (chain: LocalEvmChain, factory: string): Promise<void> => {
  const abi = parseAbi(['function enableFeeAmount(uint24 fee, int24 tickSpacing)'])
  const data = encodeFunctionData({ abi, functionName: 'enableFeeAmount', args: [100, 1] })
  const deployer = chain.accounts.at(-1)
  if (deployer === undefined) throw new Error('The local chain has no accounts.')
  await sendMined(chain, deployer, { to: factory, data })
}
