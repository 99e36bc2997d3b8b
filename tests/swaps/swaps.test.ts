import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  ask,
  database,
  destination,
  finished,
  host,
  network,
  origin,
  quoteOf,
  recorded,
  report,
  send,
  signStep,
  sourcesOf,
  transfer,
  transferData,
  unlistedOf,
  useSwapWorld,
  within,
  wrappedOf,
} from './swapWorld.js'

useSwapWorld()

describe('swaps across chains on real Uniswap pools (wire.md 1.2, D.5)', () => {
  it('on both', async () => {
    const asked = { from: origin(), to: destination(), give: unlistedOf(origin()), get: unlistedOf(destination()) }
    const { quote, status, got } = await transfer({ ...asked, amount: ether('40') })
    expect(status.status).toBe('success')
    expect(sourcesOf(quote)).toEqual(['origin uniswap', 'destination uniswap'])
    within(got, quote)
    expect((await recorded(quote.requestId)).got).toBe(got)
  })

  it('a pool that moved beyond the slippage: the deposit goes back in the deposited currency (D.6)', async () => {
    const to = destination()
    const user = userOf(network, 1)
    const onePool = { includedDestinationSwapSources: ['uniswap-v2'], maxRouteLength: 1 }
    const asked = { from: origin(), to, give: origin().usdc, get: unlistedOf(to), amount: 100_000_000n, user }
    const quote = await quoteOf({ ...asked, recipient: freshAddress(), more: { slippageTolerance: '50', ...onePool } })
    // Somebody buys the token away before the deposit is made.
    const mover = await quoteOf({
      from: to,
      to,
      give: to.usdc,
      get: unlistedOf(to),
      amount: ether('60000'),
      user,
      more: { overridePriceImpact: true, ...onePool },
    })
    await send(to, user, mover)
    await finished(mover.requestId)
    const held = await balanceOnChain(origin(), user.address, origin().usdc)
    await send(origin(), user, quote)
    expect(await finished(quote.requestId)).toMatchObject({ status: 'refund', failReason: 'SLIPPAGE' })
    const back = (await balanceOnChain(origin(), user.address, origin().usdc)) - held
    expect(back).toBeLessThan(0n)
    expect(back).toBeGreaterThan(-1_000_000n)
  })
})

describe('calls (wire.md G.2)', () => {
  it('run in order with the money of the fill; what is left over is the recipient’s', async () => {
    const [one, two, recipient] = [freshAddress(), freshAddress(), freshAddress()]
    const { usdc } = destination()
    const txs = [
      { to: usdc, value: '0', data: transferData(one, ether('3')) },
      { to: usdc, value: '0', data: transferData(two, ether('2')) },
    ]
    const asked = { from: origin(), to: destination(), give: origin().usdc, get: usdc, recipient }
    const { quote, status, got } = await transfer({ ...asked, amount: 20_000_000n, more: { txs } })
    expect(status.status).toBe('success')
    expect(await balanceOnChain(destination(), one, usdc)).toBe(ether('3'))
    expect(await balanceOnChain(destination(), two, usdc)).toBe(ether('2'))
    // What calls take of a token is not known before they run; the record knows.
    expect(got).toBe(BigInt(quote.details.currencyOut.amount) - ether('5'))
    const record = await recorded(quote.requestId)
    expect(record).toMatchObject({ got, moved: got + ether('5') })
    expect(record.rate).toBeCloseTo(Number(quote.details.rate), 6)
  })

  it('that would fail are refused before anybody pays, with the failing call and its reason (C.1)', async () => {
    const { usdc } = destination()
    const txs = [{ to: usdc, value: '0', data: transferData(freshAddress(), ether('1000000')) }]
    const answer = await ask({
      from: origin(),
      to: destination(),
      give: origin().usdc,
      get: usdc,
      amount: 20_000_000n,
      more: { txs },
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      errorCode: 'DESTINATION_TX_FAILED',
      errorData: expect.anything(),
      failedCallData: { from: expect.any(String), to: usdc, data: txs[0]?.data, value: '0' },
      approxSimulatedBlock: expect.any(Number),
      requestId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })
})

describe('on one chain (wire.md 1.4, K.1 9)', () => {
  it('a swap is the user’s own transaction and is found without a report', async () => {
    const here = destination()
    const { quote, status, got, hash } = await transfer({
      from: here,
      to: here,
      give: NATIVE,
      get: here.usdc,
      amount: ether('0.2'),
    })
    expect(quote.steps.map(({ id }) => id)).toEqual(['swap'])
    expect(status).toMatchObject({ status: 'success', inTxHashes: [hash], txHashes: [hash] })
    within(got, quote)
  })

  it.each([
    ['send of native currency', () => ({ give: NATIVE, get: NATIVE, recipient: freshAddress() })],
    ['send of a token', () => ({ give: origin().usdc, get: origin().usdc, recipient: freshAddress() })],
    ['wrap', () => ({ give: NATIVE, get: wrappedOf(origin()), recipient: userOf(network, 2).address })],
    ['unwrap', () => ({ give: wrappedOf(origin()), get: NATIVE, recipient: userOf(network, 2).address })],
  ])('%s: found on the chain, also without a report (2.4)', async (_what, make) => {
    const here = origin()
    const user = userOf(network, 2)
    const quote = await quoteOf({ from: here, to: here, amount: 1_000_000n, user, ...make() })
    const pending = await callApi(host.url, `/intents/status/v3?requestId=${quote.requestId}`)
    expect(pending.body).toMatchObject({ status: 'waiting' })
    const hash = await send(here, user, quote)
    expect(await finished(quote.requestId)).toMatchObject({ status: 'success', inTxHashes: [hash], txHashes: [hash] })
    // A report of what is known changes nothing.
    expect((await report(quote, here, hash)).status).toBe(200)
  })

  it.each([
    ['swap', () => ({ give: NATIVE, get: origin().usdc, amount: ether('0.05') }), 60_000n, 1_000_000n],
    ['unwrap', () => ({ give: wrappedOf(origin()), get: NATIVE, amount: 777n }), 100_000n, 100_000n],
  ])(
    'a %s that reverts is a failure that says why, without a report, until another transaction carries it out',
    async (kind, make, gas, enough) => {
      const here = origin()
      const user = userOf(network, 4)
      const quote = await quoteOf({ from: here, to: here, user, recipient: user.address, ...make() })
      const sendSigned = async (limit: bigint) => {
        const signed = await signStep(here, user, quote, limit)
        await here.chain.rpc('eth_sendRawTransaction', [signed])
        await receiptOf(here.chain, keccak256(signed))
        return keccak256(signed)
      }
      const bad = await sendSigned(gas)
      expect(await finished(quote.requestId)).toMatchObject({
        status: 'failure',
        inTxHashes: [bad],
        txHashes: [bad],
        failReason: 'TRANSACTION_REVERTED',
        refundFailReason: 'N/A',
        details: expect.stringMatching(/^Transaction failed: .+/),
      })
      const shown = await callApi(host.url, `/requests/v3?id=${quote.requestId}`, { apiKey: host.apiKey })
      expect(shown.body).toMatchObject({
        requests: [
          {
            status: 'failure',
            data: {
              failReason: 'TRANSACTION_REVERTED',
              failedTxHash: bad,
              failedCallData: { from: user.address.toLowerCase() },
              inTxs: [{ txHash: bad, status: 'failure' }],
            },
          },
        ],
      })
      if (kind === 'unwrap') {
        await receiptOf(
          here.chain,
          await here.chain.send(user, { to: wrappedOf(here), data: '0xd0e30db0', value: 777n }),
        )
      }
      const good = await sendSigned(enough)
      const done = await until('the success', async () => {
        const { body } = await callApi(host.url, `/intents/status/v3?requestId=${quote.requestId}`)
        return valueAt(body, 'status') === 'success' ? body : null
      })
      expect(done).toMatchObject({ inTxHashes: [bad, good], txHashes: [bad, good], failReason: 'N/A', details: null })
    },
  )
})

it('ends with books that agree with both chains to the unit (architecture.md 6 Ledger)', async () => {
  await waitForQuiet(database.pool)
  expect(await findDiscrepancies(database.pool, network)).toEqual([])
})
