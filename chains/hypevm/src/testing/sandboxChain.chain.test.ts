import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LocalChain, LocalDeployment, TestKey } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainTesting } from './chainTesting.js'
import { HyperliquidWallet } from './hyperliquidWallet.js'

const CHAIN_ID = 71_009
const UNIT = 100_000_000n
const dollar = { symbol: 'USDX', name: 'Dollar', decimals: 6, groupId: 'usdc' }

let chain: LocalChain
let made: LocalDeployment
let payout: TestKey
let allocator: TestKey
let user: TestKey

beforeAll(async () => {
  const { keyOf, sandbox } = chainTesting
  ;[payout, allocator, user] = [keyOf(randomBytes(32)), keyOf(randomBytes(32)), keyOf(randomBytes(32))]
  chain = await chainTesting.startLocalChain({ chainId: CHAIN_ID, blockMs: 100 })
  made = await sandbox.deploy(chain, {
    ...{ tokens: [dollar], payout, allocator, users: [user.address], seed: randomBytes(32) },
    ...{ solverHolds: { native: 500n, token: 1000n }, userHolds: { native: 30n, token: 7n } },
  })
})
afterAll(() => chain?.close())

it('a deployment opens the depository, creates tokens, and funds solver and users', async () => {
  const [native, token] = made.currencies
  const reader = chainTesting.readChain(chain)
  expect(native).toEqual(chainTesting.native)
  expect(token).toMatchObject({ ...dollar, address: expect.stringMatching(/^0x[0-9a-f]{32}$/) })
  expect(made).toMatchObject({
    depository: allocator.address,
    options: { depository: allocator.address, testnet: true },
  })
  const balances = [payout, user, allocator].map(async ({ address }) => [
    await reader.balance(address, native?.address ?? ''),
    await reader.balance(address, token?.address ?? ''),
  ])
  expect(await Promise.all(balances)).toEqual([
    [500n * UNIT, 1_000_000_000n],
    [30n * UNIT, 7_000_000n],
    [0n, 0n],
  ])
})

describe('a wallet', () => {
  /** A quote whose deposit follows a signature. */
  const stepsOf = async (amount: bigint) => {
    const wallet = new HyperliquidWallet(chain, user.walletKey)
    const deposit = await wallet.stepOf({ destination: made.depository, amount })
    return [{ items: [{ data: { sign: {}, post: {} } }] }, { items: [{ data: deposit }] }]
  }

  it('sends what a quote says, and returns the hash of the transfer', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const deposit = await wallet.prepare(await stepsOf(UNIT))
    const id = await deposit.send()
    expect(id).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await deposit.feesPaid()).toBe(0n)
    expect(await wallet.chain.succeeded(id)).toBe(true)
    expect(await wallet.chain.balance(made.depository, chainTesting.native.address)).toBe(UNIT)
  })

  it('tells what a payment to a new account cost', async () => {
    const wallet = new HyperliquidWallet(chain, user.walletKey)
    const step = await wallet.stepOf({ destination: await wallet.chain.freshAddress(), amount: UNIT })
    const payment = await wallet.prepare([{ items: [{ data: step }] }])
    await payment.send()
    expect(await payment.feesPaid()).toBe(UNIT)
  })

  it('reports a refusal, and a quote without a transaction', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const deposit = await wallet.prepare(await stepsOf(31n * UNIT))
    await expect(deposit.send()).rejects.toThrow('Insufficient balance for token transfer')
    await expect(wallet.prepare([{ items: [{ data: { sign: {}, post: {} } }] }])).rejects.toThrow('no transaction')
  })
})

it('a detached exchange outlives its starter, can be adopted, and ends at close', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-hypevm-')), 'node.log')
  const started = await chainTesting.startLocalChain({ chainId: CHAIN_ID, blockMs: 0, detached: true, logPath })
  const { endpoint, pid } = started
  const adopted = await chainTesting.adoptLocalChain({ chainId: CHAIN_ID, endpoint, pid })
  await adopted.fund(user.address, 700n)
  expect(await started.genesisHash()).toBe(await adopted.genesisHash())
  expect(await chainTesting.readChain(adopted).balance(user.address, chainTesting.native.address)).toBe(700n)
  await expect(started.fund(user.address, 1n)).rejects.toThrow('Perps balances have 6 decimal places')
  await expect(started.fund(user.address, 1n, `0x${'77'.repeat(16)}`)).rejects.toThrow('not a token of this exchange')
  await adopted.close()
  await expect(started.height()).rejects.toThrow()
  rmSync(dirname(logPath), { recursive: true })
})
