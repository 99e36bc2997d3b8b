import { beginCell, Cell } from '@ton/core'
import { TonClient, TonClient4 } from '@ton/ton'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { payment, startTestedTon, type TestedTon, type TestedWallet, TON } from '../testedTon.test.support.js'

let network: TestedTon
let from: TestedWallet
let to: TestedWallet

beforeEach(async () => {
  network = await startTestedTon()
  ;[from, to] = [await network.wallet(), await network.wallet(0n)]
})
afterEach(() => network?.close())

const pay = (value = TON) => from.submit([payment(to, value, 'order')])

const received = (client = network.client) => client.getBalance(to.address)

it('a payment is sent and does not arrive while messages are kept on their way', async () => {
  const { chain } = network
  await chain.stall()
  await pay()
  await chain.advance(3)
  expect([await from.seqno(), await received()]).toEqual([1, 0n])
  await chain.stall(false)
  await chain.advance()
  expect(await received()).toBe(TON)
})

it('a held message waits for a block, and a dropped one leaves no trace', async () => {
  const { chain } = network
  await chain.holdTransactions()
  await pay()
  await chain.advance(2)
  expect(await from.seqno()).toBe(0)
  await chain.dropTransactions()
  await chain.advance(2)
  expect([await from.seqno(), await received()]).toEqual([0, 0n])
  await chain.failNext({ method: 'sendBoc', lost: true })
  await pay()
  await chain.advance(2)
  expect(await from.seqno()).toBe(0)
  await pay()
  await chain.advance(2)
  expect(await received()).toBe(TON)
})

it('of two messages with a seqno, the second one disappears', async () => {
  await pay(1n * TON)
  await pay(2n * TON)
  await network.chain.advance(3)
  expect([await from.seqno(), await received()]).toEqual([1, TON])
})

it('a node lags behind with blocks, accounts, transactions and get methods', async () => {
  const { chain, client } = network
  await pay()
  await chain.advance(2)
  await chain.lag(2)
  expect(await received()).toBe(0n)
  expect(await client.getTransactions(to.address, { limit: 5 })).toEqual([])
  expect(await from.seqno()).toBe(0)
  const { latestSeqno } = await client.getMasterchainInfo()
  expect(
    await network.call('getBlockHeader', { workchain: -1, shard: '-9223372036854775808', seqno: latestSeqno + 1 }),
  ).toMatchObject({ status: 500 })
  await chain.lag(0)
  expect(await received()).toBe(TON)
})

it('a node that prunes ends a list early, and has no older transaction, block or state', async () => {
  const { chain, client, client4 } = network
  for (let at = 0; at < 4; at += 1) {
    await pay()
    await chain.advance(2)
  }
  const all = await client.getTransactions(to.address, { limit: 10 })
  expect(all).toHaveLength(4)
  await chain.forget(3)
  const kept = await client.getTransactions(to.address, { limit: 10 })
  expect(kept.map((tx) => tx.lt)).toEqual(all.slice(0, 2).map((tx) => tx.lt))
  expect(kept.at(-1)?.prevTransactionLt).not.toBe(0n)
  const old = all[3]
  const asked = { limit: 1, lt: `${old?.lt}`, hash: old?.hash().toString('base64') ?? '' }
  await expect(client.getTransactions(to.address, asked)).rejects.toMatchObject({
    response: { data: { error: expect.stringContaining('lt not in db') } },
  })
  await expect(client4.getAccount(1, to.address)).rejects.toMatchObject({ response: { status: 500 } })
  const lookup = { workchain: -1, shard: '-9223372036854775808', seqno: 1 }
  expect(await network.call('lookupBlock', lookup)).toMatchObject({ status: 500 })
  const early = { workchain: -1, shard: '-9223372036854775808', unixtime: 1 }
  expect(await network.call('lookupBlock', early)).toMatchObject({ status: 500 })
  await chain.forget(0)
  expect(await network.call('lookupBlock', early)).toMatchObject({ status: 200 })
  expect(await client.getTransactions(to.address, { limit: 10 })).toHaveLength(4)
})

it('answers 429 above a limit of calls, until the next block', async () => {
  const { chain } = network
  await chain.setLimit(2)
  const statuses = await Promise.all([1, 2, 3].map(async () => (await network.call('getMasterchainInfo')).status))
  expect(statuses.sort()).toEqual([200, 200, 429])
  expect((await network.get('/block/latest')).status).toBe(429)
  await chain.advance()
  expect((await network.call('getMasterchainInfo')).status).toBe(200)
  await chain.setLimit(null)
})

it('a node is silent, answers nonsense, has no method, or takes a message and says otherwise', async () => {
  const { chain } = network
  await chain.failNext({ method: 'getMasterchainInfo', garbage: '<html>' })
  expect((await network.get('/api/v2/getMasterchainInfo')).text).toBe('<html>')
  await chain.failNext({ method: 'getMasterchainInfo', hang: true })
  const hasty = new TonClient({ endpoint: `${chain.endpoint.http}/api/v2/jsonRPC`, timeout: 100 })
  await expect(hasty.getMasterchainInfo()).rejects.toThrow('timeout')
  await chain.failNext({ method: 'getMasterchainInfo', error: { code: 504, message: 'Liteserver timeout' } })
  expect(await network.call('getMasterchainInfo')).toEqual({
    status: 504,
    json: { ok: false, error: 'Liteserver timeout', code: 504, jsonrpc: '2.0', id: '1' },
  })
  await chain.refuse('estimateFee')
  expect(await network.call('estimateFee')).toMatchObject({ status: 422 })
  await chain.failNext({ method: 'sendBoc', afterAccepting: true, status: 500 })
  await expect(pay()).rejects.toMatchObject({ response: { status: 500 } })
  await chain.advance(2)
  expect(await received()).toBe(TON)
})

it('another node of the network has its own faults and pages, and its other branch has other hashes', async () => {
  const { chain } = network
  for (let at = 0; at < 3; at += 1) {
    await pay()
    await chain.advance(2)
  }
  const small = await chain.addNode({ mostListed: 2 })
  const other = new TonClient({ endpoint: `${small.endpoint.http}/api/v2/jsonRPC` })
  expect(await other.getTransactions(to.address, { limit: 10 })).toHaveLength(2)
  await small.show({ lag: 2 })
  expect([await received(other), await received()]).not.toEqual([await received(), await received()])
  const forked = await chain.addNode({ forked: true })
  const [here, there] = await Promise.all(
    [chain, forked].map(({ endpoint }) => new TonClient4({ endpoint: endpoint.http }).getLastBlock()),
  )
  expect(here?.last.seqno).toBe(there?.last.seqno)
  expect(here?.last.rootHash).not.toBe(there?.last.rootHash)
  expect(chain.reorg).toBeNull()
})

it('takes another gas price', async () => {
  const { chain } = network
  const { result } = Object((await network.call('getConfigParam', { config_id: 21 })).json)
  const fee = async () => {
    const body = await from.sign([payment(to, TON, 'order')], { seqno: 0 })
    const { code = null, data = null } = from.contract.init
    const init = { initCode: code, initData: data, ignoreSignature: true }
    return (await network.client.estimateExternalMessageFee(from.address, { body, ...init })).source_fees.gas_fee
  }
  const before = await fee()
  await chain.setConfigParam(21, dearer(String(result.config.bytes)))
  expect(await fee()).toBe(before * 10)
})

/** Gas prices (config parameter 21) ten times as high: flat gas and its price, then the price of gas. */
const dearer = (base64: string): Cell => {
  const slice = Cell.fromBase64(base64).beginParse()
  const [flatTag, flatLimit, flatPrice, tag] = [
    slice.loadUint(8),
    slice.loadUintBig(64),
    slice.loadUintBig(64),
    slice.loadUint(8),
  ]
  const price = slice.loadUintBig(64)
  return beginCell()
    .storeUint(flatTag, 8)
    .storeUint(flatLimit, 64)
    .storeUint(flatPrice * 10n, 64)
    .storeUint(tag, 8)
    .storeUint(price * 10n, 64)
    .storeSlice(slice)
    .endCell()
}
