import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { callApi } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { startTestHost } from '../harness/host/host.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  database,
  destination,
  finished,
  host,
  lookedAt,
  looksAt,
  network,
  origin,
  quoteOf,
  recorded,
  report,
  signStep,
  sourcesOf,
  transfer,
  unlistedOf,
  useSwapWorld,
  within,
} from './swapWorld.js'

useSwapWorld()

describe('swaps across chains on real Uniswap pools (wire.md 1.2, D.5)', () => {
  it('on the origin: a token nobody lists becomes USDC elsewhere', async () => {
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: destination().usdc }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('50') })
    expect(status).toMatchObject({ status: 'success', failReason: 'N/A' })
    expect(sourcesOf(quote)).toEqual(['origin uniswap'])
    within(got, quote)
  })

  it('on the destination: USDC becomes a token nobody lists', async () => {
    const asked = { from: origin(), to: destination(), give: origin().usdc, get: unlistedOf(destination()) }
    const { quote, status, got } = await transfer({ ...asked, amount: 200_000_000n })
    expect(status.status).toBe('success')
    expect(sourcesOf(quote)).toEqual(['destination uniswap'])
    within(got, quote)
  })

  it('two assets the solver holds: native currency for USDC, out of the inventory or a pool, whatever gives more', async () => {
    const asked = { from: destination(), to: origin(), give: NATIVE, get: origin().usdc }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('0.1') })
    expect(status.status).toBe('success')
    within(got, quote)
  })

  it('native currency out of a destination swap reaches the recipient as such', async () => {
    const asked = { from: origin(), to: destination(), give: origin().usdc, get: NATIVE }
    const more = { includedDestinationSwapSources: ['uniswap-v2'] }
    const { quote, status, got } = await transfer({ ...asked, amount: 100_000_000n, more })
    expect(status.status).toBe('success')
    within(got, quote)
  })

  it.each(['EXACT_OUTPUT', 'EXPECTED_OUTPUT'])('%s over swaps on both sides', async (tradeType) => {
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: unlistedOf(destination()) }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('10'), more: { tradeType } })
    expect(status.status).toBe('success')
    expect(quote.details.currencyOut.amount).toBe(ether('10').toString())
    if (tradeType === 'EXACT_OUTPUT') expect(got).toBeGreaterThanOrEqual(ether('10'))
    else within(got, quote)
  })
})

describe('calls (wire.md G.2)', () => {
  it.each([
    ['input', ether('0.05'), {}],
    ['output', ether('0.04'), { tradeType: 'EXACT_OUTPUT' }],
  ])('spend native value for an exact %s: quote and record show what they leave', async (_kind, amount, more) => {
    const [called, other, recipient] = [freshAddress(), freshAddress(), freshAddress()]
    const txs = [
      { to: called, value: ether('0.02').toString(), data: '0x' },
      { to: other, value: ether('0.01').toString(), data: '0x' },
    ]
    const asked = { from: origin(), to: destination(), give: NATIVE, get: NATIVE, recipient, amount }
    const { quote, status, got } = await transfer({ ...asked, more: { ...more, txs } })
    expect(status.status).toBe('success')
    expect(await balanceOnChain(destination(), called, NATIVE)).toBe(ether('0.02'))
    expect(got).toBe(BigInt(quote.details.currencyOut.amount))
    expect(got).toBeGreaterThan(0n)
    const record = await recorded(quote.requestId)
    expect(record).toMatchObject({ got, moved: got + ether('0.03') })
    expect(record.rate).toBeCloseTo(Number(quote.details.rate), 6)
  })

  it('with native value, and after a swap', async () => {
    const [called, recipient] = [freshAddress(), freshAddress()]
    const txs = [{ to: called, value: ether('0.01').toString(), data: '0x' }]
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: NATIVE, recipient }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('100'), more: { txs } })
    expect(status.status).toBe('success')
    expect(await balanceOnChain(destination(), called, NATIVE)).toBe(ether('0.01'))
    within(got, quote)
    expect(await recorded(quote.requestId)).toMatchObject({ got: BigInt(quote.details.currencyOut.amount) })
  })
})

describe('on one chain (wire.md 1.4, K.1 9)', () => {
  it('a swap through the solver when that is forced', async () => {
    const here = origin()
    const asked = { from: here, to: here, give: here.usdc, get: unlistedOf(here), amount: 50_000_000n }
    const { quote, status, got } = await transfer({ ...asked, more: { forceSolverExecution: true } })
    expect(quote.steps.at(-1)?.id).toBe('deposit')
    expect(status.status).toBe('success')
    within(got, quote)
  })

  it('a report outlives the host that took it, and may come before its transaction is sent', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const asked = { from: here, to: here, give: NATIVE, get: NATIVE, recipient: freshAddress(), amount: 7n, user }
    const quote = await quoteOf(asked)
    const signed = await signStep(here, user, quote)
    const other = await startTestHost({ network, database })
    try {
      expect((await report(quote, here, keccak256(signed), other)).status).toBe(200)
    } finally {
      await other.stop()
    }
    await here.chain.rpc('eth_sendRawTransaction', [signed])
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', txHashes: [keccak256(signed)] })
  })

  it('a reported transaction is looked at in each new block, as a fill is', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const asked = { from: here, to: here, give: NATIVE, get: NATIVE, recipient: freshAddress(), amount: 11n, user }
    const quote = await quoteOf(asked)
    const signed = await signStep(here, user, quote)
    expect((await report(quote, here, keccak256(signed))).status).toBe(200)
    await lookedAt(keccak256(signed))
    // Its own turn comes after all patience of this test.
    await database.pool.query(
      `update direct_transactions set next_look_at = next_look_at + interval '1 hour' where tx_id = $1`,
      [keccak256(signed)],
    )
    await here.chain.rpc('eth_sendRawTransaction', [signed])
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', txHashes: [keccak256(signed)] })
  })

  it('a report is given up when its time is over and the chain says no; one that is silent says nothing, other reports stay', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const asked = { from: here, to: here, give: NATIVE, get: NATIVE, recipient: freshAddress(), amount: 9n, user }
    const quote = await quoteOf(asked)
    const signed = await signStep(here, user, quote)
    const nothing = keccak256(keccak256(signed))
    process.kill(here.chain.pid, 'SIGSTOP')
    try {
      for (const hash of [nothing, keccak256(signed)]) expect((await report(quote, here, hash)).status).toBe(200)
      await database.pool.query(`update direct_transactions set give_up_at = '2000-01-01' where tx_id = $1`, [nothing])
      await lookedAt(nothing, 2)
      expect(await looksAt(nothing)).toBeGreaterThan(1)
    } finally {
      process.kill(here.chain.pid, 'SIGCONT')
    }
    await until('the report to be given up', async () => ((await looksAt(nothing)) === null ? true : null))
    await here.chain.rpc('eth_sendRawTransaction', [signed])
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', txHashes: [keccak256(signed)] })
  })

  it('a report of another transaction changes nothing', async () => {
    const here = origin()
    const user = userOf(network, 2)
    const quote = await quoteOf({
      from: here,
      to: here,
      give: NATIVE,
      get: NATIVE,
      recipient: freshAddress(),
      amount: 5n,
      user,
    })
    const other = await here.chain.send(user, { to: freshAddress(), data: quote.requestId, value: 5n })
    await receiptOf(here.chain, other)
    expect((await report(quote, here, other)).status).toBe(200)
    await lookedAt(other)
    const { body } = await callApi(host.url, `/intents/status/v3?requestId=${quote.requestId}`)
    expect(body).toMatchObject({ status: 'waiting' })
  })
})

it('ends with books that agree with both chains to the unit (architecture.md 6 Ledger)', async () => {
  await waitForQuiet(database.pool)
  expect(await findDiscrepancies(database.pool, network)).toEqual([])
})
