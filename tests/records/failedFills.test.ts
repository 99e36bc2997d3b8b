import { revertingRecipientAbi, revertingRecipientBytecode } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import { encodeFunctionData, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, listAt, textAt } from '../harness/apiCall.js'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { userOf } from '../harness/localNetwork.js'
import { followSocket } from '../harness/socketFollower.js'
import { executeQuote, type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { nativeBody, postQuote } from '../http/httpWorld.js'
import { type HookedWorld, startHookedWorld } from './hookedWorld.js'

const WORDS = /^Transaction failed: .*not welcome/

let hooked: HookedWorld
let world: HookedWorld['world']

beforeAll(async () => {
  hooked = await startHookedWorld()
  world = hooked.world
})
afterAll(() => hooked?.close())

const destination = () => world.network.chains[1].chain

/** A recipient that takes money until it is told to refuse it, saying why. */
const deployRecipient = () => destination().deploy(revertingRecipientAbi, revertingRecipientBytecode)
const refuse = encodeFunctionData({ abi: revertingRecipientAbi, functionName: 'setMode', args: [1, 0n] })

const quoteTo = async (user: number, recipient: string): Promise<QuoteAnswer> => {
  const own = { user: userOf(world.network, user).address, recipient }
  const { status, text, body } = await until('a quote', async () => {
    const quoted = await postQuote(world, nativeBody(world, own), '/quote', hooked.key.apiKey)
    return quoted.status === 503 ? null : quoted
  })
  if (status !== 200) throw new Error(text)
  // CAST: the tests of the quote's shape check it.
  return body as QuoteAnswer
}

const get = async (path: string) => (await callApi(world.host.url, path, { apiKey: world.host.apiKey })).body

const refunded = (id: string) =>
  until('the refund', async () => {
    const body = await get(`/intents/status/v3?requestId=${id}`)
    return textAt(body, 'status') === 'refund' ? body : null
  })

const recordOf = async (id: string, version = 'v3') => listAt(await get(`/requests/${version}?id=${id}`), 'requests')[0]

const followed = async (id: string) => {
  const follower = followSocket(world.host.url, { filters: { id } })
  await until('the subscription', async () => follower.cursor)
  return follower
}

const toldAtEnd = (follower: Awaited<ReturnType<typeof followed>>) =>
  until('the last event', async () => follower.events.find(({ data }) => data.status === 'refund')?.data)

/** The body of the webhook's last call, as the receiver got it. */
const calledAtEnd = (id: string) =>
  until('the last call', async () => {
    const bodies = hooked.receiver.calls.map(({ body }) => JSON.parse(body))
    return bodies.find(({ data }) => data.requestId === id && data.status === 'refund')?.data
  })

it('H.3, K.2 9: what the chain says of a fill that is refused before it is sent reaches status, events and record, with the call', async () => {
  const recipient = await deployRecipient()
  const quote = await quoteTo(0, recipient)
  const follower = await followed(quote.requestId)
  const { chain } = world.network.chains[1]
  await receiptOf(chain, await chain.send(userOf(world.network, 0), { to: recipient, data: refuse }))
  await executeQuote(world.network.chains[0].chain, userOf(world.network, 0), quote)
  const status = await refunded(quote.requestId)
  expect(status).toMatchObject({
    failReason: 'DESTINATION_TOKEN_TRANSFER_REJECTED',
    details: expect.stringMatching(WORDS),
  })
  for (const told of [await toldAtEnd(follower), await calledAtEnd(quote.requestId)]) {
    expect(told).toMatchObject({ details: { message: textAt(status, 'details') } })
  }
  for (const version of ['v3', 'v2']) {
    const record = await recordOf(quote.requestId, version)
    expect(record).toMatchObject({
      data: {
        failedTxHash: null,
        failedCallData: {
          from: expect.stringMatching(new RegExp(world.network.roles.solver.address, 'i')),
          to: expect.stringMatching(/^0x[0-9a-f]{40}$/i),
          data: expect.stringMatching(/^0x/),
          value: quote.details.currencyOut.amount,
        },
      },
    })
  }
  follower.end()
})

it('H.3, K.2 9: so does what it says of a fill that reverts in its block', async () => {
  const recipient = await deployRecipient()
  const quote = await quoteTo(1, recipient)
  const follower = await followed(quote.requestId)
  const { chain } = world.network.chains[1]
  await chain.setIntervalMining(0)
  await chain.setAutomine(false)
  await executeQuote(world.network.chains[0].chain, userOf(world.network, 1), quote)
  await until('the fill to be sent', async () => {
    const { rowCount } = await world.database.pool.query(
      `select from payouts where request_id = $1 and purpose = 'fill' and first_broadcast_at is not null`,
      [Buffer.from(quote.requestId.slice(2), 'hex')],
    )
    return rowCount === 1 ? true : null
  })
  const account = privateKeyToAccount(userOf(world.network, 1).privateKey)
  const nonce = Number(await chain.rpc<Hex>('eth_getTransactionCount', [account.address, 'latest']))
  const call = { to: recipient as Hex, data: refuse, gas: 100_000n, nonce, chainId: chain.chainId }
  const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('50') }
  await chain.rpc('eth_sendRawTransaction', [await account.signTransaction({ ...call, ...fees })])
  await chain.mine(1)
  await chain.setAutomine(true)
  await chain.setIntervalMining(1)
  const status = await refunded(quote.requestId)
  expect(status).toMatchObject({ failReason: 'TRANSACTION_REVERTED', details: expect.stringMatching(WORDS) })
  for (const told of [await toldAtEnd(follower), await calledAtEnd(quote.requestId)]) {
    expect(told).toMatchObject({ details: { message: textAt(status, 'details') } })
  }
  expect(await recordOf(quote.requestId)).toMatchObject({
    data: {
      failedTxHash: expect.any(String),
      failedTxBlockNumber: expect.any(Number),
      failedCallData: { to: recipient.toLowerCase(), value: quote.details.currencyOut.amount },
    },
  })
  follower.end()
})

it('the books agree with the chains, and every change was told', async () => {
  await waitForQuiet(world.database.pool, 60_000)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
