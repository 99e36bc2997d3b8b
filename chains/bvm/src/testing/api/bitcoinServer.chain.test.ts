import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPEND_FORMS } from '../accounts.js'
import { post, startTestedNode, type TestedNode } from '../testedNode.test.support.js'

let tested: TestedNode
beforeAll(async () => {
  tested = await startTestedNode()
})
afterAll(() => tested?.chain.close())

interface EsploraTransaction {
  readonly txid: string
  readonly fee: number
  readonly weight: number
  readonly vin: readonly {
    readonly txid: string
    readonly vout: number
    readonly prevout: { readonly value: number }
  }[]
  readonly vout: readonly {
    readonly value: number
    readonly scriptpubkey: string
    readonly scriptpubkey_address?: string
  }[]
  readonly status: { readonly confirmed: boolean; readonly block_hash?: string; readonly block_height?: number }
}

interface CoreTransaction {
  readonly vout: readonly {
    readonly value: number
    readonly scriptPubKey: { readonly hex: string; readonly address?: string }
  }[]
}

interface Scanned {
  readonly unspents: readonly { readonly txid: string }[]
}

interface FullBlock {
  readonly tx: readonly { readonly txid: string }[]
  readonly previousblockhash: string
}

const orderId = `0x${'c3'.repeat(32)}`

/** A payment to every form of address, with an order id. */
const payAll = () =>
  tested.chain.pay(
    tested.account(0),
    SPEND_FORMS.map((form, at) => ({ to: tested.account(1).addresses[form], value: 10_000n + BigInt(at) })),
    { data: orderId },
  )

const esplora = async (txid: string) => (await tested.get(`/tx/${txid}`)).json<EsploraTransaction>()

describe('Esplora and JSON-RPC', () => {
  it('tell the same of a transaction while it waits and once it is mined', async () => {
    const txid = await payAll()
    const waits = await esplora(txid)
    expect(waits.status).toEqual({ confirmed: false })
    expect((await tested.rpc('getmempoolentry', txid)).result).toMatchObject({
      weight: waits.weight,
      fees: { base: waits.fee / 1e8 },
    })
    expect((await tested.rpc('getrawmempool')).result).toEqual((await tested.get('/mempool/txids')).json())
    const [hash] = await tested.chain.mine()
    const mined = await esplora(txid)
    const { result } = await tested.rpc<CoreTransaction>('getrawtransaction', txid, 2)
    expect(mined.status).toMatchObject({
      confirmed: true,
      block_hash: hash,
      block_height: tested.chain.node.chain.height,
    })
    expect(result).toMatchObject({
      txid,
      weight: mined.weight,
      blockhash: hash,
      confirmations: 1,
      fee: mined.fee / 1e8,
    })
    const paid = result.vout.map((output) => [output.scriptPubKey.hex, output.scriptPubKey.address])
    expect(paid).toEqual(mined.vout.map((output) => [output.scriptpubkey, output.scriptpubkey_address]))
    const values = mined.vout.map(({ value }) => value)
    expect(result.vout.map(({ value }) => Math.round(value * 1e8))).toEqual(values)
    expect((await tested.get(`/tx/${txid}/hex`)).text).toBe((await tested.rpc('getrawtransaction', txid)).result)
    expect((await tested.get(`/block/${hash}/txs/0`)).json<EsploraTransaction[]>()[1]).toEqual(mined)
  })

  it('find the unspent coins of every form of address, and what spent them', async () => {
    const txid = await payAll()
    await tested.chain.mine()
    for (const [vout, form] of SPEND_FORMS.entries()) {
      const address = tested.account(1).addresses[form]
      const coins = (await tested.get(`/address/${address}/utxo`)).json<
        { txid: string; vout: number; value: number }[]
      >()
      const { result } = await tested.rpc<Scanned>('scantxoutset', 'start', [`addr(${address})`])
      expect(coins.map((coin) => `${coin.txid}:${coin.vout}`)).toContain(`${txid}:${vout}`)
      expect(result.unspents.map((coin) => coin.txid)).toEqual(coins.map((coin) => coin.txid))
      expect((await tested.rpc('gettxout', txid, vout)).result).toMatchObject({ confirmations: 1, coinbase: false })
    }
    const coins = [{ txid, vout: 4, value: 10_004n, form: 'p2tr' as const }]
    const to = tested.account(2).addresses.p2wpkh
    const spender = await tested.chain.pay(tested.account(1), [{ to, value: 5_000n }], { coins })
    expect((await tested.get(`/tx/${txid}/outspends`)).json<unknown[]>()[4]).toMatchObject({
      spent: true,
      txid: spender,
    })
    expect((await tested.rpc('gettxout', txid, 4)).result).toBeNull()
    expect((await tested.rpc('gettxout', txid, 4, false)).result).not.toBeNull()
    const { result } = await tested.rpc('gettxspendingprevout', [{ txid, vout: 4 }])
    expect(result).toEqual([{ txid, vout: 4, spendingtxid: spender }])
    const stats = (await tested.get(`/address/${to}`)).json<{ mempool_stats: unknown }>().mempool_stats
    expect(stats).toMatchObject({ funded_txo_count: 1, funded_txo_sum: 5_000, tx_count: 1 })
  })

  it('page the history of an address from the newest back', async () => {
    const to = tested.account(7).addresses.p2wpkh
    const paid: string[] = []
    for (let at = 0; at < 27; at += 1) {
      paid.unshift((await tested.chain.fund(to, 10_000n + BigInt(at))).txid)
    }
    const page = async (path: string) =>
      (await tested.get(`/address/${to}/txs${path}`)).json<EsploraTransaction[]>().map(({ txid }) => txid)
    const late = await tested.chain.pay(tested.account(0), [{ to, value: 9_000n }])
    const first = await page('')
    expect(first).toEqual([late, ...paid.slice(0, 25)])
    const rest = await page(`/chain/${paid[24]}`)
    expect(rest).toHaveLength(3)
    expect(rest.slice(0, 2)).toEqual(paid.slice(25))
    expect(await page('/mempool')).toEqual([late])
  })

  it('refuse a transaction with the same words', async () => {
    const tx = tested.chain.build(tested.account(0), [{ to: tested.account(1).addresses.p2wpkh, value: 100n }])
    const rpc = await tested.rpc('sendrawtransaction', tx.toHex())
    expect(rpc).toMatchObject({ status: 500, result: null, error: { code: -26, message: 'dust' } })
    const rest = await post(`${tested.chain.url}/tx`, tx.toHex())
    expect(rest.status).toBe(400)
    expect(await rest.text()).toBe('sendrawtransaction RPC error: {"code":-26,"message":"dust"}')
    const { result } = await tested.rpc('testmempoolaccept', [tx.toHex()])
    expect(result).toEqual([expect.objectContaining({ txid: tx.getId(), allowed: false, 'reject-reason': 'dust' })])
  })
})

describe('JSON-RPC', () => {
  it('writes amounts with eight decimals', async () => {
    await tested.chain.setFeeRates({ 2: 1_234n })
    expect((await tested.rpc('estimatesmartfee', 6)).text).toContain('{"feerate":0.00001234,"blocks":2}')
    expect((await tested.get('/fee-estimates')).json()).toEqual({ 2: 1.234 })
    await tested.chain.setFeeRates({})
    expect((await tested.rpc<{ errors: unknown }>('estimatesmartfee', 6)).result.errors).toEqual([
      'Insufficient data or no feerate found',
    ])
    const { txid } = await tested.chain.fund(tested.account(3).addresses.p2wpkh, 1_000n)
    expect((await tested.rpc('gettxout', txid, 0)).text).toContain('"value":0.00001000')
    const cheap = await tested.chain.fund(tested.account(3).addresses.p2wpkh, 300n)
    await tested.chain.writeAmounts('shortest')
    expect((await tested.rpc('gettxout', cheap.txid, 0)).text).toContain('"value":0.000003')
    await tested.chain.writeAmounts('decimals')
  })

  it('answers mistakes with the codes of Core', async () => {
    const unknown = 'ab'.repeat(32)
    const codes = async (method: string, ...params: readonly unknown[]) => {
      const { status, error } = await tested.rpc(method, ...params)
      return [status, error?.code]
    }
    expect(await codes('nothing')).toEqual([404, -32601])
    expect(await codes('getblockhash', 1_000_000)).toEqual([500, -8])
    expect(await codes('getblock', unknown)).toEqual([500, -5])
    expect(await codes('getrawtransaction', 'abc')).toEqual([500, -8])
    expect(await codes('getrawtransaction', unknown)).toEqual([500, -5])
    expect(await codes('getmempoolentry', unknown)).toEqual([500, -5])
    expect(await codes('sendrawtransaction', 'zz')).toEqual([500, -22])
    expect(await codes('scantxoutset', 'start', ['addr(nowhere)'])).toEqual([500, -5])
    const spend = tested.chain.build(tested.account(4), [{ to: tested.account(1).addresses.p2tr, value: 1_000n }], {
      fee: 5_000_000n,
    })
    expect((await tested.rpc('sendrawtransaction', spend.toHex())).error?.message).toMatch(/^Fee exceeds maximum/)
    expect((await tested.rpc('sendrawtransaction', spend.toHex(), 0)).error).toBeNull()
  })

  it('answers batches in order, and JSON-RPC 2.0 without a status of its own', async () => {
    const calls = [
      { jsonrpc: '2.0', id: 'a', method: 'getblockcount' },
      { jsonrpc: '2.0', id: 'b', method: 'getblockhash', params: [-1] },
    ]
    const response = await post(tested.chain.rpcUrl, JSON.stringify(calls))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual([
      { jsonrpc: '2.0', id: 'a', result: tested.chain.node.chain.height },
      { jsonrpc: '2.0', id: 'b', error: { code: -8, message: 'Block height out of range' } },
    ])
    expect((await post(tested.chain.rpcUrl, '{')).status).toBe(500)
  })

  it('tells of blocks as much as it is asked', async () => {
    const hash = tested.chain.node.chain.tip.hash
    const raw = (await tested.rpc('getblock', hash, 0)).result
    expect(raw).toBe(tested.chain.node.chain.tip.block.toHex())
    const { result } = await tested.rpc<FullBlock>('getblock', hash, 2)
    expect(result).toMatchObject({ hash, confirmations: 1, nTx: result.tx.length })
    expect((await tested.rpc<{ tx: unknown }>('getblock', hash)).result.tx).toEqual(result.tx.map(({ txid }) => txid))
    expect((await tested.rpc('getblockheader', hash)).result).toMatchObject({
      previousblockhash: result.previousblockhash,
    })
    expect((await tested.rpc('getblockchaininfo')).result).toMatchObject({ chain: 'regtest', bestblockhash: hash })
  })

  it('finds no mined transaction without its block when there is no index, and asks for a password', async () => {
    const rpcAuth = { user: 'causeway', password: 'secret' }
    const bare = await startTestedNode({ txIndex: false, rpcAuth })
    try {
      const { chain } = bare
      const body = JSON.stringify({ id: 1, method: 'getblockcount' })
      expect((await post(chain.rpcUrl, body)).status).toBe(401)
      const [txid = ''] = (await bare.get(`/block/${chain.node.chain.tip.hash}/txids`)).json<string[]>()
      const ask = async (...params: readonly unknown[]) => {
        const headers = { authorization: `Basic ${Buffer.from('causeway:secret').toString('base64')}` }
        const call = JSON.stringify({ id: 1, method: 'getrawtransaction', params })
        return (await fetch(chain.rpcUrl, { method: 'POST', headers, body: call })).json()
      }
      expect(await ask(txid)).toMatchObject({ error: { code: -5, message: expect.stringContaining('-txindex') } })
      expect(await ask(txid, 1, chain.node.chain.tip.hash)).toMatchObject({ result: { txid, in_active_chain: true } })
    } finally {
      await bare.chain.close()
    }
  })
})

describe('Esplora', () => {
  it('answers what is no hash, no address and no route with its own words', async () => {
    const told = async (path: string) => {
      const { status, text } = await tested.get(path)
      return [status, text]
    }
    expect(await told(`/tx/${'ab'.repeat(32)}`)).toEqual([404, 'Transaction not found'])
    expect(await told('/tx/xyz')).toEqual([400, 'Invalid hex string'])
    expect(await told('/address/bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toEqual([400, 'Invalid Bitcoin address'])
    expect(await told('/block-height/99999')).toEqual([404, 'Block not found'])
    expect((await tested.get('/nowhere')).status).toBe(404)
    expect((await tested.get(`/tx/${'ab'.repeat(32)}/status`)).json()).toEqual({ confirmed: false })
  })
})
