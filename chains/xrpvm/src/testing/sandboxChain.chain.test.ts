import { randomBytes } from 'node:crypto'
import type { LocalChain, LocalDeployment, TestKey } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { depositAccountOf } from '../depositAddress/depositAddresses.js'
import { chainTesting } from './chainTesting.js'
import { callNode } from './node/callNode.js'

const CHAIN_ID = 71_009
const SEED = randomBytes(32)
const dollar = { symbol: 'USDC', name: 'Dollar', decimals: 6, groupId: 'usdc' }
const ether = { symbol: 'ETH', name: 'Ether', decimals: 18, groupId: 'eth' }

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
    ...{ tokens: [dollar, ether], payout, allocator, seed: SEED, users: [user.address] },
    ...{ solverHolds: { native: 500n, token: 1000n }, userHolds: { native: 30n, token: 7n } },
  })
})
afterAll(() => chain?.close())

const account = (address: string) =>
  callNode<{ account_data: Record<string, unknown> }>(chain.endpoint.http, 'account_info', [{ account: address }])
const lines = (address: string) =>
  callNode<{ lines: { currency: string; limit: string }[] }>(chain.endpoint.http, 'account_lines', [
    { account: address },
  ])

describe('a deployment', () => {
  it('names its accounts, and its currencies with 15 decimals', () => {
    const { address: depositAccount } = depositAccountOf(SEED, CHAIN_ID)
    expect(made.depository).toBe(allocator.address)
    expect(made.options).toMatchObject({ depository: allocator.address, networkId: CHAIN_ID, depositAccount })
    const [native, usdc, eth] = made.currencies
    expect(native).toEqual(chainTesting.native)
    expect(usdc).toMatchObject({ decimals: 15, address: expect.stringMatching(/^555344430{32}\.r/) })
    expect(eth).toMatchObject({ decimals: 15, address: expect.stringMatching(/^ETH\.r/) })
  })

  it('has everybody trust the tokens, and gives solver and depository tickets and a float', async () => {
    const { address: depositAccount } = depositAccountOf(SEED, CHAIN_ID)
    for (const address of [payout.address, allocator.address, user.address, depositAccount]) {
      expect((await lines(address)).lines).toHaveLength(2)
    }
    expect((await account(payout.address)).account_data).toMatchObject({ TicketCount: 50, OwnerCount: 52 })
    expect((await account(allocator.address)).account_data).toMatchObject({ TicketCount: 50, Balance: '100000000' })
    expect((await account(depositAccount)).account_data).toMatchObject({ Balance: '100000000', OwnerCount: 2 })
  })
})

describe('a wallet', () => {
  it('sends what a quote says, and tells what it cost', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const [, usdc] = made.currencies
    const [currency, issuer] = (usdc?.address ?? '').split('.')
    const transaction = {
      ...{ TransactionType: 'Payment', Account: user.address, Destination: made.depository },
      ...{ Amount: { currency, issuer, value: '1.5' }, Memos: [{ Memo: { MemoData: 'AB' } }] },
    }
    const deposit = await wallet.prepare([{ items: [{ data: { transaction, chainId: CHAIN_ID } }] }])
    const hash = await deposit.send()
    expect(await deposit.feesPaid()).toBe(12n)
    expect(await wallet.chain.succeeded(hash)).toBe(true)
    expect(await wallet.chain.balance(made.depository, usdc?.address ?? '')).toBe(15n * 10n ** 14n)
  })

  it('says that a deposit failed', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const transaction = {
      ...{ TransactionType: 'Payment', Account: user.address, Destination: made.depository, Amount: '9000000000' },
    }
    const deposit = await wallet.prepare([{ items: [{ data: { transaction } }] }])
    const hash = await deposit.send()
    await expect(deposit.feesPaid()).rejects.toThrow('tecUNFUNDED_PAYMENT')
    expect(await wallet.chain.succeeded(hash)).toBe(false)
    await expect(wallet.prepare([])).rejects.toThrow('no transaction')
  })
})
