import { randomBytes } from 'node:crypto'
import { environmentOf } from '@causeway/core'
import { type LedgerEntry, postLedger } from '@causeway/core/money-path'
import {
  CALL_OBSERVERS,
  type Caller,
  ENVIRONMENT,
  type FinishedCall,
  KEYS,
  type Keys,
  linkFundingWallet,
  readAppBalances,
  withTransaction,
} from '@causeway/core/plugin'
import { startTestPlugin, type TestPlugin } from '@causeway/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import balances from './index.js'
import { readSecret } from './options.js'

const WALLET = `0x${'5a'.repeat(20)}`
const OTHER = `0x${'0b'.repeat(20)}`
const SECRET = 'vwLq7x0s-Kd8mR2nB4cT'
const DOLLAR = { chainId: 7, currency: 'usd' }
const START = Date.UTC(2026, 10, 1)

const integrator = (integratorId: string, proxied = false): Caller => ({
  kind: 'integrator',
  integratorId,
  apiKeyId: integratorId,
  keyName: null,
  elevated: false,
  proxied,
})

let plugin: TestPlugin<unknown>
/** What metrics are made of. */
const calls: FinishedCall[] = []
beforeAll(async () => {
  plugin = await startTestPlugin(balances, {
    options: { eventsSecret: { env: 'EVENTS_SECRET' }, statementEntries: 40 },
    callers: { 'key-acme': integrator('acme'), 'key-shop': integrator('acme', true), 'key-zorp': integrator('zorp') },
    register: (container) => {
      const key = randomBytes(32)
      // CAST: nothing else of the keys is used.
      container.register(KEYS, { useValue: { derive: () => key } as unknown as Keys })
      container.register(CALL_OBSERVERS, { useValue: [{ finished: (call: FinishedCall) => void calls.push(call) }] })
      container.register(ENVIRONMENT, { useValue: environmentOf({ EVENTS_SECRET: SECRET }) })
    },
  })
  await linkFundingWallet(plugin.database.pool, { integratorId: 'acme', wallet: WALLET, now: START })
  await linkFundingWallet(plugin.database.pool, { integratorId: 'zorp', wallet: OTHER, now: START })
})
afterAll(() => plugin?.close())

let minute = 0
beforeEach(async () => {
  minute = 0
  await plugin.database.pool.query(`
    alter table ledger_entries disable trigger user; alter table ledger_transactions disable trigger user;
    truncate ledger_transactions, ledger_entries, app_balances, payouts, requests restart identity cascade;
    alter table ledger_entries enable trigger user; alter table ledger_transactions enable trigger user`)
})

interface Moved {
  readonly cause: string
  readonly event: string
  readonly changes: Readonly<Partial<Record<Exclude<LedgerEntry['account'], 'exposure'>, bigint>>>
  readonly wallet?: string
  readonly currency?: string
}

/** More in accounts of a wallet is less in the books; the deployment's own capital is the other side. */
const entriesOf = ({ changes, wallet = WALLET, currency = 'usd' }: Moved): LedgerEntry[] => {
  const entries = Object.entries(changes).map(([account, amount]) => ({
    // CAST: the keys of the changes.
    account: account as LedgerEntry['account'],
    chainId: 7,
    currency,
    amount: -amount,
    holder: wallet,
  }))
  const capital = entries.reduce((sum, { amount }) => sum - amount, 0n)
  return [...entries, { account: 'capital', chainId: 7, currency, amount: capital }]
}

const post = (moved: Moved): Promise<void> => {
  minute += 1
  const { cause, event } = moved
  return withTransaction(plugin.database.pool, (client) =>
    postLedger(client, [{ cause, event, entries: entriesOf(moved) }], START + minute * 60_000),
  )
}

const topUp = (number: number, amount: bigint, more: Partial<Moved> = {}): Promise<void> =>
  post({ cause: `deposit:${number}`, event: 'topped-up', changes: { app: amount }, ...more })

interface EventJson {
  readonly id: number
  readonly delta: string
  readonly balanceAfter: string
  readonly context: string
  readonly currency: string
  readonly requestId: string | null
  readonly contextData: { readonly cause: string; readonly changes: object }
  readonly createdAt: string
}

interface Page {
  readonly message?: string
  readonly wallet: string
  readonly balances: readonly { readonly amount: string }[]
  readonly events: readonly EventJson[]
  readonly continuation: string | null
}

const get = async (path: string, apiKey?: string) => {
  const answer = await fetch(`${plugin.url}${path}`, { headers: apiKey === undefined ? {} : { 'x-api-key': apiKey } })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

const events = async (query = '', wallet = WALLET): Promise<Page & { readonly status: number }> => {
  const { status, text } = await get(`/balance-events/${wallet}?id=${SECRET}${query}`)
  return { status, ...JSON.parse(text) }
}

const all = async (query: string, wallet = WALLET): Promise<readonly EventJson[]> => {
  const found: EventJson[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page & { readonly status: number } = await events(
      `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      wallet,
    )
    expect(page.status).toBe(200)
    found.push(...page.events)
    cursor = page.continuation
  }
  return found
}

/** A payout and its request, as the money path leaves them. */
const payout = async (number: number, data: object): Promise<string> => {
  const { rows } = await plugin.database.pool.query<{ id: string }>(
    `insert into payouts (id, purpose, cause, order_id, chain_id, signer, recipient, currency, amount, data, state, created_at, updated_at)
     overriding system value values ($1::bigint, 'claim', 'test:' || $1::text, '\\x01', 7, '0x5e', 'recipient', 'usd', 1, $2, 'final', now(), now()) returning id::text as id`,
    [number, JSON.stringify(data)],
  )
  return `payout:${rows[0]?.id}`
}

describe('GET /balance-events/{wallet} (wire.md 4.12)', () => {
  it('tells each posting by its context, with the change and what it left, newest first', async () => {
    const cause = await payout(9, {
      earnings: {
        ...DOLLAR,
        list: [{ holder: WALLET, kind: 'app', bps: '25', amount: '4', fromDeposit: '4', worth: '12' }],
      },
      sponsorship: { ...DOLLAR, holder: WALLET, amount: '36', fees: '30', rateCost: '6' },
    })
    await topUp(1, 100n)
    await post({ cause, event: 'sponsored:0', changes: { app: -36n, sponsored: 36n } })
    await post({ cause, event: 'included:1', changes: { sponsored: -36n, earned: 12n } })
    await post({ cause, event: 'settled', changes: { earned: -12n, app: 12n } })
    await post({ cause: 'claim:aa', event: 'asked', changes: { app: -20n, claimed: 20n } })
    await post({ cause: 'claim:aa', event: 'paid', changes: { claimed: -20n } })
    await post({ cause: `request:${'ab'.repeat(32)}`, event: 'held', changes: { app: -30n, collateral: 30n } })
    const page = await events()
    expect(page).toMatchObject({ status: 200, wallet: WALLET, continuation: null })
    expect(page.balances).toEqual([{ chainId: 7, currency: 'usd', amount: '26' }])
    expect(page.events.map(({ context, delta, balanceAfter }) => [context, delta, balanceAfter])).toEqual([
      ['fast-fill-reduce-balance', '-30', '26'],
      ['claim', '-20', '56'],
      ['execute-transaction-request', '12', '76'],
      ['pay-fees', '-36', '64'],
      ['set-pending-amount', '0', '100'],
      ['balance-topup', '100', '100'],
    ])
    expect(page.events[0]).toMatchObject({ requestId: `0x${'ab'.repeat(32)}`, chainId: 7, wallet: WALLET })
    expect(page.events[3]).toMatchObject({
      createdAt: '2026-11-01T00:03:00.000Z',
      requestId: null,
      contextData: {
        cause: 'payout:9',
        event: 'included:1',
        changes: { sponsored: '-36', earned: '12' },
        earnings: [{ kind: 'app', bps: '25', amount: '12' }],
        sponsorship: { amount: '36', rateCost: '6' },
      },
    })
  })

  it('gives each event once over pages of any size, of several currencies in one posting too, and the same balances', async () => {
    for (let number = 1; number <= 20; number += 1) {
      await topUp(number, BigInt(number), { currency: number % 3 === 0 ? 'eur' : 'usd' })
    }
    const [eur, usd] = [
      entriesOf({ cause: '', event: '', changes: { app: -5n }, currency: 'eur' }),
      entriesOf({ cause: '', event: '', changes: { app: -7n } }),
    ]
    await withTransaction(plugin.database.pool, (client) =>
      postLedger(client, [{ cause: 'claim:two', event: 'asked', entries: [...eur, ...usd] }], START + 3_600_000),
    )
    const whole = await all('&limit=250')
    expect(whole).toHaveLength(22)
    for (const limit of [1, 2, 3, 7]) expect(await all(`&limit=${limit}`)).toEqual(whole)
    for (const currency of ['eur', 'usd']) {
      const own = whole.filter((event) => event.currency === currency)
      expect(await all(`&limit=2&currency=${currency}`)).toEqual(own)
      expect(own.at(-1)?.balanceAfter).toBe(own.at(-1)?.delta)
    }
    const held = await readAppBalances(plugin.database.pool, WALLET)
    expect(held.map(({ currency, app }) => [currency, app.toString()])).toEqual([
      ['eur', whole.find(({ currency }) => currency === 'eur')?.balanceAfter],
      ['usd', whole.find(({ currency }) => currency === 'usd')?.balanceAfter],
    ])
  })

  it('keeps the balances of older events where a posting is committed late, under a number that was passed', async () => {
    await topUp(1, 10n)
    const slow = await plugin.database.pool.connect()
    try {
      await slow.query('begin')
      await postLedger(
        slow,
        [
          {
            cause: 'deposit:2',
            event: 'topped-up',
            entries: entriesOf({ cause: '', event: '', changes: { app: 5n } }),
          },
        ],
        START,
      )
      for (const number of [3, 4, 5]) await topUp(number, 100n)
      const first = await events('&limit=2')
      expect(first.events.map(({ balanceAfter }) => balanceAfter)).toEqual(['310', '210'])
      await slow.query('commit')
      const second = await events(`&limit=250&cursor=${first.continuation}`)
      expect(second.events.map(({ delta, balanceAfter }) => [delta, balanceAfter])).toEqual([
        ['100', '110'],
        ['5', '15'],
        ['10', '10'],
      ])
      expect((await events('&limit=1')).balances).toMatchObject([{ amount: '315' }])
    } finally {
      slow.release()
    }
  })

  it('filters by chain, currency, context and request, also where much has to be passed over', async () => {
    await post({ cause: `request:${'cd'.repeat(32)}`, event: 'held', changes: { app: 1n, collateral: 3n } })
    // More entries than one page reads, in few postings, since each of them takes its time.
    const currencies = ['usd', ...Array.from({ length: 19 }, (_, at) => `token${at}`)]
    const entries = currencies.flatMap((currency) =>
      entriesOf({ cause: '', event: '', changes: { app: 1n }, currency }).map((entry) => ({
        ...entry,
        amount: entry.amount.toString(),
      })),
    )
    await plugin.database.pool.query(
      `select post_ledger('deposit:' || n, 'topped-up', now(), $1::jsonb) from generate_series(1, 230) n`,
      [JSON.stringify(entries)],
    )
    const first = await events('&context=fast-fill-increase-balance')
    expect(first).toMatchObject({ status: 200, events: [] })
    expect(first.continuation).not.toBeNull()
    const found = await all('&context=fast-fill-increase-balance')
    expect(found).toMatchObject([{ delta: '1', balanceAfter: '1' }])
    expect(await all(`&requestId=0x${'CD'.repeat(32)}`)).toEqual(found)
    expect(await all(`&requestId=0x${'ef'.repeat(32)}`)).toEqual([])
    expect((await events('&chainId=8')).balances).toEqual([])
    expect((await events('&chainId=7&currency=USD&includeNegativeBalances=true&limit=1')).balances).toMatchObject([
      { amount: '231' },
    ])
  })

  it('is for the secret or the key of the wallet’s integrator, and for nobody else', async () => {
    await topUp(1, 1n)
    const path = `/balance-events/${WALLET}`
    const tried = [
      [path, undefined, 401],
      [`${path}?id=`, undefined, 401],
      [`${path}?id=${SECRET}x`, undefined, 401],
      [`${path}?id=${SECRET}x`, 'key-acme', 401],
      [path, 'unknown-key', 401],
      [path, 'key-zorp', 403],
      [path, 'key-shop', 403],
      [path, 'key-acme', 200],
      [path.toUpperCase().replace('/BALANCE-EVENTS/0X', '/balance-events/0x'), 'key-acme', 200],
      [`${path}?id=${SECRET}`, undefined, 200],
      [`/balance-events/${`0x${'77'.repeat(20)}`}?id=${SECRET}`, undefined, 200],
    ] as const
    for (const [asked, key, status] of tried) {
      const answer = await get(asked, key)
      expect([asked, key, answer.status]).toEqual([asked, key, status])
      if (status !== 200) expect(Object.keys(JSON.parse(answer.text))).toContain('message')
    }
  })

  it('refuses what is malformed, a cursor of other filters and one that was changed, and shows none of it', async () => {
    for (const number of [1, 2, 3]) await topUp(number, 1n)
    const cursor = (await events('&limit=1')).continuation ?? ''
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith('A') ? 'BB' : 'AA'}`
    for (const query of [
      'limit=0',
      'limit=251',
      'limit=1.5',
      'limit=x',
      'chainId=-1',
      'chainId=abc',
      'context=other',
      'requestId=0x12',
      'includeNegativeBalances=maybe',
      'currency=',
      'cursor=abc',
      `cursor=${changed}`,
      `cursor=${cursor}&chainId=8`,
      `cursor=${'a'.repeat(5_000)}`,
      'id=a&id=b',
    ]) {
      const { status, text } = await get(`/balance-events/${WALLET}?id=${SECRET}&${query}`)
      expect([query, status]).toEqual([query, 400])
      expect(text).not.toContain(SECRET)
    }
    for (const wallet of ['0x12', 'alice', `0x${'g'.repeat(40)}`, `${WALLET}00`]) {
      expect((await get(`/balance-events/${wallet}?id=${SECRET}`)).status).toBe(400)
    }
    expect((await get(`/balance-events/${OTHER}?id=${SECRET}&cursor=${cursor}`)).status).toBe(400)
  })

  it('shows the secret in no log, body or metric, whatever fails (F96)', async () => {
    await plugin.database.pool.query('alter table app_balances rename to hidden')
    const bodies = [
      await get(`/balance-events/${WALLET}?id=${SECRET}`),
      await get(`/balance-events/${WALLET}?id=${SECRET}&limit=0`),
    ]
    await plugin.database.pool.query('alter table hidden rename to app_balances')
    bodies.push(await get(`/balance-events/${WALLET}?id=${SECRET}x`))
    expect(bodies.map(({ status }) => status)).toEqual([500, 400, 401])
    expect(plugin.logged()).toContain('request failed')
    expect(plugin.logged()).toContain('/balance-events/:wallet')
    expect(calls.at(-1)).toMatchObject({ route: '/balance-events/:wallet', status: 401 })
    for (const text of [plugin.logged(), JSON.stringify(calls), ...bodies.map(({ text }) => text)])
      expect(text).not.toContain(SECRET)
  })

  it('does not start with a secret that is not set or too short', () => {
    const options = { eventsSecret: { env: 'S' }, statementEntries: 1 }
    expect(() => readSecret(options, environmentOf({}))).toThrow('The environment variable S')
    expect(() => readSecret(options, environmentOf({ S: 'short' }))).toThrow('16 or more')
    expect(readSecret({ statementEntries: 1 }, environmentOf({}))).toBeNull()
  })
})

describe('GET /balance-statements/{wallet}', () => {
  const path = `/balance-statements/${WALLET}`
  const period = `startTimestamp=${START / 1000}&endTimestamp=${START / 1000 + 3_600}`

  it('tells what each account held at both ends and all between, as JSON and CSV, to the integrator alone', async () => {
    await topUp(1, 100n)
    await post({ cause: 'claim:aa', event: 'asked', changes: { app: -20n, claimed: 20n } })
    const { status, text } = await get(
      `${path}?startTimestamp=${START / 1000 + 90}&endTimestamp=${START / 1000 + 3_600}`,
      'key-acme',
    )
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      wallet: WALLET,
      from: '2026-11-01T00:01:30.000Z',
      accounts: [
        { account: 'app', opening: '100', closing: '80' },
        { account: 'claimed', opening: '0', closing: '20' },
      ],
      movements: [
        {
          context: 'claim',
          cause: 'claim:aa',
          changes: [
            { account: 'app', delta: '-20' },
            { account: 'claimed', delta: '20' },
          ],
        },
      ],
    })
    const csv = await get(`${path}/csv?${period}`, 'key-acme')
    expect([csv.status, csv.type]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(csv.text.split('\r\n')[3]).toContain('movement,2026-11-01T00:01:00.000Z,app,100,100,')
    for (const key of ['key-zorp', 'key-shop']) expect((await get(`${path}?${period}`, key)).status).toBe(403)
    expect((await get(`${path}?${period}&id=${SECRET}`)).status).toBe(401)
  })

  it('refuses a time that ends before it begins, and more than it may tell', async () => {
    for (let number = 1; number <= 41; number += 1) await topUp(number, 1n)
    for (const query of ['startTimestamp=9&endTimestamp=8', 'startTimestamp=-1', 'endTimestamp=x', period]) {
      for (const form of ['', '/csv']) {
        const { status, text } = await get(`${path}${form}?${query}`, 'key-acme')
        expect([query, status]).toEqual([query, 400])
        expect(JSON.parse(text).message).toEqual(expect.any(String))
      }
    }
    const { status } = await get(
      `${path}?startTimestamp=${START / 1000}&endTimestamp=${START / 1000 + 1_200}`,
      'key-acme',
    )
    expect(status).toBe(200)
  })
})
