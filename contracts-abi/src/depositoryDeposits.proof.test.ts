import { type Address, encodeFunctionData, keccak256, maxUint256, parseEventLogs, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockingTokenAbi,
  blockingTokenBytecode,
  depositoryAbi,
  depositoryBytecode,
  eventTopics,
  falseTokenAbi,
  falseTokenBytecode,
  feeTokenAbi,
  feeTokenBytecode,
  multiDepositAbi,
  multiDepositBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  reentrantTokenAbi,
  reentrantTokenBytecode,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'

const id = keccak256(toHex('order'))
const metadata = ['Test', 'TST', 6] as const

let chain: LocalChain
let depository: Address

beforeAll(async () => {
  chain = await startLocalChain()
  const { address } = chain.accountAt(0)
  depository = await chain.deploy(depositoryAbi, depositoryBytecode, [address, address])
})
afterAll(() => chain.stop())

const user = () => chain.accountAt(1)
const lower = (address: Address) => address.toLowerCase()

const deposit = (functionName: string, args: readonly unknown[], value = 0n) =>
  chain.send(user(), { address: depository, abi: depositoryAbi, functionName, args, value })

const balanceOf = (token: Address, owner: Address) =>
  chain.client.readContract({ address: token, abi: testTokenAbi, functionName: 'balanceOf', args: [owner] })

/** Mints to the user and approves `spender` for the same amount. */
async function fund(token: Address, amount: bigint, spender: Address = depository) {
  const abi = noReturnTokenAbi // the shape without return values fits every token
  await chain.send(user(), { address: token, abi, functionName: 'mint', args: [user().address, amount] })
  await chain.send(user(), { address: token, abi, functionName: 'approve', args: [spender, amount] })
}

const eventsOf = (receipt: Awaited<ReturnType<typeof deposit>>) =>
  parseEventLogs({ abi: depositoryAbi, logs: receipt.logs }).map(({ eventName, args }) => ({ eventName, args }))

describe('native deposits', () => {
  it('credit the named depositor', async () => {
    const other = chain.accountAt(2).address
    const receipt = await deposit('depositNative', [other, id], 7n)
    expect(eventsOf(receipt)).toEqual([{ eventName: 'RelayNativeDeposit', args: { from: other, amount: 7n, id } }])
    expect(receipt.logs[0]?.topics).toEqual([eventTopics.relayNativeDeposit])
  })

  it('credit the caller when the depositor is zero, and accept value 0 and trailing bytes', async () => {
    const receipt = await chain.send(user(), {
      address: depository,
      abi: depositoryAbi,
      functionName: 'depositNative',
      args: [zeroAddress, id],
      trailing: id,
    })
    expect(eventsOf(receipt)).toMatchObject([{ args: { from: user().address, amount: 0n } }])
  })

  it('are refused without an order id', async () => {
    await expect(chain.client.call({ account: user(), to: depository, value: 1n })).rejects.toThrow()
  })
})

describe('token deposits', () => {
  it('take the given amount', async () => {
    const token = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    await fund(token, 100n)
    const receipt = await deposit('depositErc20', [zeroAddress, token, 60n, id])
    expect(eventsOf(receipt)).toMatchObject([
      { eventName: 'RelayErc20Deposit', args: { from: user().address, amount: 60n, id } },
    ])
    expect(receipt.logs.map(({ topics }) => topics[0])).toEqual([eventTopics.transfer, eventTopics.relayErc20Deposit])
    expect(await balanceOf(token, depository)).toBe(60n)
  })

  it('take the whole allowance when no amount is given', async () => {
    const token = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    await fund(token, 100n)
    const receipt = await deposit('depositErc20', [chain.accountAt(2).address, token, id])
    expect(eventsOf(receipt)).toMatchObject([{ args: { from: chain.accountAt(2).address, amount: 100n, id } }])
    expect(await balanceOf(token, depository)).toBe(100n)
  })

  it('refuse more than the allowance, and a token that is no contract', async () => {
    const token = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    await fund(token, 5n)
    expect(await revertOf(deposit('depositErc20', [zeroAddress, token, 6n, id]))).toMatchObject({
      name: 'TransferFromFailed',
    })
    for (const args of [
      [zeroAddress, user().address, 6n, id],
      [zeroAddress, user().address, id],
    ]) {
      expect(await revertOf(deposit('depositErc20', args))).toMatchObject({ name: 'TransferFromFailed' })
    }
  })

  it('accept a token that returns nothing (F64)', async () => {
    const token = await chain.deploy(noReturnTokenAbi, noReturnTokenBytecode, metadata)
    await fund(token, 10n)
    expect(eventsOf(await deposit('depositErc20', [zeroAddress, token, 10n, id]))).toHaveLength(1)
    expect(await balanceOf(token, depository)).toBe(10n)
  })

  it('refuse a token that answers false (F64)', async () => {
    const token = await chain.deploy(falseTokenAbi, falseTokenBytecode, metadata)
    await fund(token, 10n)
    const refuse = (value: boolean) =>
      chain.send(user(), { address: token, abi: falseTokenAbi, functionName: 'setRefusing', args: [value] })
    await refuse(true)
    expect(await revertOf(deposit('depositErc20', [zeroAddress, token, 10n, id]))).toMatchObject({
      name: 'TransferFromFailed',
    })
    await refuse(false)
    await deposit('depositErc20', [zeroAddress, token, 10n, id])
    expect(await balanceOf(token, depository)).toBe(10n)
  })

  it('announce the argument while the Transfer log shows what arrived of a fee token (F07)', async () => {
    const token = await chain.deploy(feeTokenAbi, feeTokenBytecode, metadata)
    await fund(token, 100n)
    const receipt = await deposit('depositErc20', [zeroAddress, token, 100n, id])
    expect(eventsOf(receipt)).toMatchObject([{ args: { amount: 100n } }])
    const moved = parseEventLogs({ abi: testTokenAbi, eventName: 'Transfer', logs: receipt.logs })
    expect(moved.find(({ args }) => lower(args.to) === lower(depository))?.args.value).toBe(99n)
    expect(await balanceOf(token, depository)).toBe(99n)
  })

  it('refuse a blocked depositor', async () => {
    const token = await chain.deploy(blockingTokenAbi, blockingTokenBytecode, metadata)
    await fund(token, 10n)
    await chain.send(user(), { address: token, abi: blockingTokenAbi, functionName: 'block', args: [user().address] })
    expect(await revertOf(deposit('depositErc20', [zeroAddress, token, 10n, id]))).toMatchObject({
      name: 'TransferFromFailed',
    })
  })

  it('cannot be nested by a token that calls back', async () => {
    const token = await chain.deploy(reentrantTokenAbi, reentrantTokenBytecode, metadata)
    await fund(token, maxUint256)
    const payload = encodeFunctionData({
      abi: depositoryAbi,
      functionName: 'depositErc20',
      args: [user().address, token, 0n, id],
    })
    await chain.send(user(), {
      address: token,
      abi: reentrantTokenAbi,
      functionName: 'arm',
      args: [depository, payload],
    })
    const receipt = await deposit('depositErc20', [zeroAddress, token, 10n, id])
    expect(eventsOf(receipt)).toHaveLength(1)
    const read = { address: token, abi: reentrantTokenAbi } as const
    expect(await chain.client.readContract({ ...read, functionName: 'called' })).toBe(true)
    expect(await chain.client.readContract({ ...read, functionName: 'succeeded' })).toBe(false)
    expect(await chain.client.readContract({ ...read, functionName: 'answer' })).toBe('0xab143c06')
  })

  it('can be several with one order id in one transaction (F10)', async () => {
    const many = await chain.deploy(multiDepositAbi, multiDepositBytecode)
    const token = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    await fund(token, 30n, many)
    const receipt = await chain.send(user(), {
      address: many,
      abi: multiDepositAbi,
      functionName: 'depositMany',
      args: [
        depository,
        zeroAddress,
        id,
        [
          { token: zeroAddress, amount: 1n },
          { token, amount: 10n },
          { token: zeroAddress, amount: 2n },
          { token, amount: 20n },
        ],
      ],
      value: 3n,
    })
    expect(eventsOf(receipt).map(({ args }) => args)).toMatchObject(
      [1n, 10n, 2n, 20n].map((amount) => ({ from: user().address, amount, id })),
    )
  })
})
