import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LocalChain, LocalDeployment, TestKey } from '@causeway/core/testing'
import { AccountId, Hbar, TransactionId, TransferTransaction } from '@hashgraph/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainTesting } from './chainTesting.js'
import type { TransferStep } from './hederaWallet.js'

const CHAIN_ID = 71_010
const dollar = { symbol: 'USDC', name: 'Dollar', decimals: 6, groupId: 'usdc' }

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
    ...{ tokens: [dollar], payout, allocator, users: [user.address] },
    ...{ solverHolds: { native: 500n, token: 1000n }, userHolds: { native: 30n, token: 7n } },
  })
})
afterAll(() => chain?.close())

interface ShownAccount {
  readonly account: string
  readonly key: { readonly _type: string; readonly key: string } | null
  readonly balance: { readonly balance: number; readonly tokens: readonly { readonly balance: number }[] }
}

const account = async (address: string): Promise<ShownAccount> =>
  // CAST: the answer of a local node; each test compares the members that it reads.
  (await fetch(`${chain.endpoint.http}/api/v1/accounts/${address}?transactions=false`)).json() as Promise<ShownAccount>

const idOf = async (address: string): Promise<string> => (await account(address)).account

/** The step of a quote that pays the depository. */
const stepOf = async (amount: bigint, tokenId: string) => {
  const [from, to] = [await idOf(user.address), await idOf(made.depository)]
  const transfers = [
    { accountId: from, amount: String(-amount), tokenId },
    { accountId: to, amount: String(amount), tokenId },
  ]
  const data: TransferStep = { transfers, memo: `0x${'ab'.repeat(32)}` }
  return [{ items: [{ data }] }]
}

it('a deployment opens accounts with keys for solver and allocator, and hollow ones for users', async () => {
  const [native, usdc] = made.currencies
  expect(native).toEqual(chainTesting.native)
  expect(usdc).toMatchObject({ decimals: 6, address: expect.stringMatching(/^0\.0\.\d+$/) })
  for (const { address } of [payout, allocator]) {
    const found = await account(address)
    expect(found).toMatchObject({ evm_address: address, key: { _type: 'ECDSA_SECP256K1' } })
    expect(found.balance.tokens).toHaveLength(1)
  }
  expect(await account(user.address)).toMatchObject({ key: null, max_automatic_token_associations: -1 })
})

describe('a wallet', () => {
  it('sends what a quote says, and knows its cost', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const usdc = made.currencies[1]?.address ?? ''
    const deposit = await wallet.prepare(await stepOf(1_500_000n, usdc))
    const id = await deposit.send()
    expect(id).toMatch(/^0\.0\.\d+@\d+\.\d{9}$/)
    expect(await deposit.feesPaid()).toBe(833_333n)
    expect(await wallet.chain.succeeded(id)).toBe(true)
    expect(await wallet.chain.balance(made.depository, usdc)).toBe(1_500_000n)
    // The first signature completed the account.
    expect((await account(user.address)).key).toMatchObject({ _type: 'ECDSA_SECP256K1' })
  })

  it('signs a frozen transfer, and reports that it failed', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const [from, to] = [await idOf(user.address), await idOf(made.depository)]
    const frozen = new TransferTransaction()
      .addHbarTransfer(from, new Hbar(-31))
      .addHbarTransfer(to, new Hbar(31))
      .setTransactionId(TransactionId.generate(from))
      .setNodeAccountIds([new AccountId(3)])
      .freeze()
    const transactionBytes = Buffer.from(frozen.toBytes()).toString('base64')
    const deposit = await wallet.prepare([{ items: [{ data: { transactionBytes } }] }])
    const id = await deposit.send()
    expect(id).toBe(String(frozen.transactionId))
    await expect(deposit.feesPaid()).rejects.toThrow('INSUFFICIENT_ACCOUNT_BALANCE')
    expect(await wallet.chain.succeeded(id)).toBe(false)
    await expect(wallet.prepare([])).rejects.toThrow('no transaction')
  })
})

it('a detached network outlives its starter, can be adopted, and ends at close', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-hederavm-')), 'node.log')
  const started = await chainTesting.startLocalChain({ chainId: CHAIN_ID, blockMs: 0, detached: true, logPath })
  const { endpoint, pid } = started
  const adopted = await chainTesting.adoptLocalChain({ chainId: CHAIN_ID, endpoint, pid })
  await adopted.fund(user.address, 7n)
  expect(await started.genesisHash()).toBe(await adopted.genesisHash())
  expect(await chainTesting.readChain(adopted).balance(user.address, '0.0.0')).toBe(7n)
  await expect(started.fund('0.0.77777', 1n)).rejects.toThrow('The network refuses cryptoTransfer: INVALID_ACCOUNT_ID')
  await adopted.close()
  await expect(started.height()).rejects.toThrow()
  rmSync(dirname(logPath), { recursive: true })
})
