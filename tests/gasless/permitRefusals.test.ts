import type { Hex } from '@causeway/core'
import { serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, textAt, valueAt } from '../harness/apiCall.js'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { type HttpWorld, leakIn, nativeBody, postQuote } from '../http/httpWorld.js'
import { statusOf } from '../sponsorship/sponsorWorld.js'
import {
  DOLLARS,
  depositsUnder,
  postSignature,
  type SignedQuote,
  signedQuote,
  signStep,
  startGaslessWorld,
} from './gaslessWorld.js'

/** Order of the curve that keys sign on. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const PARITY_BIT = 2n ** 255n

let world: HttpWorld
/** Their signatures are refused in every way, and taken in the end. */
const asked: SignedQuote[] = []
beforeAll(async () => {
  world = await startGaslessWorld()
  asked.push(await signedQuote(world), await signedQuote(world, { from: 1 }))
})
afterAll(() => world?.close())

const quoteFrom = (from: 0 | 1): SignedQuote => {
  const quote = asked[from]
  if (quote === undefined) throw new Error('Nothing was quoted')
  return quote
}

/** All that a signature could have changed. */
const written = async (): Promise<unknown> => {
  const { rows } = await world.database.pool.query(
    `select (select count(*) from requests)::int as requests, (select count(*) from payouts)::int as payouts,
      (select count(*) from orders where consumed_by is not null)::int as orders, (select count(*) from deposits)::int as deposits`,
  )
  return rows
}

/** Posts what must be refused with a message that tells why, no secret, and no change. */
const refused = async (post: () => Promise<ApiAnswer>, says: RegExp): Promise<void> => {
  const before = await written()
  const answer = await post()
  expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(says) })])
  expect(leakIn(world, answer.text)).toBeNull()
  expect(await written()).toEqual(before)
}

/** The step with something else in what is signed, by path. */
const changed = (step: unknown, path: string, value: unknown): unknown => {
  const copy = structuredClone(step)
  const names = path.split('.')
  const last = names.pop() ?? ''
  Object(valueAt(copy, ['items.0.data.sign', ...names].join('.')))[last] = value
  return copy
}

const parts = (signature: Hex) => ({
  r: signature.slice(2, 66),
  s: BigInt(`0x${signature.slice(66, 130)}`),
  parity: signature.endsWith('1c') ? 1n : 0n,
})
const word = (value: bigint): string => value.toString(16).padStart(64, '0')

/** EIP-2098. */
const compact = (signature: Hex): Hex => {
  const { r, s, parity } = parts(signature)
  return `0x${r}${word(s + parity * PARITY_BIT)}`
}

/** The other signature of the same key over the same digest. */
const withHighS = (signature: Hex): Hex => {
  const { r, s, parity } = parts(signature)
  return `0x${r}${word(CURVE_ORDER - s)}${parity === 0n ? '1c' : '1b'}`
}

interface Row {
  readonly name: string
  /** What is changed of what is signed. */
  readonly path: string
  readonly value: unknown
}
const otherSigned = (name: string, path: string, value: unknown): Row => ({ name, path, value })

describe('POST /execute/permits, signature over something else (wire.md 2.7: bad signature)', () => {
  const rows: readonly Row[] = [
    otherSigned('another chain', 'domain.chainId', 1),
    otherSigned('another token', 'domain.verifyingContract', `0x${'12'.repeat(20)}`),
    otherSigned('another version of the token', 'domain.version', '3'),
    otherSigned('another name of the token', 'domain.name', 'USD Corn'),
    otherSigned('another amount', 'value.value', '1'),
  ]
  it.each([
    ...rows,
    otherSigned('another payee', 'value.to', `0x${'12'.repeat(20)}`),
    otherSigned('another owner', 'value.from', `0x${'12'.repeat(20)}`),
    otherSigned('another nonce', 'value.nonce', `0x${'12'.repeat(32)}`),
    otherSigned('another end', 'value.validBefore', '9999999999'),
    otherSigned('another beginning', 'value.validAfter', '1'),
  ])('EIP-3009: $name', async ({ path, value }) => {
    const { step, user } = quoteFrom(0)
    const signature = await signStep(changed(step, path, value), user)
    await refused(() => postSignature(world, step, signature), /signature is not that of 0x.* 0x[0-9a-f]{40} signed/)
  })

  it.each([
    ...rows,
    otherSigned('another spender', 'value.spender', `0x${'12'.repeat(20)}`),
    otherSigned('another owner', 'value.owner', `0x${'12'.repeat(20)}`),
    otherSigned('another nonce', 'value.nonce', '1'),
    otherSigned('another end', 'value.deadline', '9999999999'),
  ])('EIP-2612: $name', async ({ path, value }) => {
    const { step, user } = quoteFrom(1)
    const signature = await signStep(changed(step, path, value), user)
    await refused(() => postSignature(world, step, signature), /signature is not that of 0x.* asks for one by a key/)
  })
})

describe.each([
  { form: 'EIP-3009', from: 0 as const },
  { form: 'EIP-2612', from: 1 as const },
])('POST /execute/permits, $form: what is no signature of its owner (wire.md 2.7)', ({ from }) => {
  const post = (signature: string, more = {}) => postSignature(world, quoteFrom(from).step, signature, more)

  it('a stranger’s', async () => {
    const stranger = userOf(world.network, 0)
    const signature = await signStep(quoteFrom(from).step, stranger)
    await refused(() => post(signature), new RegExp(`not that of 0x.*${stranger.address.toLowerCase()} signed`))
  })

  it('its own, of another order', async () => {
    const { user } = quoteFrom(from)
    const { signature } = await signedQuote(world, { from, user })
    await refused(() => post(signature), /not that of/)
  })

  it('a malleable one, with its s in the upper half (F80)', async () => {
    await refused(() => post(withHighS(quoteFrom(from).signature)), /s is not in its lower half/)
  })

  const word32 = '11'.repeat(32)
  it.each([
    ['nothing', '', /query\.signature/],
    ['no hex', 'hello', /0x and whole bytes/],
    ['half a byte', '0x123', /0x and whole bytes/],
    ['no bytes', '0x', /0x and whole bytes/],
    ['too few bytes', `0x${'11'.repeat(63)}`, /not that of/],
    ['zeros', `0x${'00'.repeat(65)}`, /not that of/],
    ['a v of 0', `0x${word32}${word32}00`, /v must be 27 or 28/],
    ['more bytes than any wallet signs', `0x${'11'.repeat(8_193)}`, /8192 at most/],
  ])('%s', async (_, signature, says) => {
    await refused(() => post(signature), says)
  })

  it('that of a wallet that is not deployed (ERC-6492)', async () => {
    const { signature } = quoteFrom(from)
    const wrapped = serializeErc6492Signature({ address: freshAddress(), data: '0x12', signature })
    await refused(() => post(wrapped), /must be deployed before it signs/)
  })

  it('another kind than the step says', async () => {
    const { signature } = quoteFrom(from)
    const kind = from === 0 ? 'eip2612' : 'eip3009'
    await refused(() => post(signature, { kind }), /body\.kind must be/)
    await refused(() => post(signature, { kind: 'permit2' }), /body\.kind must be/)
    await refused(() => post(signature, { kind: 'sorcery' }), /body\.kind must be one of: .*eip3009, eip2612, permit2/)
  })

  it('an unknown request, none at all, and one that takes no signature', async () => {
    const { signature } = quoteFrom(from)
    await refused(() => post(signature, { requestId: `0x${'ab'.repeat(32)}` }), /body\.requestId is unknown/)
    for (const requestId of ['0x12', undefined, 7]) {
      await refused(() => post(signature, { requestId }), /body\.requestId/)
    }
    const { body: plain } = await postQuote(world, nativeBody(world))
    const requestId = textAt(plain, 'requestId')
    await refused(() => post(signature, { requestId }), /takes no signature: set usePermit/)
  })

  it('a body that is none, and an api that is none', async () => {
    const { signature } = quoteFrom(from)
    const path = `/execute/permits?signature=${signature}`
    await refused(() => callApi(world.host.url, path, { body: '{' }), /JSON|body/i)
    await refused(() => callApi(world.host.url, path, { body: [] }), /body/)
    await refused(() => post(signature, { api: 'teleport' }), /body\.api/)
  })

  it('after all of that the signature itself is taken, as 64 bytes (EIP-2098) and by the alias too', async () => {
    const { answer, orderId, signature, step } = quoteFrom(from)
    const origin = world.network.chains[from]
    expect((await post(compact(signature))).body).toEqual({ message: expect.any(String) })
    expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
    expect(await depositsUnder(origin, orderId)).toMatchObject([{ amount: DOLLARS[from] }])
    // The same in upper case is the same, and so is its long form.
    const long = `0x${signature.slice(2).toUpperCase()}`
    const body = Object(valueAt(step, 'items.0.data.post.body'))
    expect((await callApi(world.host.url, `/execute/permit?signature=${long}`, { body })).status).toBe(200)
    await waitForQuiet(world.database.pool)
    expect(await depositsUnder(origin, orderId)).toHaveLength(1)
  })
})

describe('quotes by signature live as long as they say (wire.md F.2)', () => {
  it.each([
    [undefined, 600],
    [120, 120],
  ])('permitExpiry %s: %s seconds', async (permitExpiry, seconds) => {
    const before = Math.floor(Date.now() / 1000)
    const { step } = await signedQuote(world, { more: permitExpiry === undefined ? {} : { permitExpiry } })
    const ends = Number(textAt(step, 'items.0.data.sign.value.validBefore'))
    expect(ends).toBeGreaterThanOrEqual(before + seconds)
    expect(ends).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + seconds)
  })
})

it('a key that holds no token is told what it lacks (wire.md 2.7)', async () => {
  const privateKey = generatePrivateKey()
  const user = { privateKey, address: privateKeyToAccount(privateKey).address }
  const { step, signature } = await signedQuote(world, { user })
  await refused(
    () => postSignature(world, step, signature),
    /The account holds 0 of the token, 25000000 was signed for/,
  )
})

it('the books agree with the chains', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
