import fc from 'fast-check'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  parseEventLogs,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockingTokenAbi,
  blockingTokenBytecode,
  callRunnerAbi,
  eventTopics,
  feeTokenAbi,
  feeTokenBytecode,
  fillRouterAbi,
  fillRouterBytecode,
  forcedPaymentAbi,
  forcedPaymentBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  reentrantTokenAbi,
  reentrantTokenBytecode,
  revertingRecipientAbi,
  revertingRecipientBytecode,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'

interface Call {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

interface Fill {
  readonly calls: readonly Call[]
  readonly token?: Address
  readonly tokenAmount?: bigint
  readonly value?: bigint
  readonly sweepTo?: Address
  readonly account?: ReturnType<LocalChain['accountAt']>
}

const id = keccak256(toHex('order'))
const metadata = ['Test', 'TST', 6] as const
/** Error selector of `Reentrancy()`. */
const REENTRANCY = '0xab143c06'

let chain: LocalChain
let router: Address
let token: Address

beforeAll(async () => {
  chain = await startLocalChain()
  router = await chain.deploy(fillRouterAbi, fillRouterBytecode)
  token = await approved(await chain.deploy(testTokenAbi, testTokenBytecode, metadata), 10n ** 12n)
})
afterAll(() => chain.stop())

const solver = () => chain.accountAt(1)
const stranger = () => chain.accountAt(2)
const payee = () => chain.accountAt(8).address
const user = () => chain.accountAt(9).address

const fillCalls = ({ calls, token: pulled = zeroAddress, tokenAmount = 0n, value = 0n, sweepTo, account }: Fill) =>
  chain.send(account ?? solver(), {
    address: router,
    abi: fillRouterAbi,
    functionName: 'fillCalls',
    args: [calls, pulled, tokenAmount, sweepTo ?? user()],
    value,
    trailing: id,
  })

async function approved(address: Address, amount: bigint): Promise<Address> {
  const abi = noReturnTokenAbi // the shape without return values fits every token
  await chain.send(solver(), { address, abi, functionName: 'mint', args: [solver().address, amount] })
  await chain.send(solver(), { address, abi, functionName: 'approve', args: [router, amount] })
  return address
}

const transferCall = (to: Address, amount: bigint, of = token): Call => ({
  to: of,
  data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [to, amount] }),
  value: 0n,
})
const pay = (to: Address, value: bigint): Call => ({ to, data: '0x', value })

const balanceOf = (owner: Address, of = token) =>
  chain.client.readContract({ address: of, abi: testTokenAbi, functionName: 'balanceOf', args: [owner] })
const nativeOf = (address: Address) => chain.client.getBalance({ address })

/** The runner that the next fill will create. */
async function nextRunner(): Promise<Address> {
  const nonce = await chain.client.getTransactionCount({ address: router })
  return getContractAddress({ from: router, nonce: BigInt(nonce) })
}

async function holdings(address: Address, of = token): Promise<readonly bigint[]> {
  return [await nativeOf(address), await balanceOf(address, of)]
}

describe('fillCalls', () => {
  it('runs the calls in order, proves each, and sweeps what is left (chains.md evm 5)', async () => {
    const runner = await nextRunner()
    const before = [...(await holdings(payee())), ...(await holdings(user()))]
    const calls = [transferCall(payee(), 30n), pay(payee(), 4n), { to: payee(), data: id, value: 1n }]
    const receipt = await fillCalls({ calls, token, tokenAmount: 50n, value: 9n })

    const after = [...(await holdings(payee())), ...(await holdings(user()))]
    expect(after.map((amount, at) => amount - (before[at] ?? 0n))).toEqual([5n, 30n, 4n, 20n])
    const events = parseEventLogs({ abi: fillRouterAbi, eventName: 'SolverCallExecuted', logs: receipt.logs })
    expect(events.map(({ args, topics }) => [topics[0], args.to, args.data, args.amount])).toEqual(
      calls.map(({ to, data, value }) => [eventTopics.solverCallExecuted, getAddress(to), data, value]),
    )
    expect(events.every(({ address }) => getAddress(address) === getAddress(router))).toBe(true)
    expect([await holdings(router), await holdings(runner)]).toEqual([
      [0n, 0n],
      [0n, 0n],
    ])
  })

  it('does nothing at all when one call fails, and says which and why (F62)', async () => {
    const hostile = await chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
    const be = (mode: number, length: bigint) =>
      chain.send(solver(), {
        address: hostile,
        abi: revertingRecipientAbi,
        functionName: 'setMode',
        args: [mode, length],
      })
    const fill = { calls: [transferCall(payee(), 30n), pay(hostile, 1n)], token, tokenAmount: 50n, value: 1n }
    const before = await balanceOf(payee())

    await be(1, 0n)
    const refusal = await revertOf(fillCalls(fill))
    expect([refusal.name, refusal.args[0]]).toEqual(['CallFailed', 1n])
    expect(refusal.args[1]).toContain(toHex('not welcome').slice(2))
    await be(2, 500_000n)
    expect(String((await revertOf(fillCalls(fill))).args[1]).length).toBe(2 + 2 * 4096)
    expect(await balanceOf(payee())).toBe(before)
  })

  it('cannot use allowances that solvers gave the router', async () => {
    const data = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'transferFrom',
      args: [solver().address, stranger().address, 1n],
    })
    const theft = { calls: [{ to: token, data, value: 0n }], account: stranger() }
    expect((await revertOf(fillCalls(theft))).name).toBe('CallFailed')
    // Not even by an order that the solver itself fills.
    expect((await revertOf(fillCalls({ calls: theft.calls }))).name).toBe('CallFailed')
    expect((await revertOf(fillCalls({ calls: [], token, tokenAmount: 1n, account: stranger() }))).name).toBe(
      'TransferFromFailed',
    )
  })

  it('leaves an order no approval that works in another one', async () => {
    const data = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'approve',
      args: [stranger().address, 1_000n],
    })
    const first = await nextRunner()
    await fillCalls({ calls: [{ to: token, data, value: 0n }] })
    expect(await nextRunner()).not.toBe(first)
    const allowance = (owner: Address) =>
      chain.client.readContract({
        address: token,
        abi: testTokenAbi,
        functionName: 'allowance',
        args: [owner, stranger().address],
      })
    expect([await allowance(first), await allowance(router), await allowance(await nextRunner())]).toEqual([
      1_000n,
      0n,
      0n,
    ])
  })

  it('takes native currency that calls pay back, even with the stipend only', async () => {
    const bank = await chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
    const runner = await nextRunner()
    const data = encodeFunctionData({ abi: revertingRecipientAbi, functionName: 'payByStipend', args: [runner, 7n] })
    const before = await nativeOf(user())
    await fillCalls({ calls: [pay(bank, 10n), { to: bank, data, value: 0n }], value: 10n })
    expect((await nativeOf(user())) - before).toBe(7n)
  })

  it('sweeps tokens without return value to the last unit (F64)', async () => {
    const token = await chain.deploy(noReturnTokenAbi, noReturnTokenBytecode, metadata)
    await approved(token, 1_000n)
    const runner = await nextRunner()
    await fillCalls({ calls: [], token, tokenAmount: 1_000n })
    expect([await holdings(router, token), await holdings(runner, token)]).toEqual([
      [0n, 0n],
      [0n, 0n],
    ])
    expect(await balanceOf(user(), token)).toBe(1_000n)
  })

  it('does nothing at all when less than the amount would be at the disposal of the calls (F123)', async () => {
    const token = await chain.deploy(feeTokenAbi, feeTokenBytecode, metadata)
    await approved(token, 1_000n)
    const fill = fillCalls({ calls: [], token, tokenAmount: 1_000n })
    expect(await revertOf(fill)).toMatchObject({ name: 'TransferFromFailed' })
    expect(await balanceOf(user(), token)).toBe(0n)
  })

  it('reverts when leftovers cannot be delivered (F60)', async () => {
    const blocking = await approved(await chain.deploy(blockingTokenAbi, blockingTokenBytecode, metadata), 10n)
    await chain.send(solver(), { address: blocking, abi: blockingTokenAbi, functionName: 'block', args: [user()] })
    expect(await revertOf(fillCalls({ calls: [], token: blocking, tokenAmount: 10n }))).toEqual({
      name: 'SweepFailed',
      args: [getAddress(blocking)],
    })
    const refusing = await chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
    await chain.send(solver(), {
      address: refusing,
      abi: revertingRecipientAbi,
      functionName: 'setMode',
      args: [1, 0n],
    })
    expect(await revertOf(fillCalls({ calls: [], value: 1n, sweepTo: refusing }))).toEqual({
      name: 'SweepFailed',
      args: [zeroAddress],
    })
    for (const sweepTo of [zeroAddress, router]) {
      expect((await revertOf(fillCalls({ calls: [], value: 1n, sweepTo }))).name).toBe('InvalidRecipient')
    }
  })

  it('sweeps money that was forced into or sent to the router', async () => {
    await chain.deploy(forcedPaymentAbi, forcedPaymentBytecode, [router], 3n)
    await chain.send(solver(), { address: token, abi: testTokenAbi, functionName: 'mint', args: [router, 11n] })
    const before = await holdings(user())
    await fillCalls({ calls: [], token })
    expect((await holdings(user())).map((amount, at) => amount - (before[at] ?? 0n))).toEqual([3n, 11n])
    expect(await holdings(router)).toEqual([0n, 0n])
  })
})

describe('call runner', () => {
  it('lets anybody send a token the fill did not name to the sweep account, and nowhere else', async () => {
    const runner = await nextRunner()
    const other = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    const mint = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [runner, 5n] })
    await fillCalls({ calls: [{ to: other, data: mint, value: 0n }] })
    await chain.send(stranger(), { address: runner, abi: callRunnerAbi, functionName: 'sweep', args: [other] })
    expect([await balanceOf(user(), other), await balanceOf(runner, other)]).toEqual([5n, 0n])
    const run = chain.send(stranger(), { address: runner, abi: callRunnerAbi, functionName: 'run', args: [[], other] })
    expect((await revertOf(run)).name).toBe('Unauthorized')
  })

  it('cannot be emptied by a callee in the middle of a fill', async () => {
    const reentrant = await approved(await chain.deploy(reentrantTokenAbi, reentrantTokenBytecode, metadata), 10n)
    const payload = encodeFunctionData({ abi: callRunnerAbi, functionName: 'sweep', args: [zeroAddress] })
    const runner = await nextRunner()
    await chain.send(solver(), {
      address: reentrant,
      abi: reentrantTokenAbi,
      functionName: 'arm',
      args: [runner, payload],
    })
    const calls = [transferCall(payee(), 4n, reentrant), pay(payee(), 5n)]
    const before = await nativeOf(payee())
    await fillCalls({ calls, token: reentrant, tokenAmount: 4n, value: 5n })
    expect((await nativeOf(payee())) - before).toBe(5n)
    const answer = { address: reentrant, abi: reentrantTokenAbi, functionName: 'answer' } as const
    expect(await chain.client.readContract(answer)).toBe(toFunctionSelector('Running()'))
  })
})

describe('reentrancy', () => {
  it('no function of the router runs inside another one', async () => {
    const reentrant = await approved(await chain.deploy(reentrantTokenAbi, reentrantTokenBytecode, metadata), 10n)
    const payloads = [
      encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillNative', args: [payee(), 0n, 0n] }),
      encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillErc20', args: [token, payee(), 0n] }),
      encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillCalls', args: [[], zeroAddress, 0n, payee()] }),
    ]
    for (const payload of payloads) {
      const arm = { address: reentrant, abi: reentrantTokenAbi, functionName: 'arm', args: [router, payload] }
      await chain.send(solver(), arm)
      await chain.send(solver(), {
        address: router,
        abi: fillRouterAbi,
        functionName: 'fillErc20',
        args: [reentrant, payee(), 1n],
      })
      const answer = { address: reentrant, abi: reentrantTokenAbi, functionName: 'answer' } as const
      expect(await chain.client.readContract(answer)).toBe(REENTRANCY)
      expect(await revertOf(fillCalls({ calls: [{ to: router, data: payload, value: 0n }] }))).toEqual({
        name: 'CallFailed',
        args: [0n, REENTRANCY],
      })
    }
  })
})

describe('property', () => {
  it('after any fill neither the router nor its runner holds anything', async () => {
    const amount = fc.bigInt({ min: 0n, max: 1_000n })
    const step = fc.record({ native: fc.boolean(), part: amount })
    const fill = fc.record({ tokenAmount: amount, value: amount, steps: fc.array(step, { maxLength: 4 }) })
    await fc.assert(
      fc.asyncProperty(fill, async ({ tokenAmount, value, steps }) => {
        const runner = await nextRunner()
        const calls = steps.map(({ native, part }) => (native ? pay(payee(), part) : transferCall(payee(), part)))
        const spent = (native: boolean) =>
          steps.reduce((sum, item) => (item.native === native ? sum + item.part : sum), 0n)
        const affordable = spent(true) <= value && spent(false) <= tokenAmount
        const before = [...(await holdings(payee())), ...(await holdings(user()))]

        const filling = fillCalls({ calls, token, tokenAmount, value })
        if (affordable) await filling
        else expect((await revertOf(filling)).name).toBe('CallFailed')

        const after = [...(await holdings(payee())), ...(await holdings(user()))]
        const expected = affordable
          ? [spent(true), spent(false), value - spent(true), tokenAmount - spent(false)]
          : [0n, 0n, 0n, 0n]
        expect(after.map((sum, at) => sum - (before[at] ?? 0n))).toEqual(expected)
        expect([...(await holdings(router)), ...(await holdings(runner))]).toEqual([0n, 0n, 0n, 0n])
      }),
      { numRuns: 25 },
    )
  })
})
