import type { Hex } from '@causeway/core'
import { expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
import { executeQuote, freshAddress, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  deployment,
  events,
  everythingFinal,
  inTx,
  network,
  quoteOne,
  recordOf,
  restart,
  useReorgWorld,
} from './reorgWorld.js'

useReorgWorld()

it('a fill reorged away is sent again, the same bytes, and the status stays success (K.2 3)', async () => {
  const recipient = freshAddress()
  const quote = await quoteOne(recipient)
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success'])
  // CAST: the hash of a transaction on this chain.
  await reorgAway(network.chains[1], (done.txHashes?.[0] ?? '0x') as Hex)
  const paid = await until('the fill to be on the chain again', async () => {
    const balance = await balanceOnChain(network.chains[1], recipient, NATIVE)
    return balance > 0n ? balance : null
  })
  expect(paid).toBe(BigInt(quote.details.currencyOut.amount))
  await everythingFinal()
  const after = await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(after.txHashes).toEqual(done.txHashes)
  expect((await events(quote.requestId)).filter((status) => status === 'success')).toHaveLength(1)
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})

it('a deposit reorged away before its fill is signed returns the request to waiting with evidence, and a new deposit fills it (K.2 6)', async () => {
  await restart(['watcher'])
  const recipient = freshAddress()
  const quote = await quoteOne(recipient)
  const lost = await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await reorgAway(network.chains[0], lost)
  await waitForStatus(deployment.requests, quote.requestId, ['waiting'])
  const entry = await inTx(lost)
  expect(entry?.status).toBe('failure')
  expect(JSON.parse(entry?.reorg ?? '{}')).toMatchObject({
    detectedAt: expect.any(Number),
    source: expect.any(String),
    reason: expect.any(String),
  })
  await restart()
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(await balanceOnChain(network.chains[1], recipient, NATIVE)).toBe(BigInt(quote.details.currencyOut.amount))
  expect(await events(quote.requestId)).toEqual(['pending', 'waiting', 'pending', 'submitted', 'success'])
})

it('a deposit reorged away after its fill shows the evidence, keeps the status and books the loss (K.2 6)', async () => {
  const quote = await quoteOne(freshAddress())
  const lost = await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  await reorgAway(network.chains[0], lost)
  const entry = await until('the evidence', async () => {
    const found = await inTx(lost)
    return found?.status === 'failure' ? found : null
  })
  expect(JSON.parse(entry.reorg ?? '{}')).toMatchObject({ failReason: 'DEPOSIT_REORGED', action: 'fill' })
  const record = await recordOf(quote.requestId)
  expect(record.data.inTxs).toMatchObject([
    {
      txHash: lost,
      status: 'failure',
      metadata: { reorg: { detectedAt: expect.any(Number), source: expect.any(String), action: 'fill' } },
    },
  ])
  expect(record.data.route.actual.origin.inputCurrency?.amount).toBe(quote.details.currencyIn.amount)
  expect(record).toMatchObject({ status: 'success', protocol: { isWithdrawable: false } })
  expect((await deployment.requests.findStatus(quote.requestId))?.status).toBe('success')
  const { rows } = await deployment.pool.query<{ amount: string }>(
    `select sum(amount)::text as amount from ledger_entries where account = 'loss'`,
  )
  expect(rows[0]?.amount).toBe(ether('1').toString())
  await everythingFinal()
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})
