import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newApiKey, type SignerOf, signAs } from '../apiKeySigner.js'
import { STATUS } from '../engine/ledgerTx.js'
import { TRANSFER } from '../engine/readTransaction.js'
import type { LighterWallet } from '../lighterWallet.js'
import { CHAIN_ID, DOLLAR, startTestedExchange, stepTo, type TestedExchange } from '../testedExchange.test.support.js'

let exchange: TestedExchange
let payer: LighterWallet
let shop: SignerOf

beforeAll(async () => {
  exchange = await startTestedExchange()
  payer = (await exchange.funded(10_000n * DOLLAR)).wallet
  const { privateKey, publicKey } = await newApiKey()
  const account = await exchange.chain.openAccount(`0x${'5'.repeat(40)}`, { 4: publicKey })
  shop = { chainId: CHAIN_ID, account, slot: 4, privateKey }
})
afterAll(() => exchange?.chain.close())
beforeEach(async () => {
  await exchange.chain.clearFaults()
  await exchange.chain.setTransferFee(3n * DOLLAR)
})

/** Sends a transfer to the shop, and adds a block. */
const pay = async (amount = DOLLAR): Promise<string> => {
  const { json } = await exchange.post(TRANSFER, await payer.signTransfer(stepTo(shop.account, amount)))
  await exchange.chain.advance()
  return json.tx_hash
}

const deadline = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const tokenOf = (of: SignerOf, seconds = 600) => signAs(of, (signer) => signer.createAuthToken(deadline(seconds)))
const listOf = (account: string, more = '') => `accountTxs?by=account_index&value=${account}&limit=100${more}`

describe('sendTx', () => {
  it('accepts a transfer of the SDK, which gets the hash that the signer gives it', async () => {
    const info = await payer.signTransfer(stepTo(shop.account, 5n * DOLLAR))
    const { status, json } = await exchange.post(TRANSFER, info)
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { code: 200, tx_hash: expect.stringMatching(/^[0-9a-f]{80}$/) },
    })
    const found = async () => (await exchange.get(`tx?by=hash&value=0x${json.tx_hash.toUpperCase()}`)).json
    expect(await found()).toMatchObject({ code: 200, info, status: STATUS.pending, block_height: 0 })
    await exchange.chain.advance()
    const height = await exchange.chain.height()
    expect(await found()).toMatchObject({
      ...{ status: STATUS.committed, block_height: height, account_index: Number(payer.address), type: TRANSFER },
      ...{ l1_address: expect.stringMatching(/^0x/), queued_at: expect.any(Number) },
    })
    await exchange.chain.advance()
    expect(await found()).toMatchObject({ status: STATUS.executed })
    expect(JSON.parse((await found()).info).Memo).toEqual(Array(32).fill(0xab))
  })

  it('answers a refusal with the code of the exchange', async () => {
    const info = await payer.signTransfer(stepTo(shop.account, 90_000n * DOLLAR))
    expect(await exchange.post(TRANSFER, info)).toEqual({
      ...{ status: 400, json: { code: 21130, message: 'not enough balance to transfer' } },
    })
    await exchange.chain.setTransferFee(4n * DOLLAR)
    const cheap = await payer.signTransfer(stepTo(shop.account, DOLLAR))
    expect((await exchange.post(TRANSFER, cheap)).json).toEqual({ code: 21112, message: 'invalid transfer fee' })
    const { json } = await exchange.get(`transferFeeInfo?account_index=${payer.address}&to_account_index=1`)
    expect(json).toEqual({ code: 200, transfer_fee_usdc: 4_000_000 })
  })

  it('counts a nonce with each accepted transaction, also before its block', async () => {
    const nonce = async () =>
      (await exchange.get(`nextNonce?account_index=${payer.address}&api_key_index=2`)).json.nonce
    const before = await nonce()
    await exchange.post(TRANSFER, await payer.signTransfer(stepTo(shop.account, DOLLAR)))
    expect(await nonce()).toBe(before + 1)
    await exchange.chain.advance()
    expect(await nonce()).toBe(before + 1)
    expect((await exchange.get(`nextNonce?account_index=${payer.address}&api_key_index=9`)).json.nonce).toBe(0)
  })
})

describe('accountTxs', () => {
  it('needs a token of a key of the account that has not expired', async () => {
    const token = await tokenOf(shop)
    const hash = await pay()
    const { json } = await exchange.get(listOf(shop.account, '&types=12'), { authorization: token })
    expect(json.txs[0]).toMatchObject({ hash, status: STATUS.committed })
    expect((await exchange.get(listOf(shop.account, `&auth=${token}`))).status).toBe(200)
    const refused = async (text: string) => (await exchange.get(listOf(shop.account), { authorization: text })).json
    expect(await refused('')).toEqual({ code: 20013, message: 'invalid auth: no token' })
    expect(await refused(await tokenOf(shop, -1))).toEqual({ code: 20013, message: 'invalid auth: expired token' })
    const foreign = await tokenOf({ ...shop, account: payer.address, slot: 2 })
    expect(await refused(foreign)).toEqual({ code: 20013, message: 'invalid auth: token of another account' })
  })

  it('lists pages newest first, whose cursor stays where it is', async () => {
    const hashes = [await pay(), await pay(), await pay()].reverse()
    const headers = { authorization: await tokenOf(shop) }
    const page = async (more: string) => {
      const path = `accountTxs?by=account_index&value=${shop.account}&limit=2${more}`
      const { json } = await exchange.get(path, headers)
      return { cursor: json.next_cursor, hashes: json.txs.map(({ hash }: { hash: string }) => hash) }
    }
    const first = await page('')
    expect(first.hashes).toEqual(hashes.slice(0, 2))
    await pay()
    expect((await page(`&cursor=${first.cursor}`)).hashes[0]).toBe(hashes[2])
    expect((await page('&index=1')).hashes).toEqual(hashes.slice(0, 2))
    expect((await exchange.get(`${listOf(shop.account)}1`, headers)).json.message).toBe('invalid param: limit')
    expect((await page('&types=8')).hashes).toEqual([])
  })
})

describe('other calls', () => {
  it('account shows perps as collateral and spot as assets, by index and by owner', async () => {
    const holder = await exchange.chain.openAccount(`0x${'6'.repeat(40)}`)
    await exchange.chain.fund(holder, 1_500_000n)
    await exchange.chain.fund(holder, 25_000_000n, '1')
    const { json } = await exchange.get(`account?by=index&value=${holder}`)
    expect(json.accounts[0]).toMatchObject({
      ...{ index: Number(holder), l1_address: `0x${'6'.repeat(40)}`, available_balance: '1.500000' },
      assets: [
        { asset_id: 1, symbol: 'ETH', balance: '0.25000000' },
        { asset_id: 3, symbol: 'USDC', balance: '0.000000' },
      ],
    })
    expect((await exchange.get(`account?by=l1_address&value=0x${'6'.repeat(40)}`)).json.accounts).toEqual(json.accounts)
    const byOwner = await exchange.get(`accountsByL1Address?l1_address=0x${'6'.repeat(40)}`)
    expect(byOwner.json.sub_accounts).toEqual(json.accounts)
    expect(await exchange.get('account?by=index&value=12')).toEqual({
      ...{ status: 400, json: { code: 21102, message: 'account not found' } },
    })
    expect((await exchange.get(`apikeys?account_index=${shop.account}&api_key_index=255`)).json.api_keys).toMatchObject(
      [{ api_key_index: 4, nonce: 0, public_key: expect.stringMatching(/^[0-9a-f]{80}$/) }],
    )
  })

  it('blocks have a hash, a time and their transactions', async () => {
    const hash = await pay()
    const height = await exchange.chain.height()
    expect((await exchange.get('currentHeight')).json).toEqual({ code: 200, height })
    const { json } = await exchange.get(`block?by=height&value=${height}`)
    expect(json.blocks[0]).toMatchObject({ height, txs: [{ hash }], committed_at: expect.any(Number) })
    const same = await exchange.get(`block?by=commitment&value=${json.blocks[0].commitment}`)
    expect(same.json).toEqual(json)
    expect((await exchange.get(`blockTxs?by=block_height&value=${height}`)).json.txs).toMatchObject([{ hash }])
    expect((await exchange.get('txs?limit=1')).json.txs).toMatchObject([{ hash }])
    const { sequence_index } = (await exchange.get(`tx?by=hash&value=${hash}`)).json
    expect((await exchange.get(`tx?by=sequence_index&value=${sequence_index}`)).json).toMatchObject({ hash })
    expect((await exchange.get('tx?by=hash&value=ab')).json).toEqual({ code: 21500, message: 'transaction not found' })
    expect((await exchange.get('assetDetails')).json.asset_details).toHaveLength(2)
    expect((await exchange.get('nothing')).status).toBe(404)
  })
})

describe('faults', () => {
  it('a broadcast whose answer is lost, one that is lost, and a limit', async () => {
    await exchange.chain.failNext({ method: 'sendTx', afterAccepting: true, status: 502 })
    const info = await payer.signTransfer(stepTo(shop.account, DOLLAR))
    const response = await fetch(`${exchange.chain.endpoint.http}/api/v1/sendTx`, {
      ...{ method: 'POST', body: new URLSearchParams({ tx_type: '12', tx_info: info }) },
    })
    expect(response.status).toBe(502)
    expect((await exchange.post(TRANSFER, info)).json).toEqual({ code: 21104, message: 'invalid nonce' })
    await exchange.chain.advance()
    await exchange.chain.failNext({ method: 'sendTx', lost: true })
    const lost = await exchange.post(TRANSFER, await payer.signTransfer(stepTo(shop.account, DOLLAR)))
    await exchange.chain.advance()
    expect((await exchange.get(`tx?by=hash&value=${lost.json.tx_hash}`)).json.code).toBe(21500)
    await exchange.chain.failNext({ method: 'tx', error: { code: 23_000, message: 'Too Many Requests!' } })
    expect(await exchange.get('tx?by=hash&value=ab')).toEqual({
      ...{ status: 429, json: { code: 23_000, message: 'Too Many Requests!' } },
    })
  })

  it('a node that is behind, one that dropped blocks, and a status that regresses', async () => {
    const hash = await pay()
    await exchange.chain.lag(1)
    expect((await exchange.get(`tx?by=hash&value=${hash}`)).json.code).toBe(21500)
    await exchange.chain.lag(0)
    await exchange.chain.advance(2)
    await exchange.chain.forget(1)
    expect((await exchange.get(`tx?by=hash&value=${hash}`)).json.code).toBe(21500)
    await exchange.chain.forget(0)
    const before = await payer.chain.balance(payer.address, '0')
    await exchange.chain.regress(hash, STATUS.rejected)
    expect((await exchange.get(`tx?by=hash&value=${hash}`)).json.status).toBe(STATUS.rejected)
    expect(await payer.chain.balance(payer.address, '0')).toBe(before + 4n * DOLLAR)
    expect(await payer.chain.succeeded(hash)).toBe(false)
  })
})
