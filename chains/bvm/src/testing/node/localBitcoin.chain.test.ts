import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GENESIS } from '../chain/regtest.js'
import { refusalOf, startTestedNode, type TestedNode } from '../testedNode.test.support.js'

let tested: TestedNode
beforeAll(async () => {
  tested = await startTestedNode()
})
afterAll(() => tested?.chain.close())

const payee = () => tested.account(5).addresses.p2wpkh
const payment = (value: bigint, fee = 2_000n) =>
  tested.chain.build(tested.account(0), [{ to: payee(), value }], { fee })
const status = async (txid: string) => (await tested.get(`/tx/${txid}/status`)).json<{ confirmed: boolean }>()
const waiting = async () => (await tested.get('/mempool/txids')).json<string[]>()

describe('a local chain', () => {
  it('begins with the first block of regtest and pays its accounts', async () => {
    expect((await tested.get('/block-height/0')).text).toBe(GENESIS.hash)
    const { result } = await tested.rpc('scantxoutset', 'start', [`addr(${tested.account(9).addresses.p2wpkh})`])
    expect(result).toMatchObject({ unspents: [{ vout: 9, coinbase: false }] })
    const blocks = tested.chain.node.chain
    expect(blocks.tip.block.checkTxRoots()).toBe(true)
    expect(blocks.tip.block.checkProofOfWork()).toBe(true)
  })

  it('puts what leaves it back into the mempool, and may mine it again', async () => {
    const { chain } = tested
    const txid = await chain.send(payment(30_000n))
    const [old = ''] = await chain.mine()
    expect(await status(txid)).toMatchObject({ confirmed: true, block_hash: old })
    const { height } = chain.node.chain
    await chain.reorg(1)
    expect(chain.node.chain.height).toBe(height + 1)
    expect(await status(txid)).toEqual({ confirmed: false })
    expect(await waiting()).toEqual([txid])
    expect((await tested.get(`/block/${old}/status`)).json()).toEqual({ in_best_chain: false })
    expect((await tested.rpc('getblock', old)).result).toMatchObject({ confirmations: -1 })
    const [again = ''] = await chain.mine()
    expect(await status(txid)).toMatchObject({ confirmed: true, block_hash: again })
  })

  it('lets another branch spend the same coins: what it paid before is gone with its descendants', async () => {
    const { chain } = tested
    const [paid, other] = [payment(40_000n), payment(41_000n, 1_000n)]
    const txid = await chain.send(paid)
    const child = await chain.pay(tested.account(5), [{ to: tested.account(6).addresses.p2wpkh, value: 9_000n }], {
      coins: [{ txid, vout: 0, value: 40_000n, form: 'p2wpkh' }],
    })
    await chain.mine(2)
    await chain.reorg(2, { transactions: [other] })
    expect(await status(other.getId())).toMatchObject({ confirmed: true })
    for (const gone of [txid, child]) expect((await tested.get(`/tx/${gone}`)).status).toBe(404)
    expect(await waiting()).toEqual([])
    expect(await refusalOf(chain.send(paid))).toBe('-25 bad-txns-inputs-missingorspent')
    const [coin] = other.ins
    const spent = Buffer.from(coin?.hash ?? [])
      .reverse()
      .toString('hex')
    const spends = (await tested.get(`/tx/${spent}/outspend/${coin?.index}`)).json()
    expect(spends).toMatchObject({ spent: true, txid: other.getId(), status: { confirmed: true } })
  })

  it('may lose what leaves it', async () => {
    const { chain } = tested
    const tx = payment(50_000n)
    const txid = await chain.send(tx)
    await chain.mine()
    await chain.reorg(1, { drop: [txid] })
    expect((await tested.get(`/tx/${txid}`)).status).toBe(404)
    expect(await refusalOf(chain.send(tx))).toBeNull()
    await chain.forget(txid)
    expect(await waiting()).toEqual([])
  })

  it('stays as it was when the other branch breaks a rule', async () => {
    const { chain } = tested
    const { hash } = chain.node.chain.tip
    const bad = payment(60_000n)
    const [output] = bad.outs
    if (output !== undefined) output.value += 1n
    await expect(chain.reorg(1, { transactions: [bad] })).rejects.toThrow('mandatory-script-verify-flag-failed')
    expect((await tested.get('/blocks/tip/hash')).text).toBe(hash)
  })

  it('is shorter after a block was declared invalid', async () => {
    const { chain } = tested
    const txid = await chain.send(payment(70_000n))
    const [first = ''] = await chain.mine(3)
    const { height } = chain.node.chain
    await chain.invalidate(first)
    expect((await tested.rpc('getblockcount')).result).toBe(height - 3)
    expect(await waiting()).toEqual([txid])
    await chain.mine()
    expect(await status(txid)).toMatchObject({ confirmed: true })
  })

  it('mines chosen transactions, an unconfirmed parent before its child, and leaves the rest', async () => {
    const { chain } = tested
    const left = await chain.send(payment(80_000n))
    const parent = chain.build(tested.account(1), [{ to: payee(), value: 90_000n }])
    const child = chain.build(tested.account(5), [{ to: tested.account(6).addresses.p2tr, value: 1_000n }], {
      coins: [{ txid: parent.getId(), vout: 0, value: 90_000n, form: 'p2wpkh' }],
    })
    await chain.mine(1, { transactions: [parent, child.toHex()] })
    expect(await status(child.getId())).toMatchObject({ confirmed: true })
    expect(await waiting()).toEqual([left])
    await chain.mine(1, { empty: true })
    expect(await waiting()).toEqual([left])
  })
})

describe('a chain told to mine by itself', () => {
  it('confirms what is sent', async () => {
    const busy = await startTestedNode({ blockMs: 50 })
    try {
      const txid = await busy.chain.pay(busy.account(0), [{ to: payee(), value: 10_000n }])
      const confirmed = async () => (await busy.get(`/tx/${txid}/status`)).json<{ confirmed: boolean }>().confirmed
      await expect.poll(confirmed).toBe(true)
    } finally {
      await busy.chain.close()
    }
  })
})

describe('what a node may get wrong', () => {
  it('is to be behind, to hide, and to claim confirmations', async () => {
    const { chain } = tested
    await chain.mine()
    const txid = await chain.send(payment(100_000n))
    const [hash = ''] = await chain.mine()
    const { height } = chain.node.chain
    await chain.lag(1, 'esplora')
    expect((await tested.get('/blocks/tip/height')).text).toBe(String(height - 1))
    expect(await status(txid)).toEqual({ confirmed: false })
    expect(await waiting()).toEqual([txid])
    expect((await tested.get(`/block/${hash}`)).status).toBe(404)
    expect((await tested.rpc('getrawtransaction', txid, true)).result).toMatchObject({ confirmations: 1 })
    await chain.lag(0)
    await chain.hide(txid)
    expect((await tested.get(`/tx/${txid}`)).status).toBe(404)
    expect((await tested.rpc('getrawtransaction', txid, true)).error).toMatchObject({ code: -5 })
    expect((await tested.get(`/address/${payee()}/utxo`)).text).not.toContain(txid)
    await chain.hide(txid, { shown: true })
    await chain.claimConfirmations(txid, 6)
    expect((await tested.rpc('getrawtransaction', txid, true)).result).toMatchObject({ confirmations: 6 })
    expect(await status(txid)).toMatchObject({ confirmed: true, block_height: height - 5 })
    await chain.claimConfirmations(txid, null)
    expect(await status(txid)).toMatchObject({ block_height: height })
  })

  it('is to fail a call, also after it took the transaction', async () => {
    const { chain } = tested
    await chain.failNext({ method: 'getblockcount', error: { code: -28, message: 'Loading block index…' } })
    expect((await tested.rpc('getblockcount')).error).toEqual({ code: -28, message: 'Loading block index…' })
    expect((await tested.rpc('getblockcount')).error).toBeNull()
    await chain.failNext({ api: 'esplora', status: 429, times: 2 })
    expect((await tested.get('/blocks/tip/height')).status).toBe(429)
    expect((await tested.get('/mempool')).status).toBe(429)
    expect((await tested.get('/mempool')).status).toBe(200)
    await chain.failNext({ method: 'POST /tx', status: 502, afterAccepting: true })
    const tx = payment(110_000n)
    const answer = await fetch(`${chain.url}/tx`, { method: 'POST', body: tx.toHex() })
    expect(answer.status).toBe(502)
    expect(await waiting()).toContain(tx.getId())
    expect((await chain.callCounts())['POST /tx']).toBe(1)
  })
})
