import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestedTron, type TestedTron, type TestedUser, TRX, textOf } from '../testedTron.test.support.js'

let network: TestedTron
let from: TestedUser
let to: TestedUser

beforeEach(async () => {
  network = await startTestedTron()
  ;[from, to] = [await network.user(), await network.user()]
})
afterEach(() => network?.close())

let paid = 0
const payment = () => {
  paid += 1
  return from.tronWeb.transactionBuilder.sendTrx(to.address, TRX + paid, from.address)
}
const pay = async () => {
  const tx = await payment()
  await from.submit(tx)
  return tx.txID
}
const info = (id: string, api = 'wallet') => network.call(`${api}/gettransactioninfobyid`, { value: id })
const height = async () => Object((await network.call('wallet/getnowblock')).json).block_header.raw_data.number

it('held transactions wait for a block, and dropped ones leave no trace', async () => {
  const { chain } = network
  await chain.holdTransactions()
  const held = await pay()
  await chain.advance(2)
  expect((await info(held)).json).toEqual({})
  await chain.releaseTransactions()
  await chain.advance()
  expect((await info(held)).json).toMatchObject({ id: held })
  await chain.holdTransactions()
  const dropped = await pay()
  await chain.dropTransactions()
  await chain.advance()
  expect((await info(dropped)).json).toEqual({})
})

it('a broadcast is taken and lost, or taken and answered with an error', async () => {
  const { chain } = network
  await chain.failNext({ method: 'wallet/broadcasttransaction', lost: true })
  const lost = await pay()
  await chain.advance()
  expect((await info(lost)).json).toEqual({})
  await chain.failNext({ method: 'wallet/broadcasttransaction', afterAccepting: true, status: 500 })
  const tx = await payment()
  await expect(from.submit(tx)).rejects.toThrow('500')
  await chain.advance()
  expect((await info(tx.txID)).json).toMatchObject({ id: tx.txID })
})

it('a reorganisation replaces unsolidified blocks with what they held, and no older one', async () => {
  const { chain } = network
  await chain.setSolidityLag(3)
  const before = await from.balance()
  const id = await pay()
  await chain.advance()
  const hash = await chain.genesisHash()
  await chain.reorg?.(1)
  expect((await info(id)).json).toEqual({})
  expect(await from.balance()).toBe(before)
  expect(await chain.genesisHash()).toBe(hash)
  await chain.advance(3)
  await expect(chain.reorg?.(4)).rejects.toThrow('solidified')
})

it('a dropped transaction can be included once more, unless it refers to a lost block', async () => {
  const { chain } = network
  const tx = await from.tronWeb.trx.sign(await payment())
  await from.tronWeb.trx.sendRawTransaction(tx)
  await chain.advance()
  await chain.reorg?.(1)
  expect(await from.tronWeb.trx.sendRawTransaction(tx)).toMatchObject({ result: true })
  await chain.advance()
  expect((await info(tx.txID)).json).toMatchObject({ id: tx.txID })
})

it('solidified blocks are behind, and a lagging node shows old balances', async () => {
  const { chain } = network
  await chain.setSolidityLag(2)
  await chain.advance(2)
  const before = await to.balance()
  const id = await pay()
  await chain.advance()
  const solid = async () =>
    Object((await network.call('walletsolidity/getaccount', { address: to.tronWeb.address.toHex(to.address) })).json)
      .balance
  expect((await info(id, 'walletsolidity')).json).toEqual({})
  expect(await solid()).toBe(before)
  await chain.advance(2)
  expect((await info(id, 'walletsolidity')).json).toMatchObject({ id })
  expect(await solid()).toBe(await to.balance())
  await chain.lag(3)
  expect(await to.balance()).toBe(before)
  expect((await info(id)).json).toEqual({})
})

it('a node that prunes has no older block and transaction', async () => {
  const { chain } = network
  const id = await pay()
  await chain.advance(4)
  await chain.forget(2)
  expect((await info(id)).json).toEqual({})
  expect((await network.call('wallet/getblockbynum', { num: 1 })).json).toEqual({})
  await chain.forget(0)
  expect((await info(id)).json).toMatchObject({ id })
})

it('refuses calls without the API key, and too many calls until the next block', async () => {
  const { chain } = network
  await chain.setApiKey('secret')
  expect(await network.call('wallet/getnowblock')).toMatchObject({ status: 401 })
  expect((await network.call('wallet/getnowblock', {}, { 'TRON-PRO-API-KEY': 'secret' })).status).toBe(200)
  await chain.setApiKey(null)
  await chain.setLimit(2)
  const statuses: number[] = []
  for (let at = 0; at < 3; at += 1) statuses.push((await network.call('wallet/getnowblock')).status)
  expect(statuses).toEqual([200, 200, 429])
  await chain.advance()
  expect((await network.call('wallet/getnowblock')).status).toBe(200)
})

it('a node is slow, silent, answers nonsense, or lacks a method', async () => {
  const { chain } = network
  await chain.failNext({ method: 'wallet/getnowblock', garbage: '<html>' })
  expect(await (await fetch(`${chain.endpoint.http}/wallet/getnowblock`)).text()).toBe('<html>')
  await chain.failNext({ method: 'wallet/getnowblock', hang: true })
  const hasty = fetch(`${chain.endpoint.http}/wallet/getnowblock`, { signal: AbortSignal.timeout(100) })
  await expect(hasty).rejects.toThrow('timeout')
  await chain.failNext({ method: 'wallet/getnowblock', delayMs: 1 })
  expect(await height()).toBe(await chain.height())
  await chain.refuse('wallet/estimateenergy')
  expect(await network.call('wallet/estimateenergy')).toMatchObject({ status: 404 })
})

it('another node has its own faults and pages', async () => {
  const { chain } = network
  await chain.advance(5)
  const other = await chain.addNode({ mostListed: 2 })
  const range = async (http: string, endNum: number) => {
    const body = JSON.stringify({ startNum: 1, endNum })
    const response = await fetch(`${http}/wallet/getblockbylimitnext`, { method: 'POST', body })
    return Object(await response.json()).block?.length
  }
  expect([await range(other.endpoint.http, 5), await range(chain.endpoint.http, 5)]).toEqual([2, 4])
  await other.close()
})

it('answers as java-tron: nothing is an empty object, a wrong request an error with the status 200', async () => {
  const nothing = ['wallet/getblockbynum', 'wallet/gettransactioninfobyblocknum']
  for (const path of nothing) expect((await network.call(path, { num: 99_999 })).json).toEqual({})
  expect((await network.call('wallet/getaccount', { address: `41${'77'.repeat(20)}` })).json).toEqual({})
  const wrong = await network.call('wallet/getaccount', { address: from.address })
  expect(wrong).toMatchObject({ status: 200, json: { Error: expect.stringContaining('java.lang') } })
  expect((await network.call('wallet/getaccount', { address: from.address, visible: true })).json.address).toBe(
    from.address,
  )
  expect((await network.call('walletsolidity/broadcasttransaction')).status).toBe(404)
  const block = await network.get('wallet/getblock?detail=true&int64_as_string=true')
  expect(typeof block.block_header.raw_data.number).toBe('string')
  expect((await network.call('wallet/getblockbyid', { value: block.blockID })).json.blockID).toBe(block.blockID)
  const poor = { owner_address: from.address, to_address: to.address, amount: 10 ** 15, visible: true }
  expect((await network.call('wallet/createtransaction', poor)).json.Error).toContain('balance is not sufficient')
  const call = { owner_address: from.address, contract_address: to.address, data: '', visible: true }
  const refused = await network.call('wallet/triggersmartcontract', call)
  expect(textOf(refused.json.result.message)).toBe('Smart contract is not exist.')
})
