import { randomBytes } from 'node:crypto'
import type { LocalChain, LocalDeployment, TestKey } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chainTesting } from './chainTesting.js'
import { CHAIN_ID, DOLLAR, stepTo } from './testedExchange.test.support.js'

const dollar = { symbol: 'USDC', name: 'Dollar', decimals: 8, groupId: 'usdc' }
const tide = { symbol: 'TIDE', name: 'Tide', decimals: 9, groupId: 'tide' }

let chain: LocalChain
let made: LocalDeployment
let payout: TestKey
let allocator: TestKey
let user: TestKey

beforeAll(async () => {
  const { keyOf, sandbox } = chainTesting
  ;[payout, allocator, user] = [keyOf(randomBytes(32)), keyOf(randomBytes(32)), keyOf(randomBytes(32))]
  chain = await chainTesting.startLocalChain({ chainId: CHAIN_ID, blockMs: 50 })
  made = await sandbox.deploy(chain, {
    ...{ tokens: [dollar, tide], payout, allocator, users: [user.address] },
    ...{ solverHolds: { native: 500n, token: 1000n }, userHolds: { native: 30n, token: 7n } },
  })
})
afterAll(() => chain?.close())

it('a deployment opens and funds accounts, and names the API keys of solver and depository', async () => {
  const reader = chainTesting.readChain(chain)
  expect(made.currencies).toEqual([
    chainTesting.native,
    { ...dollar, address: '3', decimals: 6 },
    { ...tide, address: '4' },
  ])
  expect(await reader.balance(payout.address, '0')).toBe(500n * DOLLAR)
  expect(await reader.balance(user.address, '3')).toBe(7n * DOLLAR)
  expect(await reader.balance(user.address, '4')).toBe(7_000_000_000n)
  const variables = [allocator, payout].map(({ address }) => `LIGHTER_API_KEY_${CHAIN_ID}_${address}`)
  expect(Object.keys(made.environment ?? {})).toEqual(variables)
  expect(made.options).toMatchObject({
    depository: allocator.address,
    accounts: [allocator, payout].map(({ address: account }, at) => ({ account, apiKeyVariable: variables[at] })),
  })
})

it('a wallet registers its key and takes the deposit step of a quote', async () => {
  const wallet = chainTesting.openWallet(chain, user.walletKey)
  expect(wallet.address).toBe(user.address)
  const signed = await wallet.prepare([{ items: [{ data: stepTo(made.depository, 5n * DOLLAR) }] }])
  const before = await wallet.chain.balance(made.depository, '0')
  const id = await signed.send()
  expect(await signed.feesPaid()).toBe(3n * DOLLAR)
  expect(await wallet.chain.succeeded(id)).toBe(true)
  expect(await wallet.chain.balance(made.depository, '0')).toBe(before + 5n * DOLLAR)
  expect(await wallet.chain.balance(user.address, '0')).toBe(22n * DOLLAR)
})

it('an address that nobody used has an account, and another exchange is not adopted', async () => {
  const reader = chainTesting.readChain(chain)
  expect(await reader.balance(await reader.freshAddress(), '0')).toBe(0n)
  expect(await reader.balance('17', '0')).toBe(0n)
  const adopted = await chainTesting.adoptLocalChain(chain)
  expect(await adopted.genesisHash()).toBe(await chain.genesisHash())
  await expect(
    chainTesting.adoptLocalChain({ ...chain, endpoint: chain.endpoint, chainId: 1, pid: null }),
  ).rejects.toThrow('is of the network')
})
