import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withTransaction } from '../database/pool.js'
import { type LedgerEntry, postLedger } from '../ledger/ledger.js'
import { GroundWorld, NOW, ORIGIN } from '../payout/groundWorld.test.support.js'
import { recordFillDead } from '../payout/settlement/recordDeath.js'
import { recordFinal } from '../payout/settlement/recordFinal.js'
import { settleEarnings } from '../payout/settlement/settleEarnings.js'
import { type AppBalance, isBalanceTooLow, readAppBalances } from './appBalances.js'
import { linkFundingWallet, unlinkFundingWallet } from './fundingWallets.js'
import { removeEndedReservations, sponsorReservation } from './sponsorReservation.js'

const SPONSOR = `0x${'5a'.repeat(20)}`
const EARNER = `0x${'ea'.repeat(20)}`
const DOLLAR = { chainId: 7, currency: 'usd' }

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())
afterEach(async () => {
  await world.pool.query(`
    alter table ledger_entries disable trigger user; alter table ledger_transactions disable trigger user;
    truncate requests, payouts, deposits, orders, quote_rows, ledger_transactions, ledger_entries, app_balances, sponsor_reservations, sponsor_kept_sums cascade;
    alter table ledger_entries enable trigger user; alter table ledger_transactions enable trigger user`)
})

const dollars = (account: LedgerEntry['account'], amount: bigint, holder?: string): LedgerEntry => ({
  ...DOLLAR,
  account,
  amount,
  ...(holder === undefined ? {} : { holder }),
})

let causes = 0
/** An operator's dollars become a wallet's. */
const give = (amount: bigint, wallet = SPONSOR) =>
  withTransaction(world.pool, (client) => {
    causes += 1
    const entries = [dollars('capital', amount), dollars('app', -amount, wallet)]
    return postLedger(client, [{ cause: `gift:${causes}`, event: 'given', entries }], NOW)
  })

/** What a wallet's accounts hold of dollars, those at zero left out. */
const holdings = async (wallet: string) => {
  const [{ chainId: _, currency: __, ...accounts } = {} as AppBalance] = await readAppBalances(world.pool, wallet)
  return Object.fromEntries(Object.entries(accounts).filter(([, amount]) => amount !== 0n))
}

/** Whether each balance is what the entries of the ledger sum up to, and every currency of the ledger sums to zero (invariant 5). */
const agreesWithLedger = async (): Promise<boolean> => {
  const { rows } = await world.pool.query<{ wrong: number }>(`
    select (select count(*) from (
        select holder, account, chain_id, currency, sum(amount) as amount from (
          select holder, account, chain_id, currency, amount from app_balances
          union all select holder, account, chain_id, currency, amount * case account when 'exposure' then -1 else 1 end
          from ledger_entries where holder is not null and account <> 'integrator') a
        group by 1, 2, 3, 4 having sum(amount) <> 0) b)::int
      + (select count(*) from (select 1 from ledger_entries group by chain_id, currency having sum(amount) <> 0) c)::int as wrong`)
  return rows[0]?.wrong === 0
}

/** A fill whose app fee of 10 is worth 12 dollars, half of it and 30 dollars more paid by a sponsor. */
const SPONSORED = {
  earnings: {
    ...DOLLAR,
    list: [{ holder: EARNER, kind: 'app' as const, bps: '100', amount: '10', fromDeposit: '5', worth: '12' }],
  },
  sponsorship: { ...DOLLAR, holder: SPONSOR, amount: '36', fees: '25', rateCost: '0' },
}

describe('a fill that a sponsor pays part of, and by which a wallet earns (wire.md D.7, D.9)', () => {
  it('sets the sponsor’s part aside with its decision, spends it in its block, and frees what was earned once all is settled', async () => {
    await give(100n)
    const event = await world.deposit()
    const fill = await world.decide(event, 'fill', SPONSORED)
    expect(await holdings(SPONSOR)).toEqual({ app: 64n, sponsored: 36n })
    await world.signAndStore(fill)
    await world.include(event, 'fill')
    expect(await holdings(SPONSOR)).toEqual({ app: 64n })
    expect(await holdings(EARNER)).toEqual({ earned: 12n })
    expect(await world.books(event)).toEqual({ depository: '1000', conversion: '-985', fees: '-15' })
    const settled = () => settleEarnings(world.pool, { chainId: ORIGIN, height: 100n }, NOW)
    expect(await settled()).toBe(0)
    await world.commit(async (client) => recordFinal(client, [await world.onItsWay(event, 'fill')], [], NOW))
    expect(await settleEarnings(world.pool, { chainId: ORIGIN, height: 99n }, NOW)).toBe(0)
    expect([await settled(), await settled()]).toEqual([1, 0])
    expect(await holdings(EARNER)).toEqual({ app: 12n })
    expect(await agreesWithLedger()).toBe(true)
  })

  it('takes back what was earned where its block leaves, and sets aside again; a second block books it once more', async () => {
    await give(36n)
    const event = await world.deposit()
    await world.signAndStore(await world.decide(event, 'fill', SPONSORED))
    await world.include(event, 'fill')
    await world.reorg(event, 'fill')
    expect([await holdings(SPONSOR), await holdings(EARNER)]).toEqual([{ sponsored: 36n }, {}])
    await world.include(event, 'fill')
    expect([await holdings(SPONSOR), await holdings(EARNER)]).toEqual([{}, { earned: 12n }])
    expect(await agreesWithLedger()).toBe(true)
  })

  it('lets go of it where the fill is dead, or its deposit left, and takes it again where the deposit comes back', async () => {
    await give(36n)
    const event = await world.deposit()
    await world.decide(event, 'fill', SPONSORED)
    await world.leave([event])
    expect(await holdings(SPONSOR)).toEqual({ app: 36n })
    await world.see(event)
    await world.signAndStore(await world.decide(event, 'fill', SPONSORED))
    expect(await holdings(SPONSOR)).toEqual({ sponsored: 36n })
    const payout = await world.onItsWay(event, 'fill')
    await world.commit((client) => recordFillDead(client, { payout, proof: 'test' }, NOW, false))
    expect(await holdings(SPONSOR)).toEqual({ app: 36n })
    expect(await agreesWithLedger()).toBe(true)
  })

  it('is not decided where the balance is gone: nothing is written (F69)', async () => {
    await give(35n)
    const event = await world.deposit()
    await expect(world.decide(event, 'fill', SPONSORED)).rejects.toSatisfy(isBalanceTooLow)
    expect(await world.standing(event)).toMatchObject({ outcome: null, payouts: {} })
    expect(await holdings(SPONSOR)).toEqual({ app: 35n })
  })

  it('charges the cost of a fixed rate to the sponsor, and owes it the gain of one (wire.md D.8)', async () => {
    await give(36n)
    const rate = { ...SPONSORED.sponsorship, rateCost: '20' }
    const gain = [{ holder: SPONSOR, kind: 'rate' as const, amount: '0', fromDeposit: '0', worth: '9' }]
    const event = await world.deposit()
    await world.signAndStore(
      await world.decide(event, 'fill', { sponsorship: rate, earnings: { ...DOLLAR, list: gain } }),
    )
    await world.include(event, 'fill')
    const { rows } = await world.pool.query(
      `select account, sum(amount)::text as amount from ledger_entries where currency = 'usd' and account in ('fees', 'conversion') group by 1 order by 1`,
    )
    expect(rows).toEqual([
      { account: 'conversion', amount: '-11' },
      { account: 'fees', amount: '-16' },
    ])
    expect(await holdings(SPONSOR)).toEqual({ earned: 9n })
  })
})

describe('what quotes keep of a sponsor’s balance (F69)', () => {
  const quote = async (amount: bigint, now = NOW) => {
    const { requestId } = await world.quote()
    const terms = { ...DOLLAR, wallet: SPONSOR, amount, fees: 0n, rateCost: 0n }
    const { text, values } = sponsorReservation(requestId, terms, { integratorId: 'a', now, until: now + 30_000 })
    const stored = `with stored as (select 1), reserved as (${text}) select 1`
    await world.pool.query(stored, [...values])
    return requestId
  }

  const kept = async (now: number): Promise<unknown> => {
    const { rows } = await world.pool.query<{ kept: string }>(
      `select sponsor_kept($1, $2, $3, to_timestamp($4 / 1000.0))::text as kept`,
      [SPONSOR, DOLLAR.chainId, DOLLAR.currency, now],
    )
    return rows[0]?.kept
  }

  beforeEach(() => linkFundingWallet(world.pool, { integratorId: 'a', wallet: SPONSOR, now: NOW }))

  it('none where the wallet is not the integrator’s any more, however much it has', async () => {
    await give(40n)
    await unlinkFundingWallet(world.pool, 'a')
    await expect(quote(1n)).rejects.toSatisfy(isBalanceTooLow)
    expect(await kept(NOW)).toBe('0')
  })

  it('of a hundred quotes at once as many are given as the balance covers', async () => {
    await give(75n)
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => quote(10n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toSatisfy(isBalanceTooLow)
    expect(await holdings(SPONSOR)).toEqual({ app: 75n })
  })

  it('of small ones too, of which several are judged at a time', async () => {
    await give(640n)
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => quote(5n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(128)
    expect(await kept(NOW)).toBe('640')
  })

  it('lapses with the quote, and is over once its fill is decided', async () => {
    await give(40n)
    await quote(36n)
    await expect(quote(10n)).rejects.toSatisfy(isBalanceTooLow)
    await quote(10n, NOW + 31_000)
    const event = await world.deposit()
    await world.pool.query('update sponsor_reservations set request_id = (select id from requests) where amount = 36')
    await world.decide(event, 'fill', SPONSORED)
    const { rows } = await world.pool.query('select amount::text from sponsor_reservations')
    expect(rows).toEqual([{ amount: '10' }])
    expect(await kept(NOW)).toBe('10')
    await removeEndedReservations(world.pool, NOW + 200_000)
    expect(await kept(NOW)).toBe('0')
  })
})

describe('balances of wallets', () => {
  const changes = fc.array(
    fc.record({
      amount: fc.bigInt({ min: -60n, max: 40n }).filter((amount) => amount !== 0n),
      wallet: fc.constantFrom(SPONSOR, EARNER),
    }),
    { minLength: 1, maxLength: 40 },
  )

  it('are never negative, lose no posting, and are what the entries sum up to, whoever posts at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const before = new Map(
          await Promise.all(
            [SPONSOR, EARNER].map(async (wallet) => [wallet, (await holdings(wallet)).app ?? 0n] as const),
          ),
        )
        const outcomes = await Promise.allSettled(list.map(({ amount, wallet }) => give(amount, wallet)))
        for (const [at, outcome] of outcomes.entries()) {
          if (outcome.status === 'fulfilled')
            before.set(list[at]?.wallet ?? '', (before.get(list[at]?.wallet ?? '') ?? 0n) + (list[at]?.amount ?? 0n))
          else if (!isBalanceTooLow(outcome.reason)) throw outcome.reason
        }
        for (const [wallet, app] of before) expect((await holdings(wallet)).app ?? 0n).toBe(app)
        expect(await agreesWithLedger()).toBe(true)
      }),
      { numRuns: 15 },
    )
  })

  it('are taken from many slots where none has enough, down to nothing and not below', async () => {
    for (const amount of [5n, 7n, 11n, 13n]) await give(amount)
    await give(-30n)
    expect(await holdings(SPONSOR)).toEqual({ app: 6n })
    await expect(give(-7n)).rejects.toSatisfy(isBalanceTooLow)
    await give(-6n)
    expect(await holdings(SPONSOR)).toEqual({})
    expect(await agreesWithLedger()).toBe(true)
  })
})
