import { type LedgerEntry, postLedger } from '@causeway/core/money-path'
import { linkFundingWallet, withTransaction } from '@causeway/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AddressDesk, HARBOR, NOW } from '../addresses/addressDesk.test.support.js'

const WALLET = `0x${'5a'.repeat(20)}`
const EARNER = `0x${'ea'.repeat(20)}`
const COIN = { chainId: HARBOR, currency: 'coin' }

let desk: AddressDesk
beforeAll(async () => {
  desk = await AddressDesk.open()
  await linkFundingWallet(desk.pool, { integratorId: 'acme', wallet: WALLET, now: NOW })
})
afterAll(() => desk?.database.drop())

let posted = 0
const post = (
  cause: string,
  changes: Readonly<Partial<Record<Exclude<LedgerEntry['account'], 'exposure'>, bigint>>>,
  wallet = WALLET,
): Promise<void> => {
  posted += 1
  const entries = Object.entries(changes).map(([account, amount]) => ({
    ...COIN,
    // CAST: the keys of the changes.
    account: account as LedgerEntry['account'],
    amount: -amount,
    holder: wallet,
  }))
  const capital = entries.reduce((sum, { amount }) => sum - amount, 0n)
  const all = [...entries, { ...COIN, account: 'capital' as const, amount: capital }]
  return withTransaction(desk.pool, (client) =>
    postLedger(client, [{ cause, event: `test:${posted}`, entries: all }], NOW - 60_000 + posted),
  )
}

describe('balances', () => {
  it('says so where nothing is owed', async () => {
    expect(await desk.run('balances')).toContain('Nothing is owed to any wallet.')
    expect((await desk.run('balances', [EARNER])).join('\n')).toContain('nothing is owed to it')
  })

  it('tells who is owed what, what quotes keep of it, the totals and what is held against them', async () => {
    await post('deposit:901', { app: 10_000n })
    await post('payout:901', { app: -1_500n, sponsored: 1_500n })
    await post('claim:1', { app: -2_000n, claimed: 2_000n })
    await post('payout:902', { earned: 325n }, EARNER)
    await desk.pool.query(
      `insert into sponsor_reservations (request_id, holder, chain_id, currency, amount, until)
       values ('\\x01', $1, $2, 'coin', 700, to_timestamp($3 / 1000.0)), ('\\x02', $1, $2, 'coin', 9, to_timestamp($4 / 1000.0))`,
      [WALLET, HARBOR, NOW + 30_000, NOW - 1],
    )
    desk.accounts.set(`${HARBOR} 0x5e`, 9_000n)
    desk.accounts.set(`${HARBOR} depository`, 50n)
    const report = await desk.json('balances')
    expect(report).toMatchObject({
      schemaVersion: 1,
      more: false,
      wallets: [
        {
          wallet: WALLET,
          integrators: ['acme'],
          balances: [{ ...COIN, symbol: 'COIN', free: '6500', reserved: '700', sponsored: '1500', claimed: '2000' }],
        },
        { wallet: EARNER, integrators: [], balances: [{ earned: '325', free: '0', exposure: '0' }] },
      ],
      totals: [{ free: '6500', owed: '10325', held: { wallet: '9000', depository: '50' }, why: null }],
    })
    const text = (await desk.run('balances')).join('\n')
    expect(text).toContain('OWED 103.25 COIN on harbor')
    expect(text).toContain('SHORT')
    expect(text).toContain('of what is free, quotes keep 7 COIN')
    desk.accounts.set(`${HARBOR} 0x5e`, 10_325n)
    expect((await desk.run('balances')).join('\n')).not.toContain('SHORT')
  })

  it('tells no total that it cannot know, and no more wallets than asked for', async () => {
    desk.silent.add(HARBOR)
    const report = await desk.json('balances', [], { limit: '1' })
    desk.silent.clear()
    expect(report).toMatchObject({
      more: true,
      wallets: [{ wallet: WALLET }],
      totals: [{ held: null, why: 'No node answers.' }],
    })
  })

  it('of one wallet tells what moved last, newest first', async () => {
    const told = await desk.json('balances', [WALLET.toUpperCase().replace('0X', '0x')])
    expect(told.movements.map(({ context }: { context: string }) => context)).toEqual([
      'claim',
      'reset-pending-amount',
      'balance-topup',
    ])
    const text = (await desk.run('balances', [WALLET])).join('\n')
    expect(text).toMatch(/claim: app -20 COIN, claimed \+20 COIN/)
    await expect(desk.run('balances', ['acme'])).rejects.toThrow('no EVM address')
  })
})

describe('balances statement', () => {
  it('prints the same statement for people, as JSON and as CSV', async () => {
    const [text, csv] = [
      (await desk.run('balances statement', [WALLET])).join('\n'),
      await desk.run('balances statement', [WALLET], { csv: true }),
    ]
    const json = await desk.json('balances statement', [WALLET])
    expect(json.accounts).toMatchObject([
      { account: 'app', opening: '0', closing: '6500' },
      { account: 'claimed', closing: '2000' },
      { account: 'sponsored', closing: '1500' },
    ])
    expect(text).toMatch(/app\s+0 COIN -> 65 COIN on harbor/)
    expect(csv.filter((line) => line.startsWith('movement,'))).toHaveLength(5)
    const later = await desk.json('balances statement', [WALLET], { from: '2026-11-21T00:00:00Z', to: '2026-11-22' })
    expect([later.movements, later.accounts[0].opening]).toEqual([[], '6500'])
  })

  it.each([
    [{ from: 'yesterday' }, /--from a day/],
    [{ to: '2026-13-01' }, /--to a day/],
    [{ from: '2026-11-02', to: '2026-11-01' }, /--from is after/],
    [{ csv: true, json: true }, /not both/],
  ])('refuses %o', async (options, why) => {
    await expect(desk.run('balances statement', [WALLET], options)).rejects.toThrow(why)
  })
})

describe('explain', () => {
  it('knows a wallet that has a balance or pays for somebody, and what moved', async () => {
    const told = await desk.json('explain', [WALLET])
    expect(told).toMatchObject({
      meanings: ['wallet with a balance'],
      wallet: { wallet: WALLET, integrators: ['acme'], balances: [{ free: '6500' }] },
      requests: [],
    })
    expect(told.wallet.movements[0]).toMatchObject({ context: 'claim', cause: 'claim:1' })
    expect((await desk.run('explain', [WALLET])).join('\n')).toContain('pays for     integrator acme')
    await expect(desk.run('explain', [`0x${'00'.repeat(20)}`])).rejects.toThrow('Nothing is known')
  })

  it('tells of a request what wallets earn, who its sponsor is, and what that moved', async () => {
    const money = { chainId: HARBOR, currency: 'coin' }
    const { requestId, orderId } = await desk.give(
      {},
      {
        earnings: {
          ...money,
          list: [{ wallet: EARNER, kind: 'app', bps: '100', amount: 10n, fromDeposit: 4n, worth: 12n }],
        },
        sponsorship: { ...money, wallet: WALLET, amount: 36n, fees: 36n, rateCost: 0n },
      },
    )
    const depositId = await desk.sweptInto(orderId, 1_000n)
    await desk.fill(depositId, {
      earnings: {
        ...money,
        list: [{ holder: EARNER, kind: 'app', bps: '100', amount: '10', fromDeposit: '4', worth: '12' }],
      },
      sponsorship: { ...money, holder: WALLET, amount: '36', fees: '36', rateCost: '0' },
    })
    const { requests } = await desk.json('explain', [requestId])
    expect(requests[0].quote).toMatchObject({
      earnings: [{ wallet: EARNER, kind: 'app', bps: '100', money: { amount: '12' } }],
      sponsor: { wallet: WALLET, money: { amount: '36', symbol: 'COIN' } },
    })
    expect(requests[0].payouts[0]).toMatchObject({
      earnings: [{ wallet: EARNER, settled: false, money: { amount: '12' } }],
      sponsor: { wallet: WALLET, money: { amount: '36' } },
    })
    expect(requests[0].ledger.totals).toContainEqual(
      expect.objectContaining({ account: 'sponsored', holder: WALLET, amount: '-36' }),
    )
    const text = (await desk.run('explain', [requestId])).join('\n')
    expect(text).toContain(`${EARNER} earns 0.12 COIN (app)`)
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`${WALLET} pays at most 0.36 COIN`)
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`sponsored -0.36 COIN (harbor) of ${WALLET}`)
  })
})
