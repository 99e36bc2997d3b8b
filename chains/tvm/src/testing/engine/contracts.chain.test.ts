import { depositAddressFactoryBytecode, depositoryBytecode, fillRouterBytecode } from '@causeway/contracts-abi'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestedTron, type TestedTron, type TestedUser, TRX, textOf } from '../testedTron.test.support.js'
import { tokenPlan } from '../tokens/tokenPlans.js'
import { words } from '../tokens/words.js'
import { addressOfWord, base58Of, hexAddress } from '../wire/addresses.js'

const ORDER = `0x${'cd'.repeat(32)}`
const DOLLAR = { name: 'Dollar', symbol: 'USDT', decimals: 6 }

let network: TestedTron
let user: TestedUser
let recipient: TestedUser
let depository: string

beforeAll(async () => {
  network = await startTestedTron()
  ;[user, recipient] = [await network.user(), await network.user()]
  const { address } = user
  depository = await network.chain.deploy({
    bytecode: depositoryBytecode + words(address, address),
    name: 'Depository',
  })
})
afterAll(() => network?.close())

const selector = (signature: string): string =>
  Buffer.from(keccak_256(Buffer.from(signature)).subarray(0, 4)).toString('hex')

/** Calls a contract as the user, with calldata as it is. Returns what became of it. */
const call = async (to: string, data: string, callValue = 0) => {
  const body = {
    owner_address: hexAddress(user.address),
    contract_address: hexAddress(to),
    data,
    call_value: callValue,
  }
  const { json } = await network.call('wallet/triggersmartcontract', { ...body, fee_limit: 1000 * TRX })
  const answer = await user.submit(json.transaction)
  if (!answer.result) throw new Error(textOf(answer.message))
  await network.chain.advance()
  return user.tronWeb.trx.getUnconfirmedTransactionInfo(answer.txid)
}

/** Result of a constant call. */
const read = async (to: string, data: string): Promise<string> => {
  const body = { owner_address: hexAddress(user.address), contract_address: hexAddress(to), data }
  const { json } = await network.call('wallet/triggerconstantcontract', body)
  return json.constant_result[0]
}

describe('our contracts', () => {
  it('the depository takes TRX under an order id, and its event names the amount in sun', async () => {
    const info = await call(
      depository,
      selector('depositNative(address,bytes32)') + words(user.address, ORDER),
      7 * TRX,
    )
    expect(info.receipt.result).toBe('SUCCESS')
    expect(info.log?.[0]?.address).toBe(hexAddress(depository).slice(2))
    expect(info.log?.[0]?.data).toContain((7 * TRX).toString(16).padStart(64, '0'))
    expect(info.log?.[0]?.data).toContain(ORDER.slice(2))
  })

  it('the fill router pays TRX, which the transaction lists as an internal one', async () => {
    const router = await network.chain.deploy({ bytecode: fillRouterBytecode, name: 'FillRouter' })
    const before = await recipient.balance()
    const pay = selector('fillNative(address,uint256,uint256)') + words(recipient.address, 2 * TRX, 50_000)
    const info = await call(router, pay + ORDER.slice(2), 2 * TRX)
    expect(info.receipt.result).toBe('SUCCESS')
    expect(await recipient.balance()).toBe(before + 2 * TRX)
    expect(Object(info).internal_transactions).toMatchObject([
      {
        ...{ caller_address: hexAddress(router), transferTo_address: hexAddress(recipient.address) },
        ...{ callValueInfo: [{ callValue: 2 * TRX }], note: Buffer.from('call').toString('hex') },
      },
    ])
  })

  it('CREATE2 has the prefix 0x41, so the factory of Ethereum-style chains sweeps nothing', async () => {
    const bytecode = depositAddressFactoryBytecode + words(depository)
    const factory = await network.chain.deploy({ bytecode, name: 'DepositAddressFactory' })
    // The factory computes with 0xff; its CREATE2 makes another address, where its sweep finds no code.
    const sweep = selector('sweep(bytes32,address,address[])') + words(ORDER, user.address, 96, 0)
    const info = await call(factory, sweep)
    expect(info.receipt.result).toBe('REVERT')
    const [, made] = Object(info).internal_transactions ?? []
    const [first] = Object(info).internal_transactions ?? []
    const created = [first, made].find((one) => one?.note === Buffer.from('create').toString('hex'))
    const implementation = await read(factory, selector('receiverImplementation()'))
    const code = `3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation.slice(24)}5af43d82803e903d91602b57fd5bf3`
    const salt = keccak_256(Buffer.from(words(ORDER, user.address), 'hex'))
    const parts = [Buffer.from(hexAddress(factory), 'hex'), salt, keccak_256(Buffer.from(code, 'hex'))]
    expect(created.transferTo_address).toBe(addressOfWord(keccak_256(Buffer.concat(parts))))
  })

  it('contracts read the chain id of the genesis block', async () => {
    const bytecode = '46' + '5f52' + '60205ff3'
    const probe = await network.chain.deploy({ bytecode: `0x66${bytecode}5f5260076019f3`, name: 'ChainId' })
    expect(BigInt(`0x${await read(probe, '')}`)).toBe(728_126_428n)
  })
})

describe('a token', () => {
  const transfer = (value: number) => selector('transfer(address,uint256)') + words(recipient.address, value)
  const held = async (token: string, address: string) =>
    BigInt(`0x${await read(token, selector('balanceOf(address)') + words(address))}`)

  it('like USDT answers false to a transfer that succeeds, and true to transferFrom', async () => {
    const token = await network.chain.deploy(tokenPlan({ ...DOLLAR, kind: 'tether' }))
    await network.chain.fund(user.address, 1000n, token)
    const info = await call(token, transfer(400))
    expect(info).toMatchObject({ receipt: { result: 'SUCCESS' }, contractResult: ['0'.repeat(64)] })
    expect(await held(token, recipient.address)).toBe(400n)
    const approve = (value: number) => call(token, selector('approve(address,uint256)') + words(depository, value))
    expect((await approve(100)).receipt.result).toBe('SUCCESS')
    expect((await approve(200)).receipt.result).toBe('REVERT')
    await approve(0)
    expect((await approve(200)).receipt.result).toBe('SUCCESS')
    const deposit = selector('depositErc20(address,address,uint256,bytes32)') + words(user.address, token, 200, ORDER)
    expect((await call(depository, deposit)).receipt.result).toBe('SUCCESS')
    expect(await held(token, depository)).toBe(200n)
  })

  it('like USDT takes a fee if it is switched on, and blocks accounts', async () => {
    const token = await network.chain.deploy(tokenPlan({ ...DOLLAR, kind: 'tether' }))
    await network.chain.fund(user.address, 100_000n, token)
    await network.chain.call({ to: token, data: selector('setParams(uint256,uint256)') + words(10, 50) })
    await call(token, transfer(10_000))
    expect(await held(token, recipient.address)).toBe(9990n)
    await network.chain.call({ to: token, data: selector('addBlackList(address)') + words(user.address) })
    expect((await call(token, transfer(1))).receipt.result).toBe('REVERT')
  })

  it.each(['standard', 'no-return', 'blocking', 'fee'] as const)('%s can be moved', async (kind) => {
    const token = await network.chain.deploy(tokenPlan({ ...DOLLAR, kind }))
    await network.chain.fund(user.address, 1000n, token)
    expect((await call(token, transfer(400))).receipt.result).toBe('SUCCESS')
    expect(await held(token, user.address)).toBe(600n)
    expect(base58Of(hexAddress(token))).toBe(token)
  })

  it('fund of a token that this network does not have is refused', async () => {
    await expect(network.chain.fund(user.address, 1n, recipient.address)).rejects.toThrow('not a contract')
  })
})
