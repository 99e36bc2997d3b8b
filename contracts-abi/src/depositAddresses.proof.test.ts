import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  parseEventLogs,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  blockingTokenAbi,
  blockingTokenBytecode,
  depositAddressFactoryAbi,
  depositAddressFactoryBytecode,
  depositoryAbi,
  depositoryBytecode,
  depositReceiverAbi,
  feeTokenAbi,
  feeTokenBytecode,
  formerDepositAddressFactoryAbi,
  formerDepositAddressFactoryBytecode,
  noReturnTokenAbi,
  noReturnTokenBytecode,
  sweepThenPayAbi,
  sweepThenPayBytecode,
  testTokenAbi,
  testTokenBytecode,
} from './index.js'
import { type LocalChain, revertOf, startLocalChain } from './localChain.test.support.js'

const metadata = ['Test', 'TST', 6] as const

let chain: LocalChain
let depository: Address
let factory: Address
let ids = 0

beforeAll(async () => {
  chain = await startLocalChain()
  const { address } = chain.accountAt(0)
  depository = await chain.deploy(depositoryAbi, depositoryBytecode, [address, address])
  factory = await chain.deploy(depositAddressFactoryAbi, depositAddressFactoryBytecode, [depository])
})
afterAll(() => chain.stop())

const depositor = () => chain.accountAt(1).address
const freshId = (): Hex => keccak256(toHex(`order ${++ids}`))

const addressOf = (id: Hex, of = depositor(), made = factory): Promise<Address> =>
  chain.client.readContract({
    address: made,
    abi: depositAddressFactoryAbi,
    functionName: 'computeDepositAddress',
    args: [id, of],
  })

/** A plain payment with what a careful sender gives it. */
const pay = async (to: Address, value: bigint) => {
  const hash = await chain.client.sendTransaction({ account: chain.accountAt(2), to, value, gas: 21_000n })
  expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
}

const sweep = (id: Hex, tokens: readonly Address[], of = depositor(), made = factory) =>
  chain.send(chain.accountAt(3), {
    address: made,
    abi: depositAddressFactoryAbi,
    functionName: 'sweep',
    args: [id, of, tokens],
  })

const eventsOf = ({ logs }: Awaited<ReturnType<typeof sweep>>) =>
  parseEventLogs({ abi: depositoryAbi, logs }).map(({ eventName, args }) => ({ eventName, args }))

const balance = (address: Address) => chain.client.getBalance({ address })

const mint = (token: Address, to: Address, amount: bigint) =>
  chain.send(chain.accountAt(2), { address: token, abi: noReturnTokenAbi, functionName: 'mint', args: [to, amount] })

const tokensOf = (token: Address, owner: Address) =>
  chain.client.readContract({ address: token, abi: testTokenAbi, functionName: 'balanceOf', args: [owner] })

describe('an address of an order id and a depositor', () => {
  it('follows from both and the factory alone, so that whoever knows them can tell it (CREATE2)', async () => {
    const id = freshId()
    const implementation = await chain.client.readContract({
      address: factory,
      abi: depositAddressFactoryAbi,
      functionName: 'receiverImplementation',
    })
    const salt = keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [id, depositor()]))
    const bytecode: Hex = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`
    expect(await addressOf(id)).toBe(getCreate2Address({ from: factory, salt, bytecode }))
    expect(await addressOf(id, chain.accountAt(5).address)).not.toBe(await addressOf(id))
    expect(await addressOf(freshId())).not.toBe(await addressOf(id))
  })

  it('has its native currency deposited under its id for its depositor, whoever asks for it', async () => {
    const id = freshId()
    await pay(await addressOf(id), 7n)
    const before = await balance(depository)
    const receipt = await sweep(id, [zeroAddress])
    expect(eventsOf(receipt)).toEqual([
      { eventName: 'RelayNativeDeposit', args: { from: depositor(), amount: 7n, id } },
    ])
    expect((await balance(depository)) - before).toBe(7n)
    expect(await balance(await addressOf(id))).toBe(0n)
  })

  it('has no code afterwards: a plain payment of 21000 gas reaches it again, and is swept again', async () => {
    const id = freshId()
    const address = await addressOf(id)
    for (const amount of [3n, 4n]) {
      await pay(address, amount)
      const receipt = await sweep(id, [])
      expect(eventsOf(receipt)).toMatchObject([{ args: { amount, id } }])
      expect(await chain.client.getCode({ address })).toBeUndefined()
    }
  })

  it('has several tokens and the native currency deposited at once; what holds nothing is passed over', async () => {
    const id = freshId()
    const address = await addressOf(id)
    const plain = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    const silent = await chain.deploy(noReturnTokenAbi, noReturnTokenBytecode, metadata)
    const empty = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    await mint(plain, address, 11n)
    await mint(silent, address, 13n)
    await pay(address, 5n)
    expect(eventsOf(await sweep(id, [plain, empty, silent]))).toEqual([
      { eventName: 'RelayErc20Deposit', args: { from: depositor(), token: getAddress(plain), amount: 11n, id } },
      { eventName: 'RelayErc20Deposit', args: { from: depositor(), token: getAddress(silent), amount: 13n, id } },
      { eventName: 'RelayNativeDeposit', args: { from: depositor(), amount: 5n, id } },
    ])
    expect(await tokensOf(plain, depository)).toBe(11n)
    expect(eventsOf(await sweep(id, [plain, zeroAddress]))).toEqual([])
  })

  it('keeps a token that was not named for the next sweep', async () => {
    const id = freshId()
    const address = await addressOf(id)
    const token = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    await mint(token, address, 11n)
    await sweep(id, [zeroAddress])
    expect(await tokensOf(token, address)).toBe(11n)
    expect(eventsOf(await sweep(id, [token]))).toMatchObject([{ args: { amount: 11n } }])
  })

  it('tells what left it of a token that takes a fee: what arrived is less', async () => {
    const id = freshId()
    const token = await chain.deploy(feeTokenAbi, feeTokenBytecode, metadata)
    await mint(token, await addressOf(id), 1_000n)
    expect(eventsOf(await sweep(id, [token]))).toMatchObject([{ args: { amount: 1_000n } }])
    const arrived = await tokensOf(token, depository)
    expect(arrived).toBeGreaterThan(0n)
    expect(arrived).toBeLessThan(1_000n)
  })

  it('loses nothing to a token that blocks it: that one cannot be swept, the others can', async () => {
    const id = freshId()
    const address = await addressOf(id)
    const token = await chain.deploy(blockingTokenAbi, blockingTokenBytecode, metadata)
    await mint(token, address, 11n)
    await pay(address, 5n)
    await chain.send(chain.accountAt(0), {
      address: token,
      abi: blockingTokenAbi,
      functionName: 'block',
      args: [address],
    })
    expect(await revertOf(sweep(id, [token]))).toMatchObject({ name: 'TransferFromFailed' })
    expect(eventsOf(await sweep(id, []))).toMatchObject([{ args: { amount: 5n } }])
    expect(await tokensOf(token, address)).toBe(11n)
  })

  it('refuses what is no token', async () => {
    expect(await revertOf(sweep(freshId(), [chain.accountAt(4).address]))).toMatchObject({ name: 'SweepFailed' })
  })
})

describe('faults.md F152: a payment behind a sweep, in one transaction', () => {
  let former: Address
  let wrapper: Address

  beforeAll(async () => {
    former = await chain.deploy(formerDepositAddressFactoryAbi, formerDepositAddressFactoryBytecode, [depository])
    wrapper = await chain.deploy(sweepThenPayAbi, sweepThenPayBytecode)
  })

  const value = 5n * 10n ** 18n

  const callOf = async (id: Hex, made: Address) => {
    const args = [made, id, depositor(), await addressOf(id, depositor(), made)] as const
    return { abi: sweepThenPayAbi, functionName: 'run', args, value } as const
  }

  it('is destroyed by a receiver of the former factory', async () => {
    const id = freshId()
    const address = await addressOf(id, depositor(), former)
    await pay(address, 7n)
    const before = await balance(depository)
    const { gasUsed, logs } = await chain.send(chain.accountAt(3), { address: wrapper, ...(await callOf(id, former)) })
    expect(parseEventLogs({ abi: sweepThenPayAbi, logs })).toMatchObject([{ args: { allowed: true } }])
    expect((await balance(depository)) - before).toBe(7n)
    expect(await balance(address)).toBe(0n)
    console.info(`5 ETH destroyed for ${gasUsed} gas`)
  })

  it('arrives, since a contract cannot sweep', async () => {
    const id = freshId()
    const address = await addressOf(id)
    await pay(address, 7n)
    const { logs } = await chain.send(chain.accountAt(3), { address: wrapper, ...(await callOf(id, factory)) })
    expect(parseEventLogs({ abi: sweepThenPayAbi, logs })).toMatchObject([{ args: { allowed: false } }])
    expect(await balance(address)).toBe(value + 7n)
    expect(eventsOf(await sweep(id, []))).toMatchObject([{ args: { amount: value + 7n, id } }])
  })

  it('arrives, since an account with code (EIP-7702) cannot sweep', async () => {
    const id = freshId()
    const address = await addressOf(id)
    const account = chain.accountAt(6)
    const { client } = chain
    const nonce = await client.getTransactionCount(account)
    const authorization = await client.signAuthorization({
      account,
      chainId: client.chain.id,
      contractAddress: wrapper,
      nonce: nonce + 1,
    })
    const { value: _, ...call } = await callOf(id, factory)
    const data = encodeFunctionData(call)
    const hash = await client.sendTransaction({
      account,
      to: account.address,
      data,
      value,
      gas: 500_000n,
      authorizationList: [authorization],
    })
    const { status, logs } = await client.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
    expect(parseEventLogs({ abi: sweepThenPayAbi, logs })).toMatchObject([{ args: { allowed: false } }])
    expect(await balance(address)).toBe(value)
  })
})

it('the code that receivers share moves nothing for anybody but its factory', async () => {
  const implementation = await chain.client.readContract({
    address: factory,
    abi: depositAddressFactoryAbi,
    functionName: 'receiverImplementation',
  })
  const direct = chain.send(chain.accountAt(3), {
    address: implementation,
    abi: depositReceiverAbi,
    functionName: 'sweep',
    args: [freshId(), depositor(), []],
  })
  expect(await revertOf(direct)).toMatchObject({ name: 'Unauthorized' })
})

it('a factory needs a depository', async () => {
  await expect(chain.deploy(depositAddressFactoryAbi, depositAddressFactoryBytecode, [zeroAddress])).rejects.toThrow()
})

it('gas of a sweep, most of it for the code that is made and removed', async () => {
  const former = await chain.deploy(formerDepositAddressFactoryAbi, formerDepositAddressFactoryBytecode, [depository])
  const measured = async (made: Address) => {
    const id = freshId()
    const address = await addressOf(id, depositor(), made)
    const token = await chain.deploy(testTokenAbi, testTokenBytecode, metadata)
    await mint(token, depository, 1n)
    await pay(address, 7n)
    const native = (await sweep(id, [], depositor(), made)).gasUsed
    await mint(token, address, 7n)
    return { native, token: (await sweep(id, [token], depositor(), made)).gasUsed }
  }
  const [before, after] = [await measured(former), await measured(factory)]
  console.info('gas of a sweep by the former factory and by this one:', before, after)
  expect(after.native).toBeLessThan(120_000n)
  expect(after.token).toBeLessThan(180_000n)
  expect(after.native - before.native).toBeLessThan(1_000n)
  expect(after.token - before.token).toBeLessThan(1_000n)
})
