import { depositoryAbi } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, listAt, textAt } from '../harness/apiCall.js'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { followSocket } from '../harness/socketFollower.js'
import { freshAddress, type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { nativeBody, postQuote } from '../http/httpWorld.js'
import { toldBy } from '../webhooks/toldEvents.js'
import { type HookedWorld, startHookedWorld } from './hookedWorld.js'

const AMOUNT = ether('0.01')
const TOO_LITTLE = (AMOUNT * 99n) / 100n

let hooked: HookedWorld
let world: HookedWorld['world']
let key: HookedWorld['key']

beforeAll(async () => {
  hooked = await startHookedWorld()
  ;({ world, key } = hooked)
})
afterAll(() => hooked?.close())

const quoteOf = async (user: number): Promise<QuoteAnswer> => {
  const own = { user: userOf(world.network, user).address, recipient: freshAddress(), amount: AMOUNT.toString() }
  const answer = await until('a quote', async () => {
    const quoted = await postQuote(world, nativeBody(world, own), '/quote', key.apiKey)
    return quoted.status === 503 ? null : quoted
  })
  if (answer.status !== 200) throw new Error(answer.text)
  // CAST: the tests of the quote's shape check it.
  return answer.body as QuoteAnswer
}

const deposit = (user: number, { protocol }: QuoteAnswer, amount: bigint): Promise<Hex> =>
  depositNative(world.network.chains[0], userOf(world.network, user), protocol.v2.orderId, amount)

const get = async (path: string) => {
  const { status, body } = await callApi(world.host.url, path, { apiKey: key.apiKey })
  expect([path, status]).toEqual([path, 200])
  return body
}

const statusOf = (id: string, version = '/v3') => get(`/intents/status${version}?requestId=${id}`)

const waitFor = (id: string, wanted: string) =>
  until(`${id} to be ${wanted}`, async () => {
    const body = await statusOf(id)
    return textAt(body, 'status') === wanted ? body : null
  })

const familyOf = async (id: string, operation = 'v3'): Promise<readonly { id: string; status: string }[]> => {
  const body = await get(`/requests/${operation}?id=${id}&includeChildRequests=true`)
  return listAt(body, 'requests').map((each) => ({ id: textAt(each, 'id'), status: textAt(each, 'status') }))
}

/** What the endpoint of the key heard under an id. */
const toldUnder = (id: string) => toldBy(hooked.receiver.calls).filter(({ request }) => request === id)
const heardUnder = (id: string, statuses: readonly string[]) =>
  until(`the events of ${id}`, async () => (toldUnder(id).length >= statuses.length ? toldUnder(id) : null)).then(
    (events) => expect(events.map(({ status }) => status)).toEqual(statuses),
  )

const childOf = async (id: string, operation = 'v3'): Promise<string> => {
  const [child] = (await familyOf(id, operation)).filter((each) => each.id !== id)
  if (child === undefined) throw new Error(`${id} has no child`)
  return child.id
}

it('F135: 99 % of the amount from the quote’s own user: its id tells of the refund, and then of the deposit that is enough', async () => {
  const quote = await quoteOf(0)
  const id = quote.requestId
  const socket = followSocket(world.host.url, { filters: { id } })
  await until('the subscription', async () => socket.cursor)
  const hash = await deposit(0, quote, TOO_LITTLE)
  const told = await waitFor(id, 'refund')
  const [{ chain: origin }, { chain: destination }] = world.network.chains
  expect(told).toMatchObject({
    status: 'refund',
    details: null,
    inTxHashes: [hash],
    txHashes: [expect.any(String)],
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL',
    refundFailReason: 'N/A',
  })
  expect(await statusOf(id, '/v2')).toMatchObject({ status: 'refund', inTxHashes: [hash] })
  expect(await statusOf(id, '')).toEqual(told)
  expect(await get(`/transactions/status?chainId=${origin.chainId}&txHash=${hash}`)).toMatchObject({ requestId: id })

  // Two records, the quote's and that of its deposit, with one answer.
  for (const operation of ['v3', 'v2']) {
    const child = await childOf(id, operation)
    expect(await familyOf(id, operation)).toEqual([
      { id: child, status: 'refund' },
      { id, status: 'refund' },
    ])
    expect(await statusOf(child)).toEqual(told)
  }
  const child = await childOf(id)
  const total = await get(`/requests/v3?id=${id}&includeChildRequests=true&includeTotal=true&limit=2`)
  expect(total).toMatchObject({ total: 2 })
  const data = await get(`/integrators/quote-data?requestId=${id}`)
  expect(data).toMatchObject({ requestId: id })
  expect(await get(`/integrators/quote-data?requestId=${child}`)).toEqual(data)

  await heardUnder(id, ['pending', 'refund'])
  expect(toldUnder(child)).toEqual([])
  await until('the events', async () => (socket.events.length >= 2 ? true : null))
  const [pending, refund] = socket.events.map(({ data }) => data)
  expect(pending).toMatchObject({ requestId: id, status: 'pending', inTxHashes: [hash], txHashes: [] })
  expect(refund).toMatchObject({ requestId: id, status: 'refund', failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
  expect(toldUnder(id).map((event) => event.id)).toEqual(socket.events.map((event) => event.id))
  const late = followSocket(world.host.url, { filters: { id } })
  await until('the last event', async () => (late.events.length === 1 ? true : null))
  expect(late.events[0]?.data.status).toBe('refund')
  late.end()

  const enough = await deposit(0, quote, AMOUNT)
  expect(await waitFor(id, 'success')).toMatchObject({ inTxHashes: [enough], failReason: 'N/A' })
  const all = ['pending', 'refund', 'pending', 'submitted', 'success']
  await heardUnder(id, all)
  await until('the events', async () => (socket.events.length >= all.length ? true : null))
  expect(socket.events.map(({ data }) => data.status)).toEqual(all)
  expect(new Set(socket.events.map((event) => event.id)).size).toBe(all.length)
  socket.end()
  expect(await statusOf(child)).toEqual(told)
  expect(await get(`/transactions/status?chainId=${origin.chainId}&txHash=${hash}`)).toMatchObject({ requestId: child })
})

it('F135: what a stranger sends under an order, as himself or in the name of the user, changes nothing at the quote’s id', async () => {
  const quote = await quoteOf(1)
  const id = quote.requestId
  const [origin] = world.network.chains
  const own = await deposit(2, quote, TOO_LITTLE)
  const data = encodeFunctionData({
    abi: depositoryAbi,
    functionName: 'depositNative',
    args: [userOf(world.network, 1).address, quote.protocol.v2.orderId],
  })
  const forged = await origin.chain.send(userOf(world.network, 2), { to: origin.depository, data, value: 1n })
  await receiptOf(origin.chain, forged)
  const children = await until('both to be finished', async () => {
    const { rows } = await world.database.pool.query<{ id: Hex; status: string }>(
      `select '0x' || encode(id, 'hex') as id, status from requests where parent_request_id = decode($1, 'hex') and next_action is null`,
      [id.slice(2)],
    )
    return rows.length === 2 ? rows : null
  })
  expect(children.map(({ status }) => status).sort()).toEqual(['failure', 'refund'])
  expect(await statusOf(id)).toMatchObject({ status: 'waiting', inTxHashes: [], txHashes: [] })
  expect(await familyOf(id)).toEqual([{ id, status: 'waiting' }])
  // Whoever sent it finds it by its transaction.
  expect(await get(`/transactions/status?chainId=${origin.chain.chainId}&txHash=${own}`)).toMatchObject({
    requestId: children.find(({ status }) => status === 'refund')?.id,
  })
  await deposit(1, quote, AMOUNT)
  await waitFor(id, 'success')
  await heardUnder(id, ['pending', 'submitted', 'success'])
  expect(await familyOf(id)).toEqual([{ id, status: 'success' }])
})

it('F135: of several deposits of the user the id answers with the newest that is not finished, else with the newest', async () => {
  const [quote, other] = [await quoteOf(3), await quoteOf(3)]
  const first = await deposit(3, quote, TOO_LITTLE)
  await waitFor(quote.requestId, 'refund')
  const second = await deposit(3, quote, TOO_LITTLE - 1n)
  expect(
    await until('the second deposit', async () => {
      const body = await statusOf(quote.requestId)
      return listAt(body, 'inTxHashes')[0] === first ? null : body
    }),
  ).toMatchObject({ inTxHashes: [second] })
  await waitFor(quote.requestId, 'refund')
  await heardUnder(quote.requestId, ['pending', 'refund', 'pending', 'refund'])

  // On another chain than the quote says: told with the chain where it is.
  const [origin, destination] = world.network.chains
  await depositNative(destination, userOf(world.network, 3), other.protocol.v2.orderId, AMOUNT)
  expect(await waitFor(other.requestId, 'refund')).toMatchObject({
    failReason: 'DEPOSIT_CHAIN_MISMATCH',
    originChainId: destination.chain.chainId,
  })
  expect(origin.chain.chainId).not.toBe(destination.chain.chainId)
})

it('the books agree with the chains, and every change was told', async () => {
  await waitForQuiet(world.database.pool, 60_000)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
