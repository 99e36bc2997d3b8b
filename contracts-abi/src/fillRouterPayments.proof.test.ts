import { type Address, getAddress, keccak256, parseEventLogs, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockingTokenAbi,
  blockingTokenBytecode,
  eventTopics,
  falseTokenAbi,
  falseTokenBytecode,
  fickleTokenAbi,
  fickleTokenBytecode,
  fillRouterAbi,
  fillRouterBytecode,
  forcedPaymentAbi,
  forcedPaymentBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  revertingRecipientAbi,
  revertingRecipientBytecode,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'

const id = keccak256(toHex('order'))
const metadata = ['Test', 'TST', 6] as const
const mode = { accept: 0, refuse: 1, refuseAtLength: 2, burnGas: 3, answerAtLength: 4 } as const

let chain: LocalChain
let router: Address

beforeAll(async () => {
  chain = await startLocalChain()
  router = await chain.deploy(fillRouterAbi, fillRouterBytecode)
})
afterAll(() => chain.stop())

const solver = () => chain.accountAt(1)
const stranger = () => chain.accountAt(2)
const payee = () => chain.accountAt(9).address

const fillNative = (to: Address, amount: bigint, gasLimit = 50_000n, value = amount) =>
  chain.send(solver(), {
    address: router,
    abi: fillRouterAbi,
    functionName: 'fillNative',
    args: [to, amount, gasLimit],
    value,
    trailing: id,
  })

const fillErc20 = (token: Address, to: Address, amount: bigint, account = solver()) =>
  chain.send(account, {
    address: router,
    abi: fillRouterAbi,
    functionName: 'fillErc20',
    args: [token, to, amount],
    trailing: id,
  })

async function hostile(behaviour: keyof typeof mode, length = 0n): Promise<Address> {
  const address = await chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)
  const args = [mode[behaviour], length]
  await chain.send(solver(), { address, abi: revertingRecipientAbi, functionName: 'setMode', args })
  return address
}

async function approved(token: Address, amount: bigint): Promise<Address> {
  const abi = noReturnTokenAbi // the shape without return values fits every token
  await chain.send(solver(), { address: token, abi, functionName: 'mint', args: [solver().address, amount] })
  await chain.send(solver(), { address: token, abi, functionName: 'approve', args: [router, amount] })
  return token
}

const balanceOf = (token: Address, owner: Address) =>
  chain.client.readContract({ address: token, abi: testTokenAbi, functionName: 'balanceOf', args: [owner] })
const nativeOf = (address: Address) => chain.client.getBalance({ address })

describe('fillNative', () => {
  it('pays and proves it by SolverNativeTransfer, with the order id behind the calldata (chains.md evm 5)', async () => {
    const before = await nativeOf(payee())
    const receipt = await fillNative(payee(), 25n, 0n)
    expect((await nativeOf(payee())) - before).toBe(25n)
    expect(receipt.logs.map(({ topics }) => topics)).toEqual([[eventTopics.solverNativeTransfer]])
    const [event] = parseEventLogs({ abi: fillRouterAbi, logs: receipt.logs })
    expect(event?.args).toEqual({ to: getAddress(payee()), amount: 25n })
    const { input } = await chain.client.getTransaction({ hash: receipt.transactionHash })
    expect(input.endsWith(id.slice(2))).toBe(true)
    expect(await nativeOf(router)).toBe(0n)
  })

  it('demands that the value is the amount', async () => {
    for (const value of [24n, 26n]) {
      expect(await revertOf(fillNative(payee(), 25n, 0n, value))).toMatchObject({ name: 'ValueMismatch' })
    }
  })

  it('pays neither the zero address nor itself', async () => {
    for (const to of [zeroAddress, router]) {
      expect(await revertOf(fillNative(to, 1n))).toMatchObject({ name: 'InvalidRecipient' })
    }
  })

  it('passes on why a recipient refuses (F62)', async () => {
    const failure = await revertOf(fillNative(await hostile('refuse'), 1n))
    expect(failure.name).toBe('PaymentFailed')
    expect(failure.args[0]).toContain(toHex('not welcome').slice(2))
  })

  it('cuts a long reason to 4096 bytes (F62)', async () => {
    const failure = await revertOf(fillNative(await hostile('refuseAtLength', 600_000n), 1n, 5_000_000n))
    expect(failure.name).toBe('PaymentFailed')
    expect(String(failure.args[0]).length).toBe(2 + 2 * 4096)
  })

  it('lets a recipient burn no more than the gas limit (F62)', async () => {
    const to = await hostile('burnGas')
    const request = { account: solver(), address: router, abi: fillRouterAbi, functionName: 'fillNative' } as const
    const hash = await chain.client.writeContract({ ...request, args: [to, 1n, 40_000n], value: 1n, gas: 3_000_000n })
    const receipt = await chain.client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('reverted')
    expect(receipt.gasUsed).toBeLessThan(120_000n)
  })

  it('does not copy a long answer (F62)', async () => {
    const receipt = await fillNative(await hostile('answerAtLength', 100_000n), 1n, 100_000n)
    expect(receipt.gasUsed).toBeLessThan(150_000n)
  })

  it('is not stopped by money forced in; it goes out with the next payment', async () => {
    await chain.deploy(forcedPaymentAbi, forcedPaymentBytecode, [router], 3n)
    expect(await nativeOf(router)).toBe(3n)
    await fillNative(payee(), 1n, 0n)
    expect(await nativeOf(router)).toBe(0n)
  })

  it('takes no native currency otherwise', async () => {
    await expect(chain.client.call({ account: solver(), to: router, value: 1n })).rejects.toThrow()
  })
})

describe('fillErc20', () => {
  it('moves straight from the solver to the recipient', async () => {
    const token = await approved(await chain.deploy(testTokenAbi, testTokenBytecode, metadata), 50n)
    const receipt = await fillErc20(token, payee(), 50n)
    const moves = parseEventLogs({ abi: testTokenAbi, logs: receipt.logs })
    expect(moves.map(({ args }) => args)).toEqual([
      { from: getAddress(solver().address), to: getAddress(payee()), value: 50n },
    ])
    expect(await balanceOf(token, router)).toBe(0n)
  })

  it('accepts a token that returns nothing, refuses one that answers false (F64)', async () => {
    const silent = await approved(await chain.deploy(noReturnTokenAbi, noReturnTokenBytecode, metadata), 5n)
    await fillErc20(silent, payee(), 5n)
    expect(await balanceOf(silent, payee())).toBe(5n)

    const lying = await approved(await chain.deploy(falseTokenAbi, falseTokenBytecode, metadata), 5n)
    await chain.send(solver(), { address: lying, abi: falseTokenAbi, functionName: 'setRefusing', args: [true] })
    expect(await revertOf(fillErc20(lying, payee(), 5n))).toMatchObject({ name: 'TransferFromFailed' })
  })

  it.each([
    ['answers false', 1],
    ['says true and moves nothing', 2],
    ['is paused', 3],
    ['takes a fee', 4],
  ] as const)('pays all or nothing of a token that %s in the block alone (F123)', async (_name, mood) => {
    const token = await approved(await chain.deploy(fickleTokenAbi, fickleTokenBytecode, metadata), 1_000n)
    const args = [mood, zeroAddress] as const
    await chain.send(solver(), { address: token, abi: fickleTokenAbi, functionName: 'setMood', args })
    const before = await balanceOf(token, solver().address)
    const hash = await chain.client.writeContract({
      account: solver(),
      address: router,
      abi: fillRouterAbi,
      functionName: 'fillErc20',
      args: [token, payee(), 1_000n],
      gas: 300_000n,
    })
    expect(await chain.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'reverted' })
    expect([await balanceOf(token, payee()), await balanceOf(token, solver().address)]).toEqual([0n, before])
  })

  it('refuses a token that is no contract, and a blocked recipient (F60)', async () => {
    expect(await revertOf(fillErc20(stranger().address, payee(), 5n))).toMatchObject({ name: 'TransferFromFailed' })
    const token = await approved(await chain.deploy(blockingTokenAbi, blockingTokenBytecode, metadata), 5n)
    await chain.send(solver(), { address: token, abi: blockingTokenAbi, functionName: 'block', args: [payee()] })
    expect(await revertOf(fillErc20(token, payee(), 5n))).toMatchObject({ name: 'TransferFromFailed' })
  })

  it('lets nobody but the solver use the solver’s allowance', async () => {
    const token = await approved(await chain.deploy(testTokenAbi, testTokenBytecode, metadata), 50n)
    expect(await revertOf(fillErc20(token, stranger().address, 50n, stranger()))).toMatchObject({
      name: 'TransferFromFailed',
    })
  })
})
