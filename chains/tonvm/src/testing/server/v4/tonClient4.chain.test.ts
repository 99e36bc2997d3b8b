import { type Address, beginCell, type Cell, comment, internal, SendMode } from '@ton/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { payment, startTestedTon, type TestedTon, TON } from '../../testedTon.test.support.js'

let network: TestedTon

beforeAll(async () => {
  network = await startTestedTon()
})
afterAll(() => network?.close())

const beginAddress = (address: Address): Cell => beginCell().storeAddress(address).endCell()

const seqno = async (): Promise<number> => (await network.client4.getLastBlock()).last.seqno

it('deploys a wallet and moves a payment, whose blocks and accounts it reads', async () => {
  const { chain, client4 } = network
  const [from, to] = [await network.wallet(50n * TON), await network.wallet(0n)]
  const opened = client4.open(from.contract)
  const transfer = { secretKey: from.keys.secretKey, seqno: await opened.getSeqno(), messages: [payment(to, TON, 'x')] }
  await opened.sendTransfer({ ...transfer, sendMode: SendMode.PAY_GAS_SEPARATELY })
  await chain.advance(2)
  expect(await opened.getSeqno()).toBe(1)
  const { account, block } = await client4.getAccount(await seqno(), to.address)
  expect(account).toMatchObject({ state: { type: 'uninit' }, balance: { coins: `${TON}` } })
  const { shards } = await client4.getBlock(block.seqno)
  expect(shards.map(({ workchain }) => workchain)).toEqual([-1, 0])
  expect(shards[1]?.transactions.map((tx) => tx.account)).toEqual([to.address.toString()])
  const lite = await client4.getAccountLite(block.seqno, from.address)
  expect(lite.account.state).toMatchObject({ type: 'active', codeHash: expect.any(String) })
  expect(await client4.isContractDeployed(block.seqno, from.address)).toBe(true)
  expect(await client4.isContractDeployed(block.seqno - 2, from.address)).toBe(false)
})

it('lists transactions of an account with their blocks, twenty in a page, and parsed', async () => {
  const { chain, client4 } = network
  const [from, to] = [await network.wallet(), await network.wallet(0n)]
  const messages = Array.from({ length: 25 }, (_, at) => payment(to, TON / 10n, `order ${at}`))
  await from.submit(messages)
  await chain.advance(2)
  const { last } = (await client4.getAccountLite(await seqno(), to.address)).account
  const [lt, hash] = [BigInt(last?.lt ?? 0), Buffer.from(last?.hash ?? '', 'base64')]
  const page = await client4.getAccountTransactions(to.address, lt, hash)
  expect([page.length, page[0]?.block.workchain]).toEqual([20, 0])
  expect(page[0]?.tx.hash().equals(hash)).toBe(true)
  const all = await client4.provider(to.address, null).getTransactions(to.address, lt, hash, 25)
  expect([all.length, new Set(all.map((tx) => tx.lt)).size]).toEqual([25, 25])
  const { transactions } = await client4.getAccountTransactionsParsed(to.address, lt, hash, 2)
  expect(transactions).toHaveLength(2)
  expect(transactions[0]).toMatchObject({
    ...{ oldStatus: 'uninitialized', newStatus: 'uninitialized', lt: `${lt}` },
    inMessage: { info: { type: 'internal', value: `${TON / 10n}`, bounce: false } },
    parsed: { status: 'success', kind: 'in', body: { type: 'comment', comment: 'order 24' } },
  })
})

it('runs get methods on the state after a block, and knows which accounts changed', async () => {
  const { chain, client4 } = network
  const from = await network.wallet()
  const before = await seqno()
  await from.submit([internal({ to: from.address, value: 1n, body: comment('self') })])
  await chain.advance()
  const now = await seqno()
  const { exitCode, reader } = await client4.runMethod(now, from.address, 'seqno')
  expect([exitCode, reader.readNumber()]).toEqual([0, 1])
  expect((await client4.runMethod(before, from.address, 'seqno')).exitCode).toBe(-256)
  expect((await client4.runMethod(now, from.address, 'no_such_method')).exitCode).toBe(11)
  const lt = BigInt((await client4.getAccountLite(now, from.address)).account.last?.lt ?? 0)
  const changed = async (since: bigint) => (await client4.isAccountChanged(now, from.address, since)).changed
  expect([await changed(lt - 1n), await changed(lt)]).toEqual([true, false])
  const jetton = await network.jetton()
  const owner = [{ type: 'slice', cell: beginAddress(from.address) } as const]
  const found = await client4.runMethod(await seqno(), jetton.address, 'get_wallet_address', owner)
  expect(String(found.reader.readAddress())).toBe(String(await jetton.walletOf(from)))
})

it('shows blocks by time, the configuration, and refuses what a contract does not accept', async () => {
  const { client4 } = network
  const { now, last } = await client4.getLastBlock()
  expect((await client4.getBlockByUtime(now)).shards[0]?.seqno).toBeLessThanOrEqual(last.seqno)
  await expect(client4.getBlockByUtime(now + 1000)).rejects.toThrow('out of scope')
  await expect(client4.getBlock(last.seqno + 1)).rejects.toThrow('out of scope')
  const { config } = await client4.getConfig(last.seqno, [21])
  expect(config.cell.length).toBeLessThan(300)
  const [from, to] = [await network.wallet(), await network.wallet(0n)]
  const body = await from.sign([payment(to, TON, 'x')], { seqno: 7 })
  const send = client4.provider(from.address, from.contract.init).external(body)
  await expect(send).rejects.toMatchObject({ response: { status: 500 } })
})
