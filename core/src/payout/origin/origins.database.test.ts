import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hex } from '../../money/hex.js'
import type { QuoteTerms } from '../../quote/quoteTerms.js'
import { GroundWorld, NOW, ORIGIN } from '../groundWorld.test.support.js'
import { findOpenPayouts, findReadyPayouts } from '../payoutQueries.js'
import { recordNewGeneration } from '../settlement/recordDeath.js'
import { recordIncluded } from '../settlement/recordIncluded.js'
import { recordPayoutReorg } from '../settlement/recordReorg.js'
import { acceptOrigin, type OriginAnswer } from './acceptOrigin.js'
import { endOrigin } from './endOrigin.js'
import { storedPermit } from './originData.js'

const SIGNER = 'sender'
const FAILURE = { reason: 'GASLESS_PERMIT_BALANCE_TOO_LOW', details: 'the owner has too little' } as const

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

/** A call that is to deposit. */
const acceptCall = (terms: QuoteTerms): Promise<OriginAnswer> => {
  const money = { currency: 'native', amount: 0n }
  const origin = { kind: 'call', call: { to: 'target', data: '0x', value: '0' }, borne: { by: 'route' } } as const
  const accepted = { terms, signer: SIGNER, recipient: { address: 'target' }, money, origin, gas: 1n, overAt: NOW }
  return world.commit((client) => acceptOrigin(client, accepted, NOW))
}

const accept = (terms: QuoteTerms): Promise<OriginAnswer> => {
  const money = { currency: 'coin', amount: 1_000n }
  const permit = {
    terms: { kind: 'eip2612', owner: 'user', money, orderId: terms.orderId, expiresAt: NOW / 1_000 + 600 },
    sign: { signatureKind: 'eip712', domain: {}, types: {}, primaryType: 'Permit', value: {} },
    signature: '0x51',
  } as const
  const origin = { kind: 'permit', permit: storedPermit(permit), borne: { by: 'route' } } as const
  const accepted = { terms, signer: SIGNER, recipient: { address: 'depository' }, money, origin, gas: 1n, overAt: NOW }
  return world.commit((client) => acceptOrigin(client, accepted, NOW))
}

const readyOf = async ({ requestId }: QuoteTerms) => {
  const ready = await findReadyPayouts(world.pool, { chainId: ORIGIN, signer: SIGNER }, NOW + 1, 1_000)
  const own = ready.find((payout) => payout.requestId === requestId)
  if (own === undefined) throw new Error('Nothing is to be sent for the request')
  return own
}

const end = async (terms: QuoteTerms): Promise<boolean> => {
  const payout = await readyOf(terms)
  return world.commit((client) => endOrigin(client, payout, FAILURE, NOW))
}

const openOf = async ({ requestId }: QuoteTerms) => {
  const open = await findOpenPayouts(world.pool, { chainId: ORIGIN, signer: SIGNER }, ['signed', 'included'], 1_000)
  const payout = open.find((item) => item.requestId === requestId)
  const [attempt] = payout?.live ?? []
  if (payout === undefined || attempt === undefined) throw new Error('Nothing was sent for the request')
  return { payout, attempt }
}

/** What was sent is in a block. */
const include = async (terms: QuoteTerms): Promise<void> => {
  await world.signAndStore(await readyOf(terms))
  const block = { height: 5n, hash: world.id(), time: Math.floor(NOW / 1_000) }
  const state = { status: 'success' as const, block, confirmations: 1, fee: 7n, paid: null, revert: null, txData: null }
  const sighting = { ...(await openOf(terms)), state }
  await world.commit((client) => recordIncluded(client, [sighting], 'gas', { now: NOW, settleAt: NOW }))
}

/** The block leaves, and nothing of it can land any more. */
const leave = async (terms: QuoteTerms): Promise<void> => {
  const { payout, attempt } = await openOf(terms)
  await world.commit((client) => recordPayoutReorg(client, payout, attempt, 'gas', NOW))
  const again = (await openOf(terms)).payout
  await world.commit((client) => recordNewGeneration(client, { payout: again, proof: 'reverted' }, NOW))
}

const statusOf = async (requestId: Hex): Promise<string | undefined> => {
  const { rows } = await world.pool.query<{ status: string }>(
    `select status from requests where id = decode($1, 'hex')`,
    [requestId.slice(2)],
  )
  return rows[0]?.status
}

/** Too little for the order: anybody can send it, under the id of any order. */
const dustFor = ({ orderId }: QuoteTerms) => world.see(world.event(orderId, 1n))

describe('a deposit that a user only signed for', () => {
  it('is accepted once: whoever asks again, or at the same time, finds that', async () => {
    const terms = await world.quote()
    const answers = await Promise.all([accept(terms), accept(terms)])
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['accepted', 'known'])
    expect(await accept(terms)).toMatchObject({ kind: 'known', origin: { permit: { signature: '0x51' } } })
  })

  it('is accepted when somebody sent dust under its order, which never consumes it', async () => {
    const terms = await world.quote()
    await dustFor(terms)
    expect(await accept(terms)).toEqual({ kind: 'accepted' })
    const paid = await world.quote()
    await world.see(world.event(paid.orderId, 1_000n))
    expect(await accept(paid)).toEqual({ kind: 'over', status: 'pending' })
  })

  it('fails its request when it can never be sent, whatever dust came under its order', async () => {
    const terms = await world.quote()
    await accept(terms)
    await dustFor(terms)
    expect(await end(terms)).toBe(true)
    expect(await statusOf(terms.requestId)).toBe('failure')
  })

  it('fails its request when what was in a block has left it, and can never land again', async () => {
    const terms = await world.quote()
    await acceptCall(terms)
    await include(terms)
    expect(await statusOf(terms.requestId)).toBe('depositing')
    await leave(terms)
    expect(await end(terms)).toBe(true)
    expect(await statusOf(terms.requestId)).toBe('failure')
  })

  it('fails no request whose deposit came otherwise', async () => {
    const terms = await world.quote()
    await accept(terms)
    await world.see(world.event(terms.orderId, 1_000n))
    expect(await end(terms)).toBe(true)
    expect(await statusOf(terms.requestId)).toBe('pending')
  })
})
