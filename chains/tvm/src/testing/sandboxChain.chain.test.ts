import { randomBytes } from 'node:crypto'
import type { LocalChain, LocalDeployment, TestKey } from '@causeway/core/testing'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { TronWeb } from 'tronweb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainTesting } from './chainTesting.js'
import { words } from './tokens/words.js'

const TRX = 1_000_000n
const ORDER = `0x${'ab'.repeat(32)}`
const dollar = { symbol: 'USDC', name: 'Dollar', decimals: 6, groupId: 'usdc' }

let chain: LocalChain
let made: LocalDeployment
let payout: TestKey
let allocator: TestKey
let user: TestKey

beforeAll(async () => {
  const { keyOf, sandbox } = chainTesting
  ;[payout, allocator, user] = [keyOf(randomBytes(32)), keyOf(randomBytes(32)), keyOf(randomBytes(32))]
  chain = await chainTesting.startLocalChain({ chainId: 728_126_428, blockMs: 100 })
  made = await sandbox.deploy(chain, {
    ...{ tokens: [dollar], payout, allocator, users: [user.address] },
    ...{ solverHolds: { native: 500n, token: 1000n }, userHolds: { native: 300n, token: 7n } },
  })
})
afterAll(() => chain?.close())

const selector = (signature: string): string =>
  Buffer.from(keccak_256(Buffer.from(signature)).subarray(0, 4)).toString('hex')

const hex = (address: string): string => TronWeb.address.toHex(address)

/** A step of a quote (chains.md tvm 3). */
const step = (to: string, data: string, value = 0n) => ({
  items: [
    {
      data: {
        type: 'TriggerSmartContract',
        parameter: {
          ...{ owner_address: hex(user.address), contract_address: hex(to), data: `0x${data}` },
          ...(value === 0n ? {} : { call_value: Number(value) }),
        },
        chainId: 728_126_428,
      },
    },
  ],
})

const balance = (address: string, currency = made.currencies[0]?.address ?? '') =>
  chainTesting.readChain(chain).balance(address, currency)

const nativeStep = (amount: bigint) =>
  step(made.depository, selector('depositNative(address,bytes32)') + words(user.address, ORDER), amount)

describe('a deployment', () => {
  it('has the native currency first, and holdings of the plan', async () => {
    const [native, usdc] = made.currencies
    expect(native).toEqual(chainTesting.native)
    expect(usdc).toMatchObject({ decimals: 6, address: expect.stringMatching(/^T/) })
    expect(await balance(payout.address)).toBe(500n * TRX)
    expect(await balance(user.address, usdc?.address)).toBe(7_000_000n)
  })

  it('its genesis block ends with the chain id', async () => {
    expect(await chain.genesisHash()).toMatch(/2b6653dc$/)
  })
})

describe('a wallet', () => {
  it('deposits TRX, and knows its cost to the sun', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const before = await balance(user.address)
    const deposit = await wallet.prepare([nativeStep(20n * TRX)])
    const id = await deposit.send()
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const fees = await deposit.feesPaid()
    expect(fees).toBeGreaterThan(0n)
    expect(await wallet.chain.succeeded(id)).toBe(true)
    expect(await balance(user.address)).toBe(before - 20n * TRX - fees)
    expect(await balance(made.depository)).toBe(20n * TRX)
  })

  it('approves and deposits a TRC-20', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const usdc = made.currencies[1]?.address ?? ''
    const approve = selector('approve(address,uint256)') + words(made.depository, 1_500_000)
    const data = selector('depositErc20(address,address,uint256,bytes32)') + words(user.address, usdc, 1_500_000, ORDER)
    const deposit = await wallet.prepare([step(usdc, approve), step(made.depository, data)])
    const id = await deposit.send()
    await deposit.feesPaid()
    expect(await wallet.chain.succeeded(id)).toBe(true)
    expect(await balance(made.depository, usdc)).toBe(1_500_000n)
  })

  it('reports a deposit that reverted, and one that the node refuses', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const usdc = made.currencies[1]?.address ?? ''
    const data = selector('depositErc20(address,address,uint256,bytes32)') + words(user.address, usdc, 9_000_000, ORDER)
    const deposit = await wallet.prepare([step(made.depository, data)])
    const id = await deposit.send()
    await expect(deposit.feesPaid()).rejects.toThrow('failed: REVERT')
    expect(await wallet.chain.succeeded(id)).toBe(false)
    const refused = await wallet.prepare([nativeStep(9000n * TRX)])
    await expect(refused.send()).rejects.toThrow('balance is not sufficient')
    const nowhere = String(await wallet.chain.freshAddress())
    await expect(wallet.prepare([step(nowhere, '')])).rejects.toThrow('not exist')
    await expect(wallet.prepare([])).rejects.toThrow('no transaction')
  })
})
