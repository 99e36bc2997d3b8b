import { RecordSearch } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { findDiscrepancies } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
import { executeQuote, freshAddress, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { pageOf } from '../seed/pageShapes.js'
import { deployment, events, everythingFinal, inTx, network, quoteOne, restart, useReorgWorld } from './reorgWorld.js'

useReorgWorld()

it('F135: a deposit that is too little and is reorged away returns the quote’s id to waiting; one that is enough is filled', async () => {
  await restart(['watcher'])
  const [origin] = network.chains
  const quote = await quoteOne(freshAddress())
  const lost = await depositNative(origin, userOf(network, 0), quote.protocol.v2.orderId, ether('0.9'))
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await reorgAway(origin, lost)
  await waitForStatus(deployment.requests, quote.requestId, ['waiting'])
  await restart()
  await depositNative(origin, userOf(network, 0), quote.protocol.v2.orderId, ether('1'))
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(await events(quote.requestId)).toEqual(['pending', 'waiting', 'pending', 'submitted', 'success'])
  await everythingFinal()
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})

it('a deposit that comes back after another took its order becomes a request of its own and is refunded', async () => {
  const [origin] = network.chains
  const quote = await quoteOne(freshAddress())
  await restart(['watcher'])
  const first = await executeQuote(origin.chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  const raw = await origin.chain.rpc<string>('eth_getRawTransactionByHash', [first])
  await reorgAway(origin, first)
  await waitForStatus(deployment.requests, quote.requestId, ['waiting'])
  await depositNative(origin, userOf(network, 5), quote.protocol.v2.orderId, ether('1'))
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await origin.chain.rpc('eth_sendRawTransaction', [raw])
  await restart()
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  const child = await until('the child request', async () => {
    const { rows } = await deployment.pool.query<{ id: string; status: string; fail_reason: string }>(
      `select '0x' || encode(id, 'hex') as id, status, fail_reason from requests where parent_request_id = decode($1, 'hex') and status = 'refund'`,
      [quote.requestId.slice(2)],
    )
    return rows[0]
  })
  expect(child.fail_reason).toBe('DOUBLE_SPEND')
  // Its transaction finds the child, and the first request no more.
  const search = new RecordSearch({ pool: deployment.pool })
  for (const field of ['term', 'hash', 'depositTxHash'] as const) {
    const { rows } = await search.page(pageOf([{ field, not: false, values: [first] }]))
    expect([field, rows.map(({ id }) => id)]).toEqual([field, [child.id]])
  }
  expect(await inTx(first)).toEqual({ status: 'success', reorg: null })
  await everythingFinal()
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})
