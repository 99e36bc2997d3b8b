import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, textAt, valueAt } from '../harness/apiCall.js'
import { ENTRY_POINT } from '../harness/evm/publicContracts.js'
import { userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { leakIn, postQuote, tokenBody } from '../http/httpWorld.js'
import { statusOf } from '../sponsorship/sponsorWorld.js'
import {
  batchBody,
  callsOf,
  delegationTo,
  type ExecuteWorld,
  executeBody,
  postExecute,
  signedBatch,
  startExecuteWorld,
  transferCall,
  userOperation,
} from './executing.js'
import { gaslessUser } from './gaslessWorld.js'

let world: ExecuteWorld
/** Before the node of the first chain, which does not trace. */
let node: FaultProxy
beforeAll(async () => {
  world = await startExecuteWorld(
    { lossCapUsd: '0.9', totalLossCapUsd: '3', maxGas: 1_000_000 },
    {
      rpcUrls: async ({ chains: [{ chain }] }) => {
        node = await startFaultProxy(chain.rpcUrl)
        node.add('debug_traceCall', { error: { code: -32601, message: 'the method does not exist' } })
        return { [chain.chainId]: node.url }
      },
    },
  )
})
afterAll(async () => {
  await world?.close()
  await node?.close()
})

const TO = `0x${'17'.repeat(20)}`

const whole = () => executeBody(world, { to: TO, data: '0x' })
const withData = (changes: Readonly<Record<string, unknown>>) => {
  const body = whole()
  return { ...body, data: { ...body.data, ...changes } }
}
const refused = async (body: unknown): Promise<string> => {
  const { status, body: answer, text } = await postExecute(world, body)
  expect([status, Object.keys(Object(answer)), leakIn(world, text)]).toEqual([400, ['error'], null])
  return textAt(answer, 'error')
}

describe('rows of wire.md 2.6', () => {
  it.each([
    ['chainId', 'chainId is required'],
    ['to', 'to is required'],
    ['data', 'data is required'],
    ['value', 'value is required'],
  ])('data.%s is required', async (field, text) => {
    expect(await refused(withData({ [field]: undefined }))).toBe(text)
    expect(await refused(withData({ [field]: null }))).toBe(text)
  })

  it('executionKind: `rawCalls`, the only kind', async () => {
    expect(await refused({ ...whole(), executionKind: undefined })).toBe('executionKind is required')
    expect(await refused({ ...whole(), executionKind: 'userOperations' })).toContain('executionKind')
    for (const body of [{}, [], null, 'call', 7]) expect(await refused(body)).toBeTruthy()
  })

  it('data.chainId: a chain that is not here, or sends for nobody', async () => {
    expect(await refused(withData({ chainId: 424_242 }))).toBe('chainId 424242 is not a chain here')
    for (const chainId of ['70001', 1.5, -1, 0]) expect(await refused(withData({ chainId }))).toContain('chainId')
  })

  it('data.to, data.data: hex of the right form, and no more than a transaction carries', async () => {
    for (const to of ['0x1', 'me', `0x${'1g'.repeat(20)}`, 5]) expect(await refused(withData({ to }))).toContain('to')
    for (const data of ['0x1', 'abc', '0xzz', 5]) expect(await refused(withData({ data }))).toContain('data')
    expect(await refused(withData({ data: `0x${'00'.repeat(130_000)}` }))).toContain('a transaction carries no more')
  })

  it('data.value: nobody is charged for any, so it is "0"', async () => {
    expect(await refused(withData({ value: '1' }))).toContain('value must be "0"')
    for (const value of ['0x0', '-1', '1e18', ' 0', 0]) expect(await refused(withData({ value }))).toContain('value')
  })

  it('data.authorizationList: an empty list, another chain, every chain, a high s, another parity', async () => {
    const [user, { executor, origin }] = [await gaslessUser(world.origin, world.origin.usdc, 1n), world]
    const signed = await delegationTo(origin, user, executor)
    const listed = (changes: object) => refused(withData({ authorizationList: [{ ...signed, ...changes }] }))
    expect(await refused(withData({ authorizationList: [] }))).toBe('authorizationList cannot be empty')
    expect(await listed({ chainId: 0 })).toContain('holds on every chain')
    expect(await listed({ chainId: 1 })).toContain(`the call is for chain ${origin.chain.chainId}`)
    expect(await listed({ yParity: 27 })).toContain('is no signed EIP-7702 authorization')
    expect(await listed({ r: '0x0' })).toContain('is no signed EIP-7702 authorization')
    expect(await listed({ nonce: -1 })).toContain('is no signed EIP-7702 authorization')
    expect(await listed({ s: `0x${'f'.repeat(64)}` })).toContain('upper half of the curve')
    expect(await refused(withData({ authorizationList: Array.from({ length: 11 }, () => signed) }))).toContain(
      'authorizationList',
    )
  })

  it('executionOptions: all of it may be missing, and unknown fields are ignored', async () => {
    const { executionOptions: _, ...body } = whole()
    const answer = await postExecute(world, {
      ...body,
      relay: true,
      originGasOverhead: 80_000,
      data: { ...body.data, gas: 7 },
    })
    expect(answer.status).toBe(200)
    expect(await statusOf(world, answer.body)).toMatchObject({ status: 'success' })
    expect(await refused({ ...whole(), executionOptions: { subsidizeFees: 'yes' } })).toContain('subsidizeFees')
  })

  it('requestId: not an id', async () => {
    for (const requestId of ['0x1', '', 7]) expect(await refused({ ...whole(), requestId })).toContain('requestId')
  })

  it('401 {error}: no key, or a bad one', async () => {
    for (const key of [null, 'cct_test_nobody_has_this_key_0123456789']) {
      const { status, body } = await postExecute(world, whole(), key)
      expect([status, body]).toEqual([401, { error: expect.any(String) }])
    }
  })

  it('a call that takes more gas than is sent is refused', async () => {
    const at = `0x${'9a5'.padStart(40, '0')}`
    // Counts to a number that takes about two million gas.
    await world.origin.chain.rpc('anvil_setCode', [at, '0x620124f85b600190038060045700'])
    expect(await refused(executeBody(world, { to: at, data: '0x' }))).toMatch(/takes \d+ gas; at most 1000000 is sent/)
  })
})

it('a user operation whose call reverts is refused by a node that does not trace, too (wire.md 2.6 details)', async () => {
  const user = await gaslessUser(world.origin, world.origin.usdc, 1n)
  const data = await userOperation(world.origin, user, transferCall(world.origin.usdc, freshAddress(), 2n))
  const authorizationList = [await delegationTo(world.origin, user, world.account7702)]
  const answer = await postExecute(world, executeBody(world, { to: ENTRY_POINT, data }, { authorizationList }))
  expect(answer).toMatchObject({
    status: 400,
    body: {
      error: 'balance too low',
      details: { topLevel: { contract: 'EntryPoint 0.8' }, revert: { type: 'errorString' } },
    },
  })
  expect(node.calls.get('eth_simulateV1')).toBe(1)
})

it('the cap of what nobody pays for: at it the key is refused, and another key is not (wire.md 2.6, F.3)', async () => {
  const { apiKey } = await world.host.createApiKey('spends')
  const user = await gaslessUser(world.origin, world.origin.usdc, 100n)
  const answers: string[] = []
  for (let nonce = 0n; nonce < 60n && answers.at(-1) !== 'refused'; nonce += 1n) {
    const call = transferCall(world.origin.usdc, freshAddress(), 1n)
    const authorizationList =
      nonce === 0n ? { authorizationList: [await delegationTo(world.origin, user, world.executor)] } : {}
    const body = executeBody(
      world,
      { to: user.address, data: await signedBatch(world.origin, user, [call], nonce) },
      authorizationList,
    )
    const answer = await postExecute(world, body, apiKey)
    answers.push(answer.status === 200 ? 'sent' : 'refused')
    if (answer.status === 200) expect(valueAt(await statusOf(world, answer.body), 'status')).toBe('success')
    else
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('cap of $0.900000 a day') } })
  }
  expect(answers.at(-1)).toBe('refused')
  expect(answers.length).toBeGreaterThan(1)
  const { rows } = await world.database.pool.query<{ total: string; key: string }>(
    `select max(usd) filter (where api_key_id = '')::text as total, max(usd) filter (where api_key_id <> '')::text as key from gasless_losses`,
  )
  expect(BigInt(rows[0]?.key ?? '0')).toBeLessThanOrEqual(9n * 10n ** 17n)
  expect((await postExecute(world, executeBody(world, { to: TO, data: '0x01' }))).status).toBe(200)
})

/** A contract that takes some 200,000 gas of whoever calls it. */
const BURNER = `0x${'b09e'.padStart(40, '0')}`
let burns = 0

/** A call of it, no two alike. */
const burn = async (apiKey: string, more: Readonly<Record<string, unknown>> = {}): Promise<ApiAnswer> => {
  await world.origin.chain.rpc('anvil_setCode', [BURNER, '0x611ce85b600190038060035700'])
  burns += 1
  return postExecute(world, executeBody(world, { to: BURNER, data: toHex(burns, { size: 4 }) }, more), apiKey)
}

const quotedFor = async (user: string, originGasOverhead: string, apiKey: string): Promise<unknown> => {
  const answer = await postQuote(world, tokenBody(world, { user, originGasOverhead }), '/quote', apiKey)
  expect(answer.status).toBe(200)
  return answer.body
}

it('F146: a quote that charged for a gas of 1 pays for no more: the rest counts, and the cap holds (wire.md 2.6)', async () => {
  const { apiKey, id } = await world.host.createApiKey('underpays')
  const { address } = userOf(world.network, 0)
  const answers: ApiAnswer[] = []
  while (answers.length < 20 && (answers.at(-1)?.status ?? 200) === 200) {
    const requestId = textAt(await quotedFor(address, '1', apiKey), 'requestId')
    answers.push(await burn(apiKey, { requestId }))
  }
  expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])[0]).toEqual([200, ''])
  expect(answers.at(-1)).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('cap of $0.900000 a day') },
  })
  const { fee, charged } = await until('all of them in blocks', async () => {
    const { rows } = await world.database.pool.query<{ fee: string; charged: string; open: number }>(
      `select sum(a.fee)::text as fee, sum(e.usd)::text as charged, count(*) filter (where a.fee is null)::int as open
        from gasless_expected e join payouts p on p.request_id = e.request_id and p.purpose = 'origin'
        left join payout_attempts a on a.payout_id = p.id where e.api_key_id = $1`,
      [id],
    )
    return rows[0]?.open === 0 ? rows[0] : null
  })
  const [spent, paid] = [BigInt(fee) * 2_000n, BigInt(charged)]
  expect(spent).toBeGreaterThan(paid)
  expect(spent).toBeLessThanOrEqual(paid + 9n * 10n ** 17n)
})

it('F147: free calls of some keys use up the cap of all, and a call whose quote was charged goes on', async () => {
  let refusal = ''
  for (let nth = 0; nth < 20 && !refusal.includes('the cap for all callers today'); nth += 1) {
    const { apiKey } = await world.host.createApiKey(`free ${nth}`, { untrusted: true })
    const { status, body } = await burn(apiKey)
    if (status !== 200) refusal = textAt(body, 'error')
  }
  expect(refusal).toContain('the cap for all callers today')
  const { apiKey } = await world.host.createApiKey('pays', { untrusted: true })
  const user = await gaslessUser(world.origin, world.origin.usdc, 25_000_000n)
  const quote = await quotedFor(user.address, '200000', apiKey)
  const body = await batchBody(world, user, callsOf(quote), { requestId: textAt(quote, 'requestId') })
  const answer = await postExecute(world, body, apiKey)
  expect([answer.status, valueAt(answer.body, 'error')]).toEqual([200, undefined])
  expect(await statusOf(world, quote)).toMatchObject({ status: 'success' })
})
