import { encodeFunctionData, getAddress, type Hex, maxUint256, parseAbi } from 'viem'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import type { LocalAccount, LocalEvmChain } from '../node/localChain.js'
import { sendMined } from '../node/sendMined.js'

/** Two currencies and how much of each the pool gets, smallest units. */
export type PoolSeed = readonly [PoolSide, PoolSide]

interface PoolSide {
  readonly token: string
  readonly amount: bigint
}

export interface RangedPoolSeed {
  readonly sides: PoolSeed
  /** Millionths: 100, 500, 3000 or 10000. */
  readonly fee: number
  /** Ticks of the position, multiples of the spacing of the tier; absent: the whole range. */
  readonly range?: { readonly lower: number; readonly upper: number }
}

interface Place {
  readonly chain: LocalEvmChain
  readonly wrappedNative: string
}

const abi = parseAbi([
  'function deposit() payable',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function getPair(address a, address b) view returns (address)',
  'function createPair(address a, address b) returns (address)',
  'function mint(address to) returns (uint256)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address)',
])

const positionsAbi = parseAbi([
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])

/** Its nonces are its own: funding and deploying use another account. */
const provider = ({ chain }: Place): LocalAccount => {
  const account = chain.accounts[8]
  if (account === undefined) throw new Error('The local chain has too few accounts.')
  return account
}

export const createPair = async (seed: PoolSeed, place: Place & { readonly factory: string }): Promise<string> => {
  const { chain, factory } = place
  const account = provider(place)
  const sides = await fundSides(seed, place)
  const args = [getAddress(sides[0].token), getAddress(sides[1].token)] as const
  const find = async () => {
    const data = encodeFunctionData({ abi, functionName: 'getPair', args })
    return `0x${(await chain.rpc<string>('eth_call', [{ to: factory, data }, 'latest'])).slice(-40)}`
  }
  if ((await find()) === ZERO_ADDRESS) {
    await sendMined(chain, account, {
      to: factory,
      data: encodeFunctionData({ abi, functionName: 'createPair', args }),
    })
  }
  const pair = await find()
  for (const { token, amount } of sides) {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [getAddress(pair), amount] })
    await sendMined(chain, account, { to: token, data })
  }
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [account.address] })
  await sendMined(chain, account, { to: pair, data })
  return pair
}

export const createPool = async (
  { sides: seed, fee, range }: RangedPoolSeed,
  place: Place & { readonly positions: string },
): Promise<string> => {
  const { chain, positions } = place
  const account = provider(place)
  const [left, right] = await fundSides(seed, place)
  const tokens = [getAddress(left.token), getAddress(right.token), fee] as const
  const price = squareRoot((right.amount << 192n) / left.amount)
  const create = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [...tokens, price],
  })
  const answer = await chain.rpc<Hex>('eth_call', [{ from: account.address, to: positions, data: create }, 'latest'])
  await sendMined(chain, account, { to: positions, data: create })
  for (const { token } of [left, right]) {
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [getAddress(positions), maxUint256] })
    await sendMined(chain, account, { to: token, data })
  }
  const { lower, upper } = range ?? wholeRange(fee)
  const params = {
    token0: tokens[0],
    token1: tokens[1],
    fee,
    tickLower: lower,
    tickUpper: upper,
    amount0Desired: left.amount,
    amount1Desired: right.amount,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: account.address,
    deadline: maxUint256,
  }
  const data = encodeFunctionData({ abi: positionsAbi, functionName: 'mint', args: [params] })
  // What it writes depends on the second it is mined in, so an estimate may fall short.
  await sendMined(chain, account, { to: positions, data, gas: 3_000_000n })
  return `0x${answer.slice(-40)}`
}

/** Both sides in the order of their addresses, in the hands of the provider. */
const fundSides = async (seed: PoolSeed, place: Place): Promise<PoolSeed> => {
  const [a, b] = [await fundSide(seed[0], place), await fundSide(seed[1], place)]
  return a.token < b.token ? [a, b] : [b, a]
}

const fundSide = async ({ token, amount }: PoolSide, place: Place): Promise<PoolSide> => {
  const { chain, wrappedNative } = place
  const account = provider(place)
  if (token !== ZERO_ADDRESS && token !== wrappedNative) {
    await chain.fund(account.address, amount, token)
    return { token, amount }
  }
  await chain.fund(account.address, amount)
  const data = encodeFunctionData({ abi, functionName: 'deposit' })
  await sendMined(chain, account, { to: wrappedNative, data, value: amount })
  return { token: wrappedNative, amount }
}

const SPACINGS: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }
const MAX_TICK = 887_272

const wholeRange = (fee: number) => {
  const spacing = SPACINGS[fee] ?? 1
  const upper = Math.floor(MAX_TICK / spacing) * spacing
  return { lower: -upper, upper }
}

/** Whole part, by Newton's method. */
const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next
  return root
}
