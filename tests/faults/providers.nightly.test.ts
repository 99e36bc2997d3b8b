import { omitLogs } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { assignParked } from '@causeway/core/money-path'
import { withTransaction } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { depositNative } from '../harness/depositing.js'
import { userOf } from '../harness/localNetwork.js'
import { waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  askFor,
  deployment,
  destination,
  expectInventedDepositDenied,
  fillsOf,
  findReader,
  invent,
  LARGE,
  network,
  nextActionOf,
  node,
  openAlerts,
  origin,
  proxies,
  quoteFrom,
  SMALL,
  silence,
  statesToBe,
  useLiar,
} from './liarWorld.js'

useLiar()

it(
  'F05: a large deposit that the others deny is never filled; the alert stands, the request waits with a time',
  expectInventedDepositDenied,
)

it('the chain runs on without the liar', async () => {
  const quote = await quoteFrom(3, origin, destination, LARGE)
  await depositNative(origin, userOf(network, 3), quote.protocol.v2.orderId, LARGE)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
})

it('F06: a node that begins to lie when the honest ones time out is not believed alone', async () => {
  const quote = await quoteFrom(4, origin, destination, LARGE)
  silence(1)
  await statesToBe('distrusted', 'down', 'ok')
  const txId = await invent(4, quote, LARGE, 2)
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await expect(askFor(5, origin, destination, SMALL)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await until('another attempt', async () => ((await nextActionOf(quote))?.attempts ?? 0) >= 2 || null)
  node(1).clear()
  await until('the alert', async () =>
    (await openAlerts('providers-disagree')).some(({ subject }) => subject.includes(txId)) ? true : null,
  )
  expect(await deployment.requests.findStatus(quote.requestId)).toMatchObject({ status: 'pending' })
  expect(await fillsOf(quote)).toBe(0)
})

it('F107: a deposit that the node read from never shows is found from another one', async () => {
  await statesToBe('distrusted', 'ok', 'ok')
  const quote = await quoteFrom(5, origin, destination, SMALL)
  const reader = await findReader()
  omitLogs(reader, () => true)
  await depositNative(origin, userOf(network, 5), quote.protocol.v2.orderId, SMALL)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  await until('the alert', async () =>
    (await openAlerts('providers-disagree')).some(({ subject }) => subject.startsWith('logs of')) ? true : null,
  )
})

it('F05: a large payment is not final on one provider’s vote, and is once the others say so too', async () => {
  const quote = await quoteFrom(0, destination, origin, LARGE)
  await depositNative(destination, userOf(network, 0), quote.protocol.v2.orderId, LARGE)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  for (const at of [1, 2]) silence(at)
  const fill = async () => {
    const { rows } = await deployment.pool.query<{ state: string; height: bigint }>(
      `select state, included_height as height from payouts where purpose = 'fill' and request_id = $1`,
      [Buffer.from(quote.requestId.slice(2), 'hex')],
    )
    return rows[0]
  }
  await until('blocks far beyond settlement', async () => {
    const [payment, tip] = [await fill(), BigInt(await origin.chain.rpc<string>('eth_blockNumber'))]
    return payment !== undefined && tip > payment.height + 10n ? true : null
  })
  expect(await fill()).toMatchObject({ state: 'included' })
  for (const proxy of proxies) proxy.clear()
  await until('the payment to be final', async () => ((await fill())?.state === 'final' ? true : null))
})

it('F05: a large stray deposit that an operator gives to a quote is confirmed as its transaction shows it', async () => {
  const quote = await quoteFrom(1, origin, destination, LARGE)
  const stray: Hex = `0x${'5e'.repeat(32)}`
  await depositNative(origin, userOf(network, 1), stray, LARGE)
  const depositId = await until('the deposit to be parked', async () => {
    const { rows } = await deployment.pool.query<{ id: string }>(
      'select id::text as id from deposits where order_id = $1 and parked_reason is not null',
      [Buffer.from(stray.slice(2), 'hex')],
    )
    return rows[0]?.id
  })
  await withTransaction(deployment.pool, (client) =>
    assignParked(client, { depositId, requestId: quote.requestId }, Date.now()),
  )
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
})
