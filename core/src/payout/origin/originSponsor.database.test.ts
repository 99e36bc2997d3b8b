import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppBalance, isBalanceTooLow, readAppBalances } from '../../appBalance/appBalances.js'
import { linkFundingWallet } from '../../appBalance/fundingWallets.js'
import { postLedger } from '../../ledger/ledger.js'
import type { QuoteTerms } from '../../quote/quoteTerms.js'
import { GroundWorld, NOW, ORIGIN } from '../groundWorld.test.support.js'
import { findOpenPayouts, findReadyPayouts } from '../payoutQueries.js'
import type { StoredPayout } from '../payoutRecord.js'
import { recordIncluded } from '../settlement/recordIncluded.js'
import { recordPayoutReorg } from '../settlement/recordReorg.js'
import { acceptOrigin } from './acceptOrigin.js'
import { endOrigin } from './endOrigin.js'
import { findOrigin } from './findOrigin.js'

const SENDER = '0x0f'
const SPONSOR = `0x${'5a'.repeat(20)}`
const DOLLAR = { chainId: 7, currency: 'usd' }

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
  await linkFundingWallet(world.pool, { integratorId: 'shop', wallet: SPONSOR, now: NOW })
  const entries = [
    { ...DOLLAR, account: 'capital' as const, amount: 100n },
    { ...DOLLAR, account: 'app' as const, amount: -100n, holder: SPONSOR },
  ]
  await world.commit((client) => postLedger(client, [{ cause: 'gift:1', event: 'given', entries }], NOW))
})
afterAll(() => world?.database.drop())

/** What the sponsor's accounts hold, those at zero left out. */
const holdings = async () => {
  const [{ chainId: _, currency: __, ...accounts } = {} as AppBalance] = await readAppBalances(world.pool, SPONSOR)
  return Object.fromEntries(Object.entries(accounts).filter(([, amount]) => amount !== 0n))
}

const accept = (terms: QuoteTerms, amount: string, integratorId = 'shop') =>
  world.commit((client) =>
    acceptOrigin(
      client,
      {
        ...{ terms, signer: SENDER, recipient: { address: 'x' }, gas: null, overAt: NOW + 600_000, integratorId },
        money: { currency: 'gas', amount: 0n },
        origin: {
          kind: 'call',
          borne: { by: 'sponsor', holder: SPONSOR, ...DOLLAR, amount },
          call: { to: 'x', data: '0x', value: '0' },
        },
      },
      NOW,
    ),
  )

const payoutOf = async ({ requestId }: QuoteTerms): Promise<StoredPayout> => {
  const lane = { chainId: ORIGIN, signer: SENDER }
  const all = [
    ...(await findReadyPayouts(world.pool, lane, NOW + 1, 1_000)),
    ...(await findOpenPayouts(world.pool, lane, ['signed', 'included'], 1_000)),
  ]
  const found = all.find((payout) => payout.requestId === requestId)
  if (found === undefined) throw new Error('Nothing is sent for this request')
  return found
}

const endOf = (payout: StoredPayout): Promise<boolean> =>
  world.commit((client) => endOrigin(client, payout, { reason: 'TRANSACTION_REVERTED', details: 'no' }, NOW))

const end = async (terms: QuoteTerms): Promise<boolean> => endOf(await payoutOf(terms))

describe('a sponsor bears what a transaction for a user costs (wire.md 2.6, D.9)', () => {
  it('set aside when it is accepted, once however many ask; given back where it is never sent', async () => {
    const terms = await world.quote()
    await Promise.all(Array.from({ length: 10 }, () => accept(terms, '30')))
    expect(await holdings()).toEqual({ app: 70n, sponsored: 30n })
    expect(await findOrigin(world.pool, terms.requestId)).toMatchObject({
      status: 'waiting',
      origin: { borne: { amount: '30' } },
    })
    const payout = await payoutOf(terms)
    expect([await endOf(payout), await endOf(payout)]).toEqual([true, false])
    expect(await holdings()).toEqual({ app: 100n })
  })

  it('refused, and nothing stored, where the balance is too small or the wallet pays for another', async () => {
    const terms = await world.quote()
    await expect(accept(terms, '101')).rejects.toSatisfy(isBalanceTooLow)
    await expect(accept(terms, '1', 'stranger')).rejects.toSatisfy(isBalanceTooLow)
    expect([await findOrigin(world.pool, terms.requestId), await holdings()]).toEqual([null, { app: 100n }])
  })

  it('of many at once no more are accepted than the balance covers', async () => {
    const quotes = await Promise.all(Array.from({ length: 12 }, () => world.quote()))
    const outcomes = await Promise.allSettled(quotes.map((terms) => accept(terms, '15')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
    expect(await holdings()).toEqual({ app: 10n, sponsored: 90n })
    for (const [at, { status }] of outcomes.entries()) {
      const terms = quotes[at]
      if (status === 'fulfilled' && terms !== undefined) await end(terms)
    }
    expect(await holdings()).toEqual({ app: 100n })
  })

  it('spent with its block, and set aside again where that leaves', async () => {
    const terms = await world.quote()
    await accept(terms, '40')
    await world.signAndStore(await payoutOf(terms))
    const payout = await payoutOf(terms)
    const [attempt] = payout.live
    if (attempt === undefined) throw new Error('A signed payout has an attempt')
    const block = { height: 5n, hash: world.id(), time: Math.floor(NOW / 1000) }
    const state = {
      status: 'success' as const,
      block,
      confirmations: 1,
      fee: 7n,
      paid: null,
      revert: null,
      txData: null,
    }
    const include = () =>
      world.commit((client) => recordIncluded(client, [{ payout, attempt, state }], 'gas', { now: NOW, settleAt: NOW }))
    await include()
    expect(await holdings()).toEqual({ app: 60n })
    const included = await payoutOf(terms)
    const [landed] = included.live
    if (landed === undefined) throw new Error('An included payout has an attempt')
    await world.commit((client) => recordPayoutReorg(client, included, landed, 'gas', NOW))
    expect(await holdings()).toEqual({ app: 60n, sponsored: 40n })
  })
})
