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

it('a deposit that every provider shows is filled above the limit', async () => {
  const quote = await quoteFrom(0, origin, destination, LARGE)
  await depositNative(origin, userOf(network, 0), quote.protocol.v2.orderId, LARGE)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
})

it(
  'F05: a large deposit that the others deny is never filled; the alert stands, the request waits with a time',
  expectInventedDepositDenied,
)

it('F06: with the honest providers away nothing is decided or quoted on the chain, and it resumes by itself', async () => {
  const waiting = await quoteFrom(4, origin, destination, LARGE)
  silence(1)
  silence(2)
  await statesToBe('distrusted', 'down', 'down')
  await depositNative(origin, userOf(network, 4), waiting.protocol.v2.orderId, LARGE)
  await expect(askFor(5, origin, destination, SMALL)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(askFor(5, destination, origin, SMALL)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await until('the alert', async () => ((await openAlerts('quorum-lost')).length > 0 ? true : null))
  expect(await fillsOf(waiting)).toBe(0)
  node(1).clear()
  node(2).clear()
  await waitForStatus(deployment.requests, waiting.requestId, ['success'])
  await until('the alert to be over', async () => ((await openAlerts('quorum-lost')).length === 0 ? true : null))
  await quoteFrom(5, origin, destination, SMALL)
})

it('F05: below the limit one vote is enough, and never to take the money out of the depository', async () => {
  const quote = await quoteFrom(1, origin, destination, SMALL)
  const reader = await findReader()
  const txId = await invent(1, quote, SMALL, proxies.indexOf(reader))
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  await until('the other one to be asked', async () =>
    (await openAlerts('providers-disagree')).some(({ subject }) => subject.includes(txId)) ? true : null,
  )
  const { rows } = await deployment.pool.query(
    `select 1 from payouts p join deposits d on d.id = p.deposit_id where p.purpose = 'withdraw' and d.tx_id = $1`,
    [txId],
  )
  expect(rows).toEqual([])
})
