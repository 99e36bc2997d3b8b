import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LocalChain, LocalDeployment, TestKey } from '@causeway/core/testing'
import { Address, beginCell, type Cell, comment } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainTesting } from './chainTesting.js'
import { transferBody } from './jetton/jettonMessages.js'
import type { TonStep } from './tonConnect.js'
import { TonReader } from './tonReader.js'

const CHAIN_ID = 71_012
const TON = 1_000_000_000n
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
  chain = await chainTesting.startLocalChain({ chainId: CHAIN_ID, blockMs: 100 })
  made = await sandbox.deploy(chain, {
    ...{ tokens: [dollar], payout, allocator, users: [user.address] },
    ...{ solverHolds: { native: 500n, token: 1000n }, userHolds: { native: 30n, token: 7n } },
  })
})
afterAll(() => chain?.close())

const base64 = (cell: Cell): string => cell.toBoc().toString('base64')

const stepsOf = (...messages: TonStep['messages']) => [{ items: [{ data: { messages } }] }]

const balance = (address: string, currency = made.currencies[0]?.address ?? '') =>
  chainTesting.readChain(chain).balance(address, currency)

/** The step of a quote that pays the depository TON. */
const nativeStep = (amount: bigint) =>
  stepsOf({ to: made.depository, value: `${amount}`, bounce: false, body: base64(comment(ORDER)) })

describe('a deployment', () => {
  it('has raw addresses, and new jettons each time', async () => {
    const [native, usdc] = made.currencies
    expect(native).toEqual(chainTesting.native)
    expect(usdc).toMatchObject({ decimals: 6, address: expect.stringMatching(/^0:[0-9a-f]{64}$/) })
    expect(made.depository).toBe(allocator.address)
    const { currencies } = await chainTesting.sandbox.deploy(chain, {
      ...{ tokens: [dollar], payout, allocator, users: [] },
      ...{ solverHolds: { native: 1n, token: 1n }, userHolds: { native: 1n, token: 1n } },
    })
    expect(currencies[1]?.address).not.toBe(usdc?.address)
  })
})

describe('a wallet', () => {
  it('sends what a quote says, and knows its cost to the nanoton', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const before = { user: await balance(user.address), depository: await balance(made.depository) }
    const deposit = await wallet.prepare(nativeStep(2n * TON))
    const hash = await deposit.send()
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const fees = await deposit.feesPaid()
    expect(await wallet.chain.succeeded(hash)).toBe(true)
    expect(await balance(user.address)).toBe(before.user - 2n * TON - fees)
    expect((await balance(made.depository)) - before.depository).toBeGreaterThan(2n * TON - 10n)
  })

  it('moves jettons, whose cost is what its wallet does not get back', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const usdc = made.currencies[1]?.address ?? ''
    const jettonWallet = await new TonReader(chain).jettonWallet(usdc, user.address)
    const [owner, recipient] = [Address.parse(user.address), Address.parse(made.depository)]
    const body = transferBody({
      ...{ amount: 1_500_000n, recipient, responseTo: owner, forwardValue: 1n, forwardPayload: comment(ORDER) },
    })
    const before = await balance(user.address)
    const step = stepsOf({ to: jettonWallet.toRawString(), value: `${TON / 10n}`, bounce: true, body: base64(body) })
    const deposit = await wallet.prepare(step)
    const hash = await deposit.send()
    const fees = await deposit.feesPaid()
    expect(fees).toBeLessThan(TON / 20n)
    expect(await wallet.chain.succeeded(hash)).toBe(true)
    expect(await balance(made.depository, usdc)).toBe(1_500_000n)
    const rest = before - (await balance(user.address)) - fees
    // The wallet pays gas and rent when the excess returns; these are no fee of the deposit.
    expect(rest).toBeGreaterThanOrEqual(0n)
    expect(rest).toBeLessThan(TON / 1000n)
  })

  it('reports that a deposit above the balance was accepted and not sent', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const deposit = await wallet.prepare(nativeStep(9000n * TON))
    const hash = await deposit.send()
    await expect(deposit.feesPaid()).rejects.toThrow('failed')
    expect(await wallet.chain.succeeded(hash)).toBe(false)
    await expect(wallet.prepare([])).rejects.toThrow('no transaction')
    await expect(wallet.prepare(stepsOf())).rejects.toThrow('1 to 4 messages')
  })

  it('reports why its node refuses a message', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const [first, second] = [await wallet.prepare(nativeStep(TON)), await wallet.prepare(nativeStep(TON))]
    await first.send()
    await first.feesPaid()
    await expect(second.send()).rejects.toThrow('exitcode=133')
  })

  it('reports a payment that bounced as a failure', async () => {
    const wallet = chainTesting.openWallet(chain, user.walletKey)
    const to = await wallet.chain.freshAddress()
    const deposit = await wallet.prepare(
      stepsOf({ to, value: `${TON}`, bounce: true, body: base64(beginCell().endCell()) }),
    )
    await deposit.send()
    await expect(deposit.feesPaid()).rejects.toThrow('failed')
  })
})

it('a detached network outlives its starter, can be adopted, and ends at close', async () => {
  const logPath = join(mkdtempSync(join(tmpdir(), 'causeway-tonvm-')), 'node.log')
  const started = await chainTesting.startLocalChain({ chainId: CHAIN_ID, blockMs: 0, detached: true, logPath })
  const { endpoint, pid } = started
  const adopted = await chainTesting.adoptLocalChain({ chainId: CHAIN_ID, endpoint, pid })
  await adopted.fund(user.address, 7n)
  expect(await started.genesisHash()).toBe(await adopted.genesisHash())
  expect(await chainTesting.readChain(adopted).balance(user.address, `0x${'0'.repeat(40)}`)).toBe(7n)
  const unknown = started.fund(user.address, 1n, `0:${'77'.repeat(32)}`)
  await expect(unknown).rejects.toThrow('is not a jetton of this network')
  await adopted.close()
  await expect(started.height()).rejects.toThrow()
  rmSync(dirname(logPath), { recursive: true })
})
