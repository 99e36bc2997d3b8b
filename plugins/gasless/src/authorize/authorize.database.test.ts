import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { CLOCK, type Hex } from '@causeway/core'
import { type NonceMappingVersion, nonceMappingTypedData, PRICES } from '@causeway/core/chain'
import { type Caller, NONCE_MAPPINGS } from '@causeway/core/plugin'
import { startTestPlugin, type TestPlugin } from '@causeway/core/testing'
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import plugin from '../index.js'
import type { GaslessOptions } from '../options.js'

const HYPERLIQUID = 1337
const WALLET_CHAIN = 8453
const HOUR = 3_600_000
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const key: Caller = { kind: 'integrator', integratorId: 'acme', apiKeyId: 'k', keyName: null, elevated: false }

let gasless: TestPlugin<GaslessOptions>
beforeAll(async () => {
  gasless = await startTestPlugin(plugin, {
    options: { nonceMapping: { chains: [{ walletChainId: HYPERLIQUID, slug: 'hyperliquid' }] } },
    callers: { 'a-valid-api-key': key },
    // Of the parts that are not asked here.
    register: (container) => void container.register(PRICES, { useValue: { get: async () => [] } }),
  })
})
afterAll(() => gasless?.close())

const now = () => gasless.context.container.resolve(CLOCK).now()
const random = (bytes: number): Hex => `0x${randomBytes(bytes).toString('hex')}`
const newWallet = () => privateKeyToAccount(generatePrivateKey())

const bodyOf = (wallet: PrivateKeyAccount, more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'nonce-mapping',
  walletChainId: HYPERLIQUID,
  wallet: wallet.address as string,
  depositor: wallet.address as string,
  nonce: now(),
  id: random(32),
  signatureChainId: WALLET_CHAIN,
  ...more,
})
type Body = ReturnType<typeof bodyOf>

const DOMAIN = { name: 'RelayNonceMapping', version: '2' as NonceMappingVersion, chain: 'hyperliquid' }

/** As a client signs what the step of a quote says. */
const sign = (
  by: PrivateKeyAccount,
  { wallet, depositor, nonce, id, signatureChainId }: Body,
  domain: Partial<typeof DOMAIN> = {},
): Promise<Hex> => {
  const { chain, name, version } = { ...DOMAIN, ...domain }
  const message = { chain, wallet, depositor, nonce, id }
  const { value, types, ...rest } = nonceMappingTypedData(message, { name, version, signatureChainId })
  // CAST: a client reads them from JSON, without their literal types.
  return by.signTypedData({ ...rest, types: { ...types }, message: value } as unknown as Parameters<
    typeof by.signTypedData
  >[0])
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const post = async (query: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const response = await fetch(`${gasless.url}/authorize${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const postSigned = async (body: Body, by: PrivateKeyAccount, domain: Partial<typeof DOMAIN> = {}): Promise<Answer> =>
  post(`?signature=${await sign(by, body, domain)}`, body)

const stored = async ({ wallet, nonce }: Pick<Body, 'wallet' | 'nonce'>) =>
  (await gasless.context.container.resolve(NONCE_MAPPINGS).find(HYPERLIQUID, [{ wallet, nonce }]))[0] ?? null

const rowCount = async () =>
  (await gasless.database.pool.query<{ count: number }>('select count(*)::int as count from nonce_mappings')).rows[0]
    ?.count

/** 400, a sentence, and nothing stored. */
const expectRefusal = async (asked: () => Promise<Answer>, says: RegExp): Promise<void> => {
  const before = await rowCount()
  expect(await asked()).toEqual({ status: 400, body: { message: expect.stringMatching(says), statusCode: 400 } })
  expect(await rowCount()).toBe(before)
}

describe('POST /authorize, row by row (wire.md 2.8)', () => {
  it('response: 200 with a message and without steps; the mapping is what was signed', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet, { depositor: random(20) })
    expect(await postSigned(body, wallet)).toEqual({ status: 200, body: { message: expect.any(String) } })
    expect(await stored(body)).toEqual({
      chainId: HYPERLIQUID,
      wallet: wallet.address.toLowerCase(),
      depositor: body.depositor,
      nonce: body.nonce,
      id: body.id,
      createdAt: expect.any(Number),
    })
  })

  it('key optional: it works without one and with one, and a bad one is 401', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    const query = `?signature=${await sign(wallet, body)}`
    expect((await post(query, body, { 'x-api-key': 'a-valid-api-key' })).status).toBe(200)
    expect((await post(query, body, { 'x-api-key': 'no-such-key-at-all' })).status).toBe(401)
  })

  it('query.signature: required, the EIP-712 signature of the wallet', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    await expectRefusal(() => post('', body), /query\.signature/)
    for (const text of ['0x', 'hello', random(65), random(64), random(32)]) {
      await expectRefusal(() => post(`?signature=${text}`, body), /^query\.signature is not the wallet's for this body/)
    }
  })

  it.each([
    ['type', [undefined, 'nonce-map', 1, null]],
    ['walletChainId', [undefined, '1337', 0, -1, 1.5]],
    ['wallet', [undefined, '', '0x12', `0x${'g'.repeat(40)}`, 'So11111111111111111111111111111111111111112', 7, null]],
    ['depositor', [undefined, '', `0x${'1'.repeat(41)}`, null]],
    ['nonce', [undefined, '1', -1, 1.5, 2 ** 53, null]],
    ['id', [undefined, '', '0x12', `0x${'1'.repeat(63)}`, null]],
    ['signatureChainId', [undefined, '0x1', 0, 1.5, 2 ** 53, null]],
  ])('body.%s: required, of its form', async (field, values) => {
    const wallet = newWallet()
    for (const value of values) {
      const body = { ...bodyOf(wallet), [field]: value }
      const signature = await sign(wallet, bodyOf(wallet))
      await expectRefusal(() => post(`?signature=${signature}`, body), new RegExp(`body\\.${field}|body\\b.*${field}`))
    }
  })

  it('body.walletChainId: 1337; a chain whose deposits are not linked by nonces is refused', async () => {
    const wallet = newWallet()
    for (const walletChainId of [1, WALLET_CHAIN, 1338]) {
      await expectRefusal(() => postSigned(bodyOf(wallet, { walletChainId }), wallet), /^body\.walletChainId/)
    }
  })

  it('body.wallet: its own signature alone', async () => {
    const [wallet, stranger] = [newWallet(), newWallet()]
    await expectRefusal(() => postSigned(bodyOf(wallet), stranger), /not the wallet's/)
    await expectRefusal(() => postSigned(bodyOf(wallet, { depositor: stranger.address }), stranger), /not the wallet's/)
  })

  it('body.depositor: must equal the signed one', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    const signature = await sign(wallet, body)
    await expectRefusal(() => post(`?signature=${signature}`, { ...body, depositor: random(20) }), /not the wallet's/)
  })

  it('body.nonce: the signed one, at most two days ago and at most a day ahead', async () => {
    const wallet = newWallet()
    for (const nonce of [0, 1, now() - 48 * HOUR, now() + 25 * HOUR, Number.MAX_SAFE_INTEGER]) {
      await expectRefusal(() => postSigned(bodyOf(wallet, { nonce }), wallet), /^body\.nonce must be Unix milliseconds/)
    }
    for (const nonce of [now() - 47 * HOUR, now() + 23 * HOUR]) {
      expect((await postSigned(bodyOf(wallet, { nonce }), wallet)).status).toBe(200)
    }
    const body = bodyOf(wallet)
    const signature = await sign(wallet, body)
    await expectRefusal(() => post(`?signature=${signature}`, { ...body, nonce: body.nonce + 1 }), /not the wallet's/)
  })

  it('body.id: the signed one, of any 32 bytes', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    const signature = await sign(wallet, body)
    await expectRefusal(() => post(`?signature=${signature}`, { ...body, id: random(32) }), /not the wallet's/)
  })

  it('body.signatureChainId: that of the domain, whichever chain it is', async () => {
    const wallet = newWallet()
    for (const signatureChainId of [1, 42_161, Number.MAX_SAFE_INTEGER]) {
      expect((await postSigned(bodyOf(wallet, { signatureChainId }), wallet)).status).toBe(200)
    }
    const body = bodyOf(wallet)
    const signature = await sign(wallet, body)
    await expectRefusal(() => post(`?signature=${signature}`, { ...body, signatureChainId: 1 }), /not the wallet's/)
  })

  it('body.referrer, and whatever else is there: ignored', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    const query = `?signature=${await sign(wallet, body)}&referrer=shop.example`
    expect((await post(query, { ...body, referrer: 'shop.example', more: { __proto__: [] } })).status).toBe(200)
  })

  it('typed data: another domain name, version or chain name is not what the quote says', async () => {
    const wallet = newWallet()
    await expectRefusal(() => postSigned(bodyOf(wallet), wallet, { name: 'NonceMapping' }), /not the wallet's/)
    await expectRefusal(() => postSigned(bodyOf(wallet), wallet, { chain: 'base' }), /not the wallet's/)
  })
})

describe('version 1, which names no depositor (chains.md, hypevm 3)', () => {
  it('is taken where the depositor is the wallet, in any case of its letters', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet, { depositor: wallet.address.toLowerCase() })
    expect((await postSigned(body, wallet, { version: '1' })).status).toBe(200)
    expect(await stored(body)).toMatchObject({ depositor: wallet.address.toLowerCase(), id: body.id })
  })

  it('is refused for any other depositor, who is not signed then', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet, { depositor: random(20) })
    await expectRefusal(() => postSigned(body, wallet, { version: '1' }), /not the wallet's/)
  })
})

describe('one nonce, one order', () => {
  it('the same again is accepted and changes nothing; another id is refused and the first stays', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    expect((await postSigned(body, wallet)).status).toBe(200)
    const first = await stored(body)
    expect(await postSigned(body, wallet)).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('before') },
    })
    const taken = /^body\.nonce is registered for another order or depositor already/
    await expectRefusal(() => postSigned({ ...body, id: random(32) }, wallet), taken)
    await expectRefusal(() => postSigned({ ...body, depositor: random(20) }, wallet), taken)
    expect(await stored(body)).toEqual(first)
  })

  it('the same body fifty times at once is one row, and every answer is 200', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    const query = `?signature=${await sign(wallet, body)}`
    const before = (await rowCount()) ?? 0
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(query, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(await rowCount()).toBe(before + 1)
    expect(new Set(answers.map(({ body: { message } }) => message)).size).toBeLessThanOrEqual(2)
  })

  it('a signature says nothing of another nonce: both need their own', async () => {
    const wallet = newWallet()
    const [one, two] = [bodyOf(wallet), bodyOf(wallet)]
    const other = { ...two, nonce: one.nonce + 1 }
    expect((await postSigned(one, wallet)).status).toBe(200)
    const replayed = await sign(wallet, one)
    await expectRefusal(() => post(`?signature=${replayed}`, other), /not the wallet's/)
    expect((await postSigned(other, wallet)).status).toBe(200)
  })
})

describe('F80: forms of a signature', () => {
  it('65 bytes, and the 64 of EIP-2098, are taken; both are the same mapping', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    const signature = await sign(wallet, body)
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))
    expect(await post(`?signature=${compact}`, body)).toMatchObject({ status: 200 })
    expect(await post(`?signature=${signature.toUpperCase().replace('0X', '0x')}`, body)).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('before') },
    })
  })

  it('a malleable one, one with v 0 or 1, and one with bytes behind it are not', async () => {
    const wallet = newWallet()
    const body = bodyOf(wallet)
    const signature = await sign(wallet, body)
    const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
    const highS = (CURVE_ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
    const other = v === '1b' ? '1c' : '1b'
    const highCompact =
      BigInt(`0x${highS}`) < 1n << 255n
        ? highS
        : `${(Number.parseInt(highS[0] ?? '0', 16) & 7).toString(16)}${highS.slice(1)}`
    const forms = [
      `${r}${highS}${other}`,
      `${r}${s}${v === '1b' ? '00' : '01'}`,
      `${r}${s}${v}00`,
      `${r}${s}${other}`,
      `${r}${highCompact}`,
    ]
    for (const form of forms) {
      await expectRefusal(() => post(`?signature=0x${form}`, body), /not the wallet's/)
    }
    expect((await post(`?signature=${signature}`, body)).status).toBe(200)
  })
})

it('nothing that was refused is an error of ours, and no signature stands in the log', async () => {
  const wallet = newWallet()
  const body = bodyOf(wallet)
  const signature = await sign(newWallet(), body)
  await post(`?signature=${signature}`, body)
  expect(gasless.logged()).not.toContain('request failed')
  expect(gasless.logged()).not.toContain(signature.slice(2, 66))
})
