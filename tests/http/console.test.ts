import { findAudit } from '@causeway/core/plugin'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { operatorToken, startTestHost, type TestHost } from '../harness/host/host.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { sessionHeaders, signIn } from './dashboardSession.js'
import { type HttpWorld, leakIn, startHttpWorld } from './httpWorld.js'

type Headers = Readonly<Record<string, string>>

const COMMANDS = '/console/api/commands'
const PLUGINS = { operator: {}, webhooks: {} }

let world: HttpWorld
let url: string
/** An operator's, fresh. */
let operator: Headers
beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => PLUGINS })
  url = world.host.url
  operator = await signInOperator(url)
})
afterAll(() => world?.close())

const signInOperator = async (at: string): Promise<Headers> =>
  sessionHeaders(
    await callApi(at, '/dashboard/api/session/operator', { body: { token: await operatorToken(world.database.pool) } }),
  )

const read = (name: string, query: { arguments?: readonly string[]; options?: object } = {}, headers = operator) => {
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, JSON.stringify(value)]),
  )
  return callApi(url, `/console/api/reads/${encodeURIComponent(name)}?${search}`, { headers })
}

const run = (body: unknown, headers: Headers = operator): Promise<ApiAnswer> =>
  callApi(url, COMMANDS, { body, headers })

/** As if its sign-in were so long ago. */
const grownOld = async (milliseconds: number): Promise<Headers> => {
  const headers = await signInOperator(url)
  await world.database.pool.query(
    `update dashboard_sessions set created_at = created_at - $1 * interval '1 millisecond'
     where id = (select id from dashboard_sessions order by created_at desc limit 1)`,
    [milliseconds],
  )
  return headers
}

const parkEther = async (amount: bigint): Promise<string> => {
  const [origin] = world.network.chains
  const orderId = `0x${freshAddress().slice(2).padStart(64, '6')}` as const
  const txId = await depositNative(origin, userOf(world.network, 0), orderId, amount)
  const id = await until('the deposit', async () => {
    const { rows } = await world.database.pool.query<{ id: string }>(
      'select id::text as id from deposits where tx_id = $1',
      [txId],
    )
    return rows[0]?.id
  })
  await origin.chain.mine(2)
  return id
}

describe('what the console may run', () => {
  it('is listed with its kind, arguments and options; what needs a key of the operator is not in it', async () => {
    const { status, body, headers } = await callApi(url, COMMANDS, { headers: operator })
    expect(status).toBe(200)
    const byName = new Map(listAt(body, 'commands').map((command) => [textAt(command, 'name'), command]))
    expect(byName.get('parked refund')).toMatchObject({
      kind: 'money',
      confirmWith: 'deposit',
      arguments: [{ name: 'deposit', required: true }],
      options: [{ name: 'to', takes: 'text' }, { name: 'reason' }],
    })
    expect(byName.get('inventory')).toMatchObject({ kind: 'read', confirmWith: null })
    expect(byName.get('lanes release')).toMatchObject({ kind: 'money', confirmWith: 'chain' })
    expect(byName.get('quote-rules set')).toMatchObject({ kind: 'action' })
    for (const name of ['doctor', 'config show', 'webhooks status', 'now', 'chains status', 'audit list'])
      expect(byName.get(name), name).toMatchObject({ kind: 'read' })
    for (const name of ['wallet send', 'wallet sweep', 'wallet approve', 'api-keys create', 'dashboard operator-token'])
      expect(byName.has(name), name).toBe(false)
    const etag = headers.get('etag') ?? ''
    expect((await callApi(url, COMMANDS, { headers: { ...operator, 'if-none-match': etag } })).status).toBe(304)
  })

  it('is for operators alone: 401 without a session, 403 for an integrator', async () => {
    const integrator = await signIn(url)
    const paths = [COMMANDS, '/console/api/reads/inventory']
    for (const path of paths) {
      expect((await callApi(url, path)).status).toBe(401)
      expect(await callApi(url, path, { headers: integrator })).toMatchObject({
        status: 403,
        body: { message: 'Only operators may do this' },
      })
    }
    for (const name of ['parked refund', 'quote-rules remove', 'no such']) {
      expect((await run({ name }, {})).status).toBe(401)
      expect(await run({ name }, integrator)).toMatchObject({ status: 403, body: { message: expect.any(String) } })
    }
  })

  it.each([
    ['a name nobody knows', { name: 'parked burn' }, 404],
    ['a command of the command line alone', { name: 'wallet send', arguments: ['harbor', 'ETH', '1', 'x'] }, 404],
    ['a read by POST', { name: 'inventory' }, 404],
    ['an option it does not have', { name: 'quote-rules remove', arguments: ['1'], options: { force: true } }, 400],
    ['an option of the console itself', { name: 'quote-rules remove', arguments: ['1'], options: { yes: true } }, 400],
    [
      'a flag with a text',
      { name: 'inventory topup', arguments: ['a', 'b', '1'], options: { out: 'x' }, confirm: '1' },
      400,
    ],
    ['a text with a flag', { name: 'quote-rules remove', arguments: ['1'], options: { reason: true } }, 400],
    ['U+0000', { name: 'quote-rules remove', arguments: ['1\u0000'] }, 400],
    ['a missing argument', { name: 'parked refund', options: { reason: 'x' } }, 400],
    ['an argument too many', { name: 'quote-rules remove', arguments: ['1', '2'] }, 400],
    ['a name that is none', { name: 7 }, 400],
    [
      'a refusal, in the words of the command',
      { name: 'quote-rules remove', arguments: ['7'], options: { reason: 'x' } },
      409,
    ],
  ])('%s is a plain refusal', async (_what, body, status) => {
    const answer = await run(body)
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(/\S/) } })
    expect(leakIn(world, answer.text)).toBeNull()
  })
})

describe('reads', () => {
  it.each([
    'inventory',
    'ledger check',
    'parked list',
    'now',
    'chains status',
    'webhooks status',
    'audit list',
    'doctor',
    'config show',
    'halts',
    'lanes',
    'balances',
    'wallet list',
  ])('%s gives the JSON of the command', async (name) => {
    const answer = await read(name)
    expect(answer).toMatchObject({ status: 200, body: { lines: [], result: { schemaVersion: 1 } } })
    // Where it runs and who did what from where is what these three tell.
    const tells = ['doctor', 'audit list', 'config show'].includes(name)
    const hidden = tells
      ? answer.text.replaceAll(/127\.0\.0\.1|postgres\w*|::1|(?:https?|wss?):\/\//gi, '')
      : answer.text
    expect(leakIn(world, hidden)).toBeNull()
  })

  it('of a serving host know its chains from its own watching, and leave its adapters at work', async () => {
    const { body } = await read('chains status')
    expect(listAt(body, 'result.chains')).toHaveLength(2)
    for (const chain of listAt(body, 'result.chains')) {
      expect(chain).toMatchObject({
        reachable: true,
        halt: null,
        quorum: { holds: true },
        head: { height: expect.any(String) },
      })
      expect(listAt(chain, 'endpoints')).toMatchObject([{ state: 'ok', reason: null }])
    }
    // A command that stopped an adapter would leave the next deposit unseen.
    await read('inventory', { options: { chain: world.network.chains[0].slug } })
    expect(await parkEther(ether('0.001'))).toMatch(/^\d+$/)
  })

  it('are one answer for all who ask within its time, and 304 for who has it', async () => {
    // Nobody has asked this before, so that no answer of before ends meanwhile.
    const asked = { options: { chain: world.network.chains[1].slug } }
    const answers = await Promise.all(Array.from({ length: 8 }, () => read('inventory', asked)))
    const times = new Set(answers.map(({ body }) => textAt(body, 'result.at')))
    expect(times.size).toBe(1)
    const etag = answers[0]?.headers.get('etag') ?? ''
    expect((await read('inventory', asked, { ...operator, 'if-none-match': etag })).status).toBe(304)
    expect((await read('inventory', {}, { 'if-none-match': etag })).status).toBe(401)
  })

  it('take arguments and options as JSON, and refuse what is none', async () => {
    expect(await read('parked list', { options: { limit: '1' } })).toMatchObject({ status: 200 })
    expect(await read('explain', { arguments: [`0x${'12'.repeat(32)}`] })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('Nothing is known of') },
    })
    const bad = [
      'arguments=x',
      'arguments={}',
      'arguments=[1]',
      'options=[]',
      'options={"a":1}',
      'options="x"',
      'arguments=["%5Cu0000"]',
    ]
    for (const query of bad) {
      const answer = await callApi(url, `/console/api/reads/explain?${query}`, { headers: operator })
      expect(answer, query).toMatchObject({ status: 400 })
    }
    expect((await read('parked refund', { arguments: ['1'] })).status).toBe(404)
    expect((await read('parked refund')).status).toBe(404)
  })

  it('config show names where keys are and no key, password or whole URL (faults.md F96)', async () => {
    const { text, body } = await read('config show')
    const [chain] = listAt(body, 'result.config.chains')
    expect(valueAt(chain, 'rpc.0.http')).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(valueAt(body, 'result.config.keys.master')).toEqual({ file: 'master.key' })
    const { password, username } = new URL(world.database.url)
    for (const secret of [password, '5a'.repeat(32), world.network.roles.solver.privateKey])
      if (secret !== '' && secret !== username) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/postgres(ql)?:\/\/[^/"]*@/)
  })
})

describe('money', () => {
  it('a parked deposit is refunded once, by whom the audit names, with what the command line would write', async () => {
    const { pool } = world.database
    const id = await parkEther(ether('0.03'))
    const to = freshAddress()
    const order = { name: 'parked refund', arguments: [id], options: { reason: 'the user asked', to }, confirm: id }
    const done = await until('the deposit to be deep enough', async () => {
      const answer = await run(order)
      return answer.status === 409 && /blocks deep/.test(answer.text) ? null : answer
    })
    expect(done).toMatchObject({ status: 200, body: { result: null, lines: [expect.stringContaining('On its way')] } })
    const rows = async () =>
      (
        await pool.query<{ what: string }>(
          `select purpose || ' ' || state as what from payouts where deposit_id = $1 order by id`,
          [id],
        )
      ).rows.map(({ what }) => what)
    await waitForQuiet(pool)
    expect(await rows()).toEqual(['refund final', 'withdraw final'])
    const [entry] = await findAudit(pool, { subject: `deposit ${id}`, limit: 5 })
    expect(entry).toMatchObject({
      action: 'parked refund',
      actor: expect.stringMatching(/^operator-token from (127\.0\.0\.1|::1)$/),
      details: { reason: 'the user asked', to },
    })
    expect(await run(order)).toMatchObject({ status: 409, body: { message: expect.stringContaining('paid back') } })
    expect(await rows()).toEqual(['refund final', 'withdraw final'])
  })

  it('is not moved without the token of the session, nor by a page of another origin', async () => {
    const body = { name: 'parked refund', arguments: ['1'], options: { reason: 'x' }, confirm: '1' }
    const { cookie = '' } = operator
    expect((await run(body, { cookie })).status).toBe(403)
    expect((await run(body, { ...operator, origin: 'https://evil.example' })).status).toBe(403)
    expect((await run(body, { ...operator, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  it('needs a sign-in of less than five minutes ago, which a new one is; other actions and reads do not', async () => {
    const id = await parkEther(ether('0.002'))
    const order = { name: 'parked close', arguments: [id], options: { reason: 'x', 'paid-by': '0x1' }, confirm: id }
    const [old, young] = [await grownOld(300_000), await grownOld(240_000)]
    expect(await run(order, old)).toMatchObject({ status: 403, body: { code: 'SIGN_IN_AGAIN' } })
    expect((await run(order, young)).status).toBe(409)
    expect((await run(order, await signInOperator(url))).status).toBe(409)
    expect((await run({ name: 'quote-rules remove', arguments: ['9'], options: { reason: 'x' } }, old)).status).toBe(
      409,
    )
    expect((await read('parked list', {}, old)).status).toBe(200)
  })

  it('needs what it is about once more, checked here and not by the page', async () => {
    const id = await parkEther(ether('0.002'))
    const order = { name: 'parked refund', arguments: [id], options: { reason: 'x' } }
    for (const confirm of [undefined, '', ` ${id}`, '0', 'yes', `deposit:${id}`]) {
      expect(await run({ ...order, ...(confirm === undefined ? {} : { confirm }) })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('nothing was done') },
      })
    }
    const { rows } = await world.database.pool.query('select 1 from payouts where deposit_id = $1', [id])
    expect(rows).toEqual([])
    expect(await findAudit(world.database.pool, { subject: `deposit ${id}`, limit: 1 })).toEqual([])
  })
})

describe('where the console is served', () => {
  const hosts: TestHost[] = []
  const start = async (http: NonNullable<Parameters<typeof startTestHost>[0]['http']>): Promise<TestHost> => {
    const host = await startTestHost({ ...world, plugins: PLUGINS, http })
    hosts.push(host)
    return host
  }
  afterAll(() => Promise.all(hosts.map((host) => host.stop())))

  const statusAt = async (at: string | null, path: string, headers: Headers = {}) =>
    (await callApi(at ?? '', path, { headers })).status

  it('on its own listener, where there is one, and nowhere else, whatever a caller says', async () => {
    const host = await start({ console: {} })
    const own = host.consoleUrl ?? ''
    const session = await signInOperator(own)
    expect(await statusAt(own, COMMANDS, session)).toBe(200)
    expect(await statusAt(own, '/console/api/reads/halts', session)).toBe(200)
    // It serves everything else too, and the session is one for both.
    expect(await statusAt(own, '/dashboard/api/session', session)).toBe(200)
    expect(await statusAt(own, '/lives')).toBe(200)
    const forged = {
      ...session,
      host: new URL(own).host,
      'x-forwarded-host': new URL(own).host,
      forwarded: `host=${own}`,
    }
    for (const path of ['/console', '/console/', COMMANDS, '/console/api/reads/halts', '/console/x/y'])
      for (const headers of [{}, session, forged]) expect(await statusAt(host.url, path, headers), path).toBe(404)
    expect((await callApi(host.url, COMMANDS, { body: { name: 'halts release' }, headers: session })).status).toBe(404)
    // Only the paths of the console: others that begin alike are what they are.
    expect(await statusAt(host.url, '/consoles')).toBe(404)
    expect(await statusAt(host.url, '/lives')).toBe(200)
  })

  it('on loopback by default, whatever the first listener is reached by; the metrics too', async () => {
    const host = await start({ host: '0.0.0.0', console: {} })
    const reached = host.url.replace('0.0.0.0', '127.0.0.1')
    expect(new URL(host.consoleUrl ?? '').hostname).toBe('127.0.0.1')
    for (const path of [COMMANDS, '/metrics']) expect(await statusAt(reached, path), path).toBe(404)
    expect(await statusAt(reached, '/lives')).toBe(200)
    expect(await statusAt(host.consoleUrl, COMMANDS)).toBe(401)
    expect(await statusAt(host.consoleUrl, '/metrics')).toBe(200)
  })
})
