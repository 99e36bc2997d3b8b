import { testExchangeAbi, testExchangeBytecode } from '@causeway/contracts-abi'
import type { SwapOffer, SwapOrder } from '@causeway/core/chain'
import { encodeFunctionData, getAddress } from 'viem'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { routeJson } from '../swap/swapRoute.js'
import type { LocalEvmChain } from './node/localChain.js'

/** What a test wants of an exchange that gives whatever it is asked for. */
export interface TestTrade {
  readonly from: string
  readonly to: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Absent: `amountOut`. */
  readonly minimumOut?: bigint
  /** Input the exchange takes; absent: all. */
  readonly take?: bigint
}

/** An exchange with plenty of native currency and of the given tokens; every price is the test's. */
export const deployTestExchange = async (
  chain: LocalEvmChain,
  { swapRouter, tokens }: { readonly swapRouter: string; readonly tokens: readonly string[] },
): Promise<{ readonly address: string; order(trade: TestTrade): SwapOrder }> => {
  const address = await chain.deploy(testExchangeAbi, testExchangeBytecode)
  await chain.fund(address, 10n ** 24n)
  for (const token of tokens) await chain.fund(address, 10n ** 24n, token)
  const offer = ({ from, to, amountIn, amountOut, take = amountIn }: TestTrade): SwapOffer => {
    const args = [getAddress(from), take, getAddress(to), amountOut, getAddress(swapRouter)] as const
    const data = encodeFunctionData({ abi: testExchangeAbi, functionName: 'swap', args })
    const native = from === ZERO_ADDRESS
    const route = routeJson({
      kind: 'aggregator',
      to: address,
      data,
      value: native ? amountIn.toString() : '0',
      allowanceTarget: native ? null : address,
    })
    return { source: 'test', from, to, amountIn, amountOut, hops: 1, midAmountOut: null, gas: 165_000n, route }
  }
  return {
    address,
    order: (trade) => ({
      offer: offer(trade),
      minimumOut: trade.minimumOut ?? trade.amountOut,
      deadline: Math.floor(Date.now() / 1000) + 3600,
    }),
  }
}
