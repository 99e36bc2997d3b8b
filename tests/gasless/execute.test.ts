import type { LocalAccount } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { encodeFunctionData, erc20Abi, keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { freshAddress } from '../harness/transfer.js'
import { postQuote, tokenBody } from '../http/httpWorld.js'
import { holdings, recordOf, sponsoredIntegrator, statusOf } from '../sponsorship/sponsorWorld.js'
import {
  batchBody,
  bornesOf,
  callsOf,
  delegationTo,
  executeBody,
  postExecute,
  signerOf,
  transferCall,
} from './executing.js'
import { allowanceOf, DEPOSIT, nativeOf, newUser, quoted, useExecute, world } from './useExecute.js'

useExecute()

describe('with a quote (wire.md 2.6, F.1)', () => {
  it('requestId: a 7702 batch of an account without gas deposits, is filled, and passes depositing', async () => {
    const user = await newUser()
    const quote = await quoted(user, { originGasOverhead: 80_000 })
    const requestId = textAt(quote, 'requestId')
    const body = await batchBody(world, user, callsOf(quote), { requestId, originGasOverhead: 80_000 })
    const answer = await postExecute(world, body)
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String), requestId }])
    expect(await statusOf(world, quote)).toMatchObject({ status: 'success', inTxHashes: [expect.any(String)] })
    const { rows } = await world.database.pool.query<{ status: string }>(
      `select status from request_events where request_id = decode($1, 'hex') order by version`,
      [requestId.slice(2)],
    )
    expect(rows.map(({ status }) => status)).toEqual(['depositing', 'pending', 'submitted', 'success'])
    expect(await nativeOf(user.address)).toBe(0n)
    expect(await recordOf(world, quote)).toMatchObject({
      status: 'success',
      features: expect.arrayContaining(['gasless_execution']),
      data: { inTxs: [{ status: 'success' }], outTxs: [{ status: 'success' }] },
    })
    expect(await bornesOf(world, requestId)).toEqual([{ by: 'route', charged: expect.stringMatching(/^[1-9]\d+$/) }])
  })

  it('requestId: unknown and of another chain are refused', async () => {
    const user = await newUser(2n * DEPOSIT)
    const quote = await quoted(user)
    const call = { to: world.origin.usdc, data: '0x' as const }
    const refusedBy = async (more: Readonly<Record<string, unknown>>) =>
      valueAt((await postExecute(world, executeBody(world, call, more))).body, 'error')
    expect(await refusedBy({ requestId: `0x${'12'.repeat(32)}` })).toBe('No quote has this requestId')
    const [, second] = world.network.chains
    const elsewhere = { executionKind: 'rawCalls', data: { chainId: second.chain.chainId, ...call, value: '0' } }
    expect(
      valueAt((await postExecute(world, { ...elsewhere, requestId: textAt(quote, 'requestId') })).body, 'error'),
    ).toContain(`begins on chain ${world.origin.chain.chainId}`)
  })
})

describe('of a quote that was asked for without a key (faults.md F153)', () => {
  it('needs the signature of its user over just this call; calls of other keys do not block it', async () => {
    const user = await newUser()
    const quote = await quoted(user, {}, null)
    const requestId = textAt(quote, 'requestId')
    const stranger = freshAddress()
    const blocking = executeBody(world, { to: stranger, data: '0x' }, { requestId })
    const refusedBy = async (body: object, ownerSignature?: string) => {
      const answer = await postExecute(world, { ...body, ...(ownerSignature === undefined ? {} : { ownerSignature }) })
      expect(answer.status).toBe(400)
      return valueAt(answer.body, 'error')
    }
    expect(await refusedBy(blocking)).toContain('was quoted without an API key')
    const { origin } = world
    const body = await batchBody(world, user, callsOf(quote), { requestId })
    const messageOf = ({ to, data }: { readonly to: string; readonly data: Hex }) =>
      `Send a call for my quote\nRequest: ${requestId}\nChain: ${origin.chain.chainId}\nTo: ${to.toLowerCase()}\nData hash: ${keccak256(data)}`
    const signed = (by: LocalAccount, call: Parameters<typeof messageOf>[0]) =>
      signerOf(by).signMessage({ message: messageOf(call) })
    const own = await signed(user, body.data)
    expect(await refusedBy(body, await signed(await newUser(), body.data))).toContain("is not that of the quote's user")
    expect(await refusedBy(blocking, own)).toContain("is not that of the quote's user")
    expect((await postExecute(world, { ...body, ownerSignature: own })).status).toBe(200)
    expect(await statusOf(world, quote)).toMatchObject({ status: 'success' })
  })
})

describe('without a quote (wire.md 2.6, F.3)', () => {
  it('a new id is returned, the call ends `success` with its block, and status and records tell it', async () => {
    const [user, payee] = [await newUser(), freshAddress()]
    const body = await batchBody(world, user, [transferCall(world.origin.usdc, payee, 5n)])
    const answer = await postExecute(world, { ...body, executionOptions: { referrer: 'shop.example' } })
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: expect.any(String), requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    ])
    expect(await statusOf(world, answer.body)).toMatchObject({
      status: 'success',
      inTxHashes: [expect.any(String)],
      txHashes: [expect.any(String)],
      originChainId: world.origin.chain.chainId,
      destinationChainId: world.origin.chain.chainId,
    })
    expect(await balanceOnChain(world.origin, payee, world.origin.usdc)).toBe(5n)
    expect(await recordOf(world, answer.body)).toMatchObject({
      status: 'success',
      requestType: 'Call',
      features: ['gasless_execution'],
      sender: user.address.toLowerCase(),
      protocol: null,
      data: { failReason: null, inTxs: [{ status: 'success' }], outTxs: [{ status: 'success' }] },
    })
    expect(await recordOf(world, answer.body, 'v2')).toMatchObject({ status: 'success' })
    const { body: quote } = await callApi(
      world.host.url,
      `/integrators/quote-data?requestId=${textAt(answer.body, 'requestId')}`,
      { apiKey: world.host.apiKey },
    )
    expect(quote).toMatchObject({ request: { executionKind: 'rawCalls' }, details: { operation: 'send' } })
  })

  it('a raw call runs in an account that is nobody’s: allowances of the payout wallet and gas of the sender are out of reach', async () => {
    const { usdc, fillRouter } = world.origin
    const { solver, origin } = world.network.roles
    expect(await allowanceOf(usdc, solver.address, fillRouter)).toBeGreaterThan(0n)
    const steal = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [solver.address as Hex, freshAddress() as Hex, 1n],
    })
    const answer = await postExecute(world, executeBody(world, { to: usdc, data: steal }))
    expect(answer).toMatchObject({ status: 400, body: { error: 'allowance too low' } })
    // Code that sends on all it has, with the account of a user delegated to it.
    const drain = `0x5f5f5f5f4773${'dd'.repeat(20)}5af100`
    const at = `0x${'d7a1'.padStart(40, '0')}` as const
    await world.origin.chain.rpc('anvil_setCode', [at, drain])
    const user = await newUser()
    const before = await nativeOf(origin.address)
    const drained = await postExecute(
      world,
      executeBody(
        world,
        { to: user.address, data: '0x' },
        { authorizationList: [await delegationTo(world.origin, user, at)] },
      ),
    )
    expect(drained.status).toBe(200)
    expect(await statusOf(world, drained.body)).toMatchObject({ status: 'success' })
    const { rows } = await world.database.pool.query<{ fee: string }>(
      `select fee::text from request_txs where request_id = decode($1, 'hex') and direction = 'in'`,
      [textAt(drained.body, 'requestId').slice(2)],
    )
    expect(before - (await nativeOf(origin.address))).toBe(BigInt(rows[0]?.fee ?? '0'))
    expect(await nativeOf(`0x${'dd'.repeat(20)}`)).toBe(0n)
  })
})

describe('executionOptions.subsidizeFees (wire.md 2.6, D.9)', () => {
  it('the sponsor’s balance pays, once, and a balance that is too small pays nothing', async () => {
    const rich = await sponsoredIntegrator(world, 'rich', { user: 4, balance: 10_000_000n })
    const user = await newUser()
    const subsidized = { executionOptions: { subsidizeFees: true } }
    const body = await batchBody(world, user, [transferCall(world.origin.usdc, freshAddress(), 1n)], subsidized)
    const answer = await postExecute(world, body, rich.apiKey)
    expect(answer.status).toBe(200)
    const [borne] = [await bornesOf(world, textAt(answer.body, 'requestId'))].flat()
    expect(borne).toMatchObject({ by: 'sponsor', holder: rich.wallet })
    expect(await statusOf(world, answer.body)).toMatchObject({ status: 'success' })
    const paid = BigInt(textAt(borne, 'amount'))
    expect(paid).toBeGreaterThan(0n)
    expect(await holdings(world, rich.wallet)).toEqual({ app: 10_000_000n - paid })
    const poor = await sponsoredIntegrator(world, 'poor', { user: 5, balance: 1n })
    const second = await newUser()
    const other = await postExecute(
      world,
      await batchBody(world, second, [transferCall(world.origin.usdc, freshAddress(), 1n)], subsidized),
      poor.apiKey,
    )
    expect(await bornesOf(world, textAt(other.body, 'requestId'))).toMatchObject([{ by: 'loss' }])
    expect(await statusOf(world, other.body)).toMatchObject({ status: 'success' })
    expect(await holdings(world, poor.wallet)).toEqual({ app: 1n })
  })
})

it('originGasOverhead of a quote is charged with its fees; /price tells the same', async () => {
  const user = await newUser()
  const priced = async (more: object): Promise<bigint> => {
    const { body } = await postQuote(world, tokenBody(world, { user: user.address, ...more }), '/price')
    return BigInt(textAt(body, 'details.currencyOut.amount'))
  }
  const [without, light, heavy] = [
    await priced({}),
    await priced({ originGasOverhead: 80_000 }),
    await priced({ originGasOverhead: '300000' }),
  ]
  expect(light).toBeLessThan(without)
  expect(heavy).toBeLessThan(light)
  const { status, body } = await postQuote(world, tokenBody(world, { originGasOverhead: -1 }))
  expect([status, body]).toMatchObject([400, { errorCode: 'INVALID_REQUEST' }])
})

it('what its route has paid for counts against no cap any more (wire.md F.3)', async () => {
  const user = await newUser()
  const body = await batchBody(world, user, [transferCall(world.origin.usdc, freshAddress(), 1n)])
  // The next one of a key looks what became of those before.
  expect((await postExecute(world, body)).status).toBe(200)
  const { rows } = await world.database.pool.query(
    `select (select count(*)::int from gasless_expected e join requests r on r.id = e.request_id where r.status = 'success' and e.usd > 0) as unpaid,
      (select max(paid) > 0 from gasless_losses where api_key_id <> '') as paid`,
  )
  expect(rows).toEqual([{ unpaid: 0, paid: true }])
})

it('the books agree with the chains, and all gas stands in them', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
