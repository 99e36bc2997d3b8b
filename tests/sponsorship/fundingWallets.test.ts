import { deployScriptedWallets } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { findAudit } from '@causeway/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, textAt, valueAt } from '../harness/apiCall.js'
import { newWallet, SESSION, sessionHeaders, signedMessage, signIn } from '../http/dashboardSession.js'
import { type HttpWorld, leakIn, postQuote, tokenBody } from '../http/httpWorld.js'
import { give, startSponsorWorld } from './sponsorWorld.js'

const PATH = '/integrators/funding-wallet'
const MANAGED = '/dashboard/api/funding-wallet'

let world: HttpWorld
let apiKey: string
beforeAll(async () => {
  world = await startSponsorWorld({ 'api-keys': { dashboard: { selfServe: true } } })
  apiKey = (await world.host.createApiKey('linked')).apiKey
})
afterAll(() => world?.close())

type Wallet = ReturnType<typeof newWallet>

const call = (path: string, options: Parameters<typeof callApi>[2]): Promise<ApiAnswer> =>
  callApi(world.host.url, path, options)
const ask = async (wallet: string, key = apiKey) =>
  (await call(`${PATH}/message`, { apiKey: key, body: { wallet } })).body
const put = (body: object, key = apiKey) => call(PATH, { method: 'PUT', apiKey: key, body })

/** What a wallet signs, and the call with it. */
const signed = async (wallet: Wallet, key = apiKey, address: string = wallet.address) => {
  const asked = await ask(address, key)
  const signature = await wallet.signMessage({ message: textAt(asked, 'message') })
  return { wallet: address, nonce: textAt(asked, 'nonce'), signature }
}
const refusal = ({ status, body, text }: ApiAnswer): string => {
  expect(leakIn(world, text)).toBeNull()
  return `${status} ${String(valueAt(body, 'message'))}`
}
const linkedTo = async (key = apiKey) => valueAt((await call(PATH, { apiKey: key })).body, 'wallet')

describe('the wallet that pays for an integrator (wire.md 5.3)', () => {
  it('is linked by its signature of a text that names deployment, integrator, wallet and time', async () => {
    expect(refusal(await call(PATH, { apiKey }))).toMatch(/^404 /)
    const wallet = newWallet()
    const lower = wallet.address.toLowerCase()
    const asked = await ask(wallet.address)
    expect(textAt(asked, 'message').split('\n')).toEqual([
      'relay (testnet): pay for an integrator',
      '',
      expect.stringMatching(/^The balance of this wallet /),
      '',
      `Wallet: ${lower}`,
      expect.stringMatching(/^Integrator: [0-9a-f-]{36}$/),
      `Nonce: ${textAt(asked, 'nonce')}`,
      `Valid until: ${textAt(asked, 'expiresAt')}`,
    ])
    const answer = await put(await signed(wallet))
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        wallet: lower,
        linkedAt: expect.stringMatching(/Z$/),
        currency: expect.objectContaining({ symbol: 'USDC', chainId: world.network.chains[0].chain.chainId }),
        balance: '0',
        balanceFormatted: '0.0',
        available: '0',
      },
    ])
    await give(world, lower, 1_500_000n)
    expect((await call(PATH, { apiKey })).body).toMatchObject({ balance: '1500000', balanceFormatted: '1.5' })
    expect((await postQuote(world, tokenBody(world, { subsidizeFees: true }), '/quote', apiKey)).status).toBe(200)
    expect(Number(valueAt((await call(PATH, { apiKey })).body, 'available'))).toBeLessThan(1_500_000)
  })

  it('is another one when another one signs, and nobody once the link is taken back: quotes follow at once', async () => {
    const [one, other] = [newWallet(), newWallet()]
    for (const wallet of [one, other]) expect((await put(await signed(wallet))).status).toBe(200)
    expect(await linkedTo()).toBe(other.address.toLowerCase())
    const gone = await call(PATH, { method: 'DELETE', apiKey })
    expect([gone.status, gone.body]).toEqual([200, { wallet: other.address.toLowerCase() }])
    expect(refusal(await call(PATH, { method: 'DELETE', apiKey }))).toMatch(/^404 /)
    const quote = await postQuote(world, tokenBody(world, { subsidizeFees: true }), '/quote', apiKey)
    expect(valueAt(quote.body, 'errorCode')).toBe('INVALID_SUBSIDIZATION')
    const [removed, linked] = await findAudit(world.database.pool, { limit: 2 })
    expect(removed).toMatchObject({
      action: 'integrators wallet --remove',
      details: { wallet: other.address.toLowerCase() },
    })
    expect(linked).toMatchObject({ action: 'integrators wallet', actor: expect.stringMatching(/^api key /) })
  })

  it('is refused with the signature of another one, of another text, for another integrator or wallet, or twice', async () => {
    const [wallet, stranger] = [newWallet(), newWallet()]
    const good = await signed(wallet)
    const others = (await world.host.createApiKey('another')).apiKey
    const forms = [
      { ...good, signature: (await signed(stranger)).signature },
      { ...good, signature: await wallet.signMessage({ message: good.nonce }) },
      { ...good, signature: '0x12' },
      { ...good, signature: `${good.signature.slice(0, -2)}${good.signature.endsWith('1b') ? '1c' : '1b'}` },
      { ...good, wallet: stranger.address },
      { ...good, nonce: (await signed(wallet)).nonce },
      { ...good, nonce: `${good.nonce.slice(0, -1)}${good.nonce.endsWith('0') ? '1' : '0'}` },
      { ...good, nonce: 'x' },
    ]
    for (const form of forms) expect(refusal(await put(form))).toMatch(/^400 The (signature|nonce) /)
    expect(refusal(await put(good, others))).toMatch(/^400 The nonce was not given out here/)
    expect((await put(good)).status).toBe(200)
    expect(refusal(await put(good))).toMatch(/^400 The message was used already/)
    const once = await signed(wallet)
    const both = await Promise.all([put(once), put(once)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('is refused for what is no wallet, without a key and with a bad one', async () => {
    for (const wallet of ['', '0x12', `0x${'0'.repeat(40)}`, 'So11111111111111111111111111111111111111112'])
      expect(refusal(await call(`${PATH}/message`, { apiKey, body: { wallet } }))).toMatch(/^400 /)
    for (const method of ['GET', 'DELETE']) {
      expect((await call(PATH, { method })).status).toBe(401)
      expect((await call(PATH, { method, apiKey: 'x'.repeat(20) })).status).toBe(401)
    }
  })

  it('may be a contract on the chain of balances, and on no other', async () => {
    const [first, second] = world.network.chains
    const key = newWallet()
    const [near, far] = await Promise.all(
      [first, second].map(async ({ chain }) => (await deployScriptedWallets(chain)).make(key.address)),
    )
    if (near === undefined || far === undefined) throw new Error('There are two chains')
    expect((await put(await signed(key, apiKey, near))).status).toBe(200)
    expect(await linkedTo()).toBe(near)
    expect(refusal(await put(await signed(newWallet(), apiKey, near)))).toMatch(/does not take it for its own/)
    const elsewhere = far === near ? freshLike(far) : far
    expect(refusal(await put(await signed(key, apiKey, elsewhere)))).toMatch(/^400 .*no contract wallet at the address/)
  })
})

/** An address where no contract is. */
const freshLike = (address: string): Hex => `0x${address.slice(3)}0`

describe('the same in the management API', () => {
  it('one call of a wallet that is signed in links it', async () => {
    const wallet = newWallet()
    const headers = await signIn(world.host.url, wallet)
    expect((await call(MANAGED, { headers })).status).toBe(404)
    const linked = await call(MANAGED, { method: 'PUT', headers })
    expect([linked.status, valueAt(linked.body, 'wallet')]).toEqual([200, wallet.address.toLowerCase()])
    expect((await call(MANAGED, { headers })).body).toEqual(linked.body)
    expect((await call(MANAGED, { method: 'DELETE', headers })).status).toBe(200)
    const { 'x-csrf-token': _token, ...forged } = headers
    expect((await call(MANAGED, { method: 'PUT', headers: forged })).status).toBe(403)
    expect((await call(MANAGED, { method: 'PUT' })).status).toBe(401)
  })

  it('not a contract that is signed in by another chain than that of balances', async () => {
    const [, { chain }] = world.network.chains
    const key = newWallet()
    const address = await (await deployScriptedWallets(chain)).make(key.address)
    const body = await signedMessage(world.host.url, key, { address, chainId: chain.chainId })
    const headers = sessionHeaders(await call(SESSION, { body }))
    expect(refusal(await call(MANAGED, { method: 'PUT', headers }))).toMatch(/^400 .*signed in by chain/)
  })
})
