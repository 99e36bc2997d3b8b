import { expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import {
  arrivals,
  deployment,
  finished,
  held,
  network,
  setMood,
  solver,
  transferDollars,
  useOddPayoutWorld,
} from './oddPayoutWorld.js'

useOddPayoutWorld()

it('F123: a fill of a token that answers false moves nothing and is refunded, once', async () => {
  const [origin, destination] = network.chains
  await setMood(destination, 'answersFalse', solver())
  const transfer = await transferDollars(0)
  expect(await finished(transfer)).toMatchObject({
    status: 'refund',
    failReason: 'DESTINATION_TOKEN_TRANSFER_REJECTED',
  })
  expect(await held(destination, transfer.recipient)).toBe(0n)
  expect(await held(origin, transfer.refundTo)).toBeGreaterThan(499_000_000n)
  expect(await arrivals(origin, transfer.refundTo)).toBe(1)
  const { rows } = await deployment.pool.query<{ purpose: string; status: string }>(
    `select purpose, status from request_txs where request_id = decode($1, 'hex') and direction = 'out' order by created_at`,
    [transfer.quote.requestId.slice(2)],
  )
  expect(rows).toEqual([
    { purpose: 'fill', status: 'failure' },
    { purpose: 'refund', status: 'success' },
  ])
})

it('F123: a fill of which a part arrived is never paid again: below the minimum it fails, and what is missing goes back', async () => {
  const [origin, destination] = network.chains
  await setMood(destination, 'takesFee', solver())
  const transfer = await transferDollars(0)
  const amount = BigInt(transfer.quote.details.currencyOut.amount)
  expect(await finished(transfer)).toMatchObject({ status: 'failure', failReason: 'TOO_LITTLE_RECEIVED' })
  expect(await held(destination, transfer.recipient)).toBe(amount - amount / 100n)
  await waitForQuiet(deployment.pool)
  // A hundredth of what was deposited, less the gas of sending it back.
  const share = await held(origin, transfer.refundTo)
  expect(share).toBeGreaterThan(4_000_000n)
  expect(share).toBeLessThan(5_000_000n)
  expect(await arrivals(destination, transfer.recipient)).toBe(1)
  expect(await arrivals(origin, transfer.refundTo)).toBe(1)
})
