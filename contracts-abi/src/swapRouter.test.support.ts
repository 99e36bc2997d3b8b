import { type Address, encodeFunctionData, getContractAddress, type Hex, keccak256, toHex, zeroAddress } from 'viem'
import {
  noReturnTokenAbi,
  swapRouterAbi,
  swapRouterBytecode,
  testExchangeAbi,
  testExchangeBytecode,
  testTokenAbi,
} from './index.js'
import type { LocalChain } from './localChain.test.support.js'

export interface Call {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** Of a swap, what a test wants otherwise. */
export interface SwapChanges {
  readonly tokenIn?: Address
  readonly amountIn?: bigint
  readonly tokenOut?: Address
  readonly minimumOut?: bigint
  readonly amountOut?: bigint
  /** What the exchange is asked to take, when it is not all of the input. */
  readonly take?: bigint
  /** Where the exchange pays: the runner, unless said otherwise. */
  readonly payTo?: Address
  readonly deadline?: bigint
  readonly leftoverTo?: Address
  readonly calls?: readonly Call[]
}

export const ID = keccak256(toHex('order'))
export const METADATA = ['Test', 'TST', 6] as const
const FAR = 10n ** 12n

/** A chain with a swap router and an exchange that has plenty of everything given to it. */
export const startExchange = async (chain: LocalChain) => {
  const router = await chain.deploy(swapRouterAbi, swapRouterBytecode)
  const exchange = await chain.deploy(testExchangeAbi, testExchangeBytecode)
  const payer = chain.accountAt(1)
  await chain.client.setBalance({ address: exchange, value: 10n ** 20n })

  /** The runner that the `ahead`-th next clone will be. */
  const nextRunner = async (ahead = 0): Promise<Address> => {
    const nonce = await chain.client.getTransactionCount({ address: router })
    return getContractAddress({ from: router, nonce: BigInt(nonce + ahead) })
  }

  /** A token of which the payer and the exchange have some; the payer allows the router to take its own. */
  const token = async (abi: Parameters<LocalChain['deploy']>[0], bytecode: Hex): Promise<Address> => {
    const address = await chain.deploy(abi, bytecode, METADATA)
    const write = { address, abi: noReturnTokenAbi }
    for (const owner of [payer.address, exchange]) {
      await chain.send(payer, { ...write, functionName: 'mint', args: [owner, 10n ** 12n] })
    }
    await chain.send(payer, { ...write, functionName: 'approve', args: [router, 10n ** 12n] })
    return address
  }

  const exchangeCalls = async (changes: SwapChanges): Promise<readonly Call[]> => {
    const { tokenIn = zeroAddress, amountIn = 0n, tokenOut = zeroAddress, amountOut = 0n, take = amountIn } = changes
    const payTo = changes.payTo ?? (await nextRunner())
    const args = [tokenIn, take, tokenOut, amountOut, payTo] as const
    const data = encodeFunctionData({ abi: testExchangeAbi, functionName: 'swap', args })
    const swap = { to: exchange, data, value: tokenIn === zeroAddress ? amountIn : 0n }
    if (tokenIn === zeroAddress) return [swap]
    const allow = encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [exchange, amountIn] })
    return [{ to: tokenIn, data: allow, value: 0n }, swap]
  }

  /** Argument `swap` of the router's functions. */
  const swapOf = async (changes: SwapChanges) => ({
    calls: changes.calls ?? (await exchangeCalls(changes)),
    tokenIn: changes.tokenIn ?? zeroAddress,
    amountIn: changes.amountIn ?? 0n,
    tokenOut: changes.tokenOut ?? zeroAddress,
    minimumOut: changes.minimumOut ?? changes.amountOut ?? 0n,
    deadline: changes.deadline ?? FAR,
    leftoverTo: changes.leftoverTo ?? chain.accountAt(7).address,
  })

  const balanceOf = (owner: Address, of: Address): Promise<bigint> =>
    of === zeroAddress
      ? chain.client.getBalance({ address: owner })
      : chain.client.readContract({ address: of, abi: testTokenAbi, functionName: 'balanceOf', args: [owner] })

  /** By how much `action` changes the balances. */
  const changeOf = async (watched: readonly (readonly [Address, Address])[], action: () => Promise<unknown>) => {
    const read = () => Promise.all(watched.map(([owner, of]) => balanceOf(owner, of)))
    const before = await read()
    await action()
    const after = await read()
    return after.map((amount, at) => amount - (before[at] ?? 0n))
  }

  return { router, exchange, payer, nextRunner, token, swapOf, balanceOf, changeOf }
}

export type Exchange = Awaited<ReturnType<typeof startExchange>>
