import fc from 'fast-check'
import { type Address, encodeFunctionData, toFunctionSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  forcedPaymentAbi,
  forcedPaymentBytecode,
  reentrantTokenAbi,
  reentrantTokenBytecode,
  revertingRecipientAbi,
  revertingRecipientBytecode,
  swapRouterAbi,
  testExchangeAbi,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'
import { type Call, type Exchange, ID, type SwapChanges, startExchange } from './swapRouter.test.support.js'

let chain: LocalChain
let market: Exchange
let sold: Address
let bought: Address

beforeAll(async () => {
  chain = await startLocalChain()
  market = await startExchange(chain)
  sold = await market.token(testTokenAbi, testTokenBytecode)
  bought = await market.token(testTokenAbi, testTokenBytecode)
})
afterAll(() => chain.stop())

const stranger = () => chain.accountAt(2)
const leftovers = () => chain.accountAt(7).address
const recipient = () => chain.accountAt(8).address

const send = async (
  functionName: string,
  changes: SwapChanges,
  args: readonly unknown[],
  { value = 0n, account = market.payer } = {},
) =>
  chain.send(account, {
    address: market.router,
    abi: swapRouterAbi,
    functionName,
    args: [await market.swapOf(changes), ...args],
    value,
  })

const swapTo = (changes: SwapChanges, options = {}) =>
  send('swapTo', changes, [recipient(), ID, 0n, zeroAddress], options)
const trade = (): SwapChanges => ({ tokenIn: sold, amountIn: 100n, tokenOut: bought, amountOut: 55n })
const transferFrom = (from: Address): Call => ({
  to: sold,
  data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transferFrom', args: [from, stranger().address, 1n] }),
  value: 0n,
})

describe('money of others', () => {
  it('allowances given to the router are of use to nobody but their giver', async () => {
    const theft = { ...trade(), calls: [transferFrom(market.payer.address)], minimumOut: 0n }
    expect((await revertOf(swapTo({ ...theft, amountIn: 0n }, { account: stranger() }))).name).toBe('SwapFailed')
    expect((await revertOf(swapTo(trade(), { account: stranger() }))).name).toBe('TransferFromFailed')
    const fill = send('fillSwap', trade(), [[transferFrom(market.payer.address)], recipient(), 0n])
    expect((await revertOf(fill)).name).toBe('CallFailed')
  })

  it('what lies in the router is nobody’s output, leftover or top-up', async () => {
    await chain.deploy(forcedPaymentAbi, forcedPaymentBytecode, [market.router], 1_000n)
    for (const token of [sold, bought]) {
      const write = { address: token, abi: testTokenAbi, functionName: 'mint', args: [market.router, 1_000n] }
      await chain.send(stranger(), write)
    }
    const currencies = [zeroAddress, sold, bought] as const
    const held = () => Promise.all(currencies.map((currency) => market.balanceOf(market.router, currency)))
    expect(await held()).toEqual([1_000n, 1_000n, 1_000n])
    for (const tokenIn of currencies) {
      for (const tokenOut of currencies.filter((currency) => currency !== tokenIn)) {
        const changes = { tokenIn, tokenOut, amountIn: 10n, take: 5n, amountOut: 5n, minimumOut: 6n }
        const options = { value: tokenIn === zeroAddress ? 10n : 0n }
        expect(await revertOf(swapTo(changes, options))).toEqual({ name: 'TooLittleReceived', args: [5n] })
        const paid = await market.changeOf(
          [
            [recipient(), tokenOut],
            [leftovers(), tokenIn],
          ],
          () => swapTo({ ...changes, minimumOut: 5n }, options),
        )
        expect(paid).toEqual([5n, 5n])
      }
    }
    expect(await held()).toEqual([1_000n, 1_000n, 1_000n])
  })

  it('a depository that takes nothing keeps no allowance', async () => {
    const idle = await chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
    const nothing = send('swapAndDeposit', trade(), [idle, recipient(), ID])
    expect(await revertOf(nothing)).toEqual({ name: 'TooLittleReceived', args: [0n] })
    await send('swapAndDeposit', { ...trade(), minimumOut: 0n }, [idle, recipient(), ID])
    const allowance = await chain.client.readContract({
      address: bought,
      abi: testTokenAbi,
      functionName: 'allowance',
      args: [market.router, idle],
    })
    expect(allowance).toBe(0n)
  })

  it('takes native currency only while a swap runs', async () => {
    const payment = chain.client.sendTransaction({ account: stranger(), to: market.router, value: 1n })
    await expect(payment).rejects.toThrow()
  })
})

describe('exchanges that lie', () => {
  it('are judged by what they gave', async () => {
    const honesty = (taken: bigint, given: bigint) =>
      chain.send(stranger(), {
        address: market.exchange,
        abi: testExchangeAbi,
        functionName: 'setHonesty',
        args: [taken, given],
      })
    await honesty(10_000n, 9_000n)
    expect(await revertOf(swapTo({ ...trade(), amountOut: 100n }))).toEqual({ name: 'TooLittleReceived', args: [90n] })
    await honesty(20_000n, 10_000n)
    // More than the input is not there to be taken.
    expect((await revertOf(swapTo(trade()))).name).toBe('SwapFailed')
    await honesty(0n, 10_000n)
    expect(await market.changeOf([[leftovers(), sold]], () => swapTo(trade()))).toEqual([100n])
    await honesty(10_000n, 10_000n)
  })
})

describe('reentrancy', () => {
  it('no function of the router runs inside another one, and no runner is emptied in between', async () => {
    const reentrant = await market.token(reentrantTokenAbi, reentrantTokenBytecode)
    const swap = await market.swapOf({ ...trade(), amountIn: 0n, calls: [] })
    const payloads = [
      encodeFunctionData({
        abi: swapRouterAbi,
        functionName: 'swapTo',
        args: [swap, recipient(), ID, 0n, zeroAddress],
      }),
      encodeFunctionData({
        abi: swapRouterAbi,
        functionName: 'swapAndDeposit',
        args: [swap, market.exchange, recipient(), ID],
      }),
      encodeFunctionData({ abi: swapRouterAbi, functionName: 'fillSwap', args: [swap, [], recipient(), 0n] }),
    ]
    const answer = () =>
      chain.client.readContract({ address: reentrant, abi: reentrantTokenAbi, functionName: 'answer' })
    const arm = (target: Address, payload: string) =>
      chain.send(stranger(), {
        address: reentrant,
        abi: reentrantTokenAbi,
        functionName: 'arm',
        args: [target, payload],
      })
    for (const payload of payloads) {
      await arm(market.router, payload)
      await swapTo({ ...trade(), tokenOut: reentrant })
      expect(await answer()).toBe(toFunctionSelector('Reentrancy()'))
      const calls = [{ to: market.router, data: payload, value: 0n }]
      expect((await revertOf(swapTo({ ...trade(), calls, minimumOut: 0n }))).name).toBe('SwapFailed')
    }
    await arm(zeroAddress, '0x')
  })
})

describe('refusals', () => {
  it('of senseless recipients, currencies and values', async () => {
    for (const to of [zeroAddress, market.router]) {
      expect((await revertOf(send('swapTo', trade(), [to, ID, 0n, zeroAddress]))).name).toBe('InvalidRecipient')
      expect((await revertOf(send('fillSwap', trade(), [[], to, 0n]))).name).toBe('InvalidRecipient')
      expect((await revertOf(swapTo({ ...trade(), leftoverTo: to }))).name).toBe('InvalidRecipient')
      expect((await revertOf(send('swapTo', trade(), [recipient(), ID, 1n, to]))).name).toBe('InvalidRecipient')
    }
    expect((await revertOf(swapTo({ ...trade(), tokenOut: sold }))).name).toBe('SameCurrency')
    expect((await revertOf(swapTo(trade(), { value: 1n }))).name).toBe('ValueMismatch')
    const fill = send('fillSwap', trade(), [[], recipient(), 2n], { value: 1n })
    expect((await revertOf(fill)).name).toBe('ValueMismatch')
  })
})

describe('property', () => {
  it('input taken is fee, use and leftover; the router and its runner hold nothing afterwards', async () => {
    const currency = fc.constantFrom(0, 1, 2)
    const amount = fc.bigInt({ min: 0n, max: 1_000n })
    const run = fc.record({ from: currency, to: currency, amountIn: amount, take: amount, out: amount, least: amount })
    const currencies = [zeroAddress, sold, bought] as const
    const held = (owner: Address) => Promise.all(currencies.map((item) => market.balanceOf(owner, item)))
    await fc.assert(
      fc.asyncProperty(run, async ({ from, to, amountIn, take, out, least }) => {
        fc.pre(from !== to && take <= amountIn)
        const tokenIn = currencies[from] ?? zeroAddress
        const tokenOut = currencies[to] ?? zeroAddress
        const runner = await market.nextRunner()
        const stray = await held(market.router)
        const changes = { tokenIn, amountIn, take, tokenOut, amountOut: out, minimumOut: least }
        const watched = [
          [recipient(), tokenOut],
          [leftovers(), tokenIn],
        ] as const
        const moved = await market.changeOf(watched, async () => {
          const swapping = swapTo(changes, { value: tokenIn === zeroAddress ? amountIn : 0n })
          if (out >= least) await swapping
          else expect((await revertOf(swapping)).name).toBe('TooLittleReceived')
        })
        expect(moved).toEqual(out >= least ? [out, amountIn - take] : [0n, 0n])
        expect(await held(market.router)).toEqual(stray)
        expect(await held(runner)).toEqual([0n, 0n, 0n])
      }),
      { numRuns: 25 },
    )
  })
})
