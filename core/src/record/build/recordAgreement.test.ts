import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../chain/json.js'
import type { AttemptState, Payout } from '../../chain/laneAdapter.js'
import type { DirectExecution } from '../../chain/swaps.js'
import { rateText } from '../../money/rate.js'
import { parseUsd } from '../../money/usdMath.js'
import { payoutMoves } from '../../payout/settlement/outTransactions.js'
import { movedAmounts } from '../../payout/settlement/recordIncluded.js'
import type { Sighting } from '../../payout/settlement/sighting.js'
import { moveOf, stateChangesOf } from '../../request/balanceMoves.js'
import { executedAmounts, executionMoves } from '../../request/recordExecutions.js'
import type { RecordPayout } from '../recordFacts.js'
import type { RecordDataJson } from './buildRecord.js'
import {
  amountOf,
  build,
  depositOf,
  factsWith,
  filled,
  fillTx,
  ID,
  NATIVE,
  payoutOf,
  QUOTED,
  refund,
  SOLVER,
  txOf,
  USDC_1,
  USDC_2,
  USER,
} from './recordFixture.test.support.js'

describe('a record says the same everywhere: what the chain showed', () => {
  const swapOf = (sized: bigint) => ({
    ...{ source: 'uniswap-v3', from: USDC_2, to: NATIVE, amountIn: '1', amountOut: sized.toString(), hops: 1 },
    ...{ midAmountOut: null, gas: '1', route: null, minimumOut: '1', deadline: 1 },
  })
  const calls = { calls: [{ to: USER, data: '0x' as const, value: 0n }], gasLimit: null, delegations: [] }
  const { terms } = factsWith()
  const amount = fc.bigInt(1n, 10n ** 24n)

  /** Gain of an account in a currency by a transaction of a record; below 0 for a loss. */
  const gainOf = ({ stateChanges }: { readonly stateChanges: Json }, account: string, token: string): bigint => {
    // CAST: made by `stateChangesOf`.
    const changes = stateChanges as readonly {
      readonly address: string
      readonly change: { readonly balanceDiff: string; readonly data: { readonly tokenAddress: string } }
    }[]
    const own = changes.filter(({ address, change }) => address === account && change.data.tokenAddress === token)
    return own.reduce((sum, { change }) => sum + BigInt(change.balanceDiff), 0n)
  }

  const usdOf = (shown: { readonly amountUsd: string } | null | undefined) => parseUsd(shown?.amountUsd) ?? 0n

  /** Dollars of all parts of what a request cost; null where nothing came out yet. */
  const costsOf = ({ fees: { actual } }: RecordDataJson) =>
    actual === null
      ? null
      : [actual.swap, actual.execution, actual.platform, actual.app].reduce(
          (sum, { usd }) => sum + (parseUsd(usd) ?? 0n),
          0n,
        )

  /** The chain's answer as the payout's record keeps it. */
  const settled = (kind: { readonly swaps: boolean; readonly calls: boolean }, sized: bigint, arrived: bigint) => {
    const money = { currency: USDC_2, amount: sized }
    const offer = { offer: { to: NATIVE } }
    const paid: Partial<Payout> = { from: SOLVER, to: { address: USER }, money, calls: kind.calls ? calls.calls : [] }
    // CAST: moves are made of these members.
    const payout = (kind.swaps ? { ...paid, swap: offer } : paid) as Payout
    const state = (kind.calls ? { paid: sized, received: arrived } : { paid: arrived }) as AttemptState
    return stateChangesOf(payoutMoves(payout, state))
  }

  it.each(['with its deposit', 'ahead of its deposit'])('%s, plain, with a swap, with calls', (when) => {
    const kinds = fc.record({ swaps: fc.boolean(), calls: fc.boolean(), sameChain: fc.boolean() })
    fc.assert(
      fc.property(kinds, amount, amount, amount, (kind, deposited, sized, arrived) => {
        const token = kind.swaps ? NATIVE : USDC_2
        const { destination: _none, ...route } = QUOTED.details.route
        const onOne = {
          ...QUOTED,
          details: { ...QUOTED.details, currencyOut: amountOf(1, token, 18, 1n, '1.0'), route },
        }
        const stateChanges = settled(kind, sized, arrived)
        const { data } = build({
          ...filled,
          terms: kind.calls ? { ...terms, calls } : terms,
          quoted: kind.sameChain ? onOne : QUOTED,
          received: arrived,
          deposits: when === 'with its deposit' ? [depositOf({ amount: deposited })] : [],
          payouts: [payoutOf({ amount: sized, data: kind.swaps ? { swap: swapOf(sized) } : {} })],
          txs: [fillTx({ stateChanges })],
        })
        const { actual } = data.route
        const output = (actual.destination ?? actual.origin).outputCurrency
        expect(output).toMatchObject({ amount: arrived.toString(), currency: { address: token } })
        expect(gainOf({ stateChanges }, USER, token)).toBe(arrived)
        // Calls had all of it; rate and fees go by what was moved (D.4).
        const input = actual.origin.inputCurrency
        const moved = kind.calls ? sized : arrived
        if (input === null || output === null) throw new Error('both ends are known')
        expect(actual.rate).toBe(rateText({ ...input, amount: BigInt(input.amount) }, { ...output, amount: moved }))
        if (!kind.calls) expect(costsOf(data)).toBe(usdOf(output) - usdOf(input))
      }),
    )
  })

  it('what a deposit had too much is no cost once it came back', () => {
    const excess = payoutOf({ purpose: 'excess', chainId: 1, currency: USDC_1, amount: 1_990_000n, state: 'included' })
    const of = (...more: readonly RecordPayout[]) =>
      build({ ...filled, deposits: [depositOf({ amount: 3_000_000n })], payouts: [payoutOf(), ...more] }).data
    const { actual } = of(excess).route
    const [paid, got] = [actual.origin.inputCurrency, (actual.destination ?? actual.origin).outputCurrency]
    expect(costsOf(of(excess))).toBe(usdOf(got) + (parseUsd('1.99') ?? 0n) - usdOf(paid))
    expect(costsOf(of({ ...excess, state: 'signed' }))).toBe(usdOf(got) - usdOf(paid))
  })

  const WRAPPED = '0xc300000000000000000000000000000000000003'
  const RECIPIENT = '0xaa00000000000000000000000000000000000009'
  const BLOCK = { height: 12n, hash: '0xb1', time: 1_790_000_000 }

  it.each([
    ['send', USDC_1, USDC_1],
    ['wrap', NATIVE, WRAPPED],
    ['unwrap', WRAPPED, NATIVE],
    ['swap', USDC_1, NATIVE],
  ] as const)('a %s that its user executes alone', (kind, from, to) => {
    const { destination: _none, ...route } = QUOTED.details.route
    fc.assert(
      fc.property(amount, amount, amount, amount, (quotedIn, quotedOut, amountIn, amountOut) => {
        const currencyIn = amountOf(1, from, 6, quotedIn, '100.000000')
        const currencyOut = amountOf(1, to, 6, quotedOut, '99.000000')
        const origin = { ...route.origin, inputCurrency: currencyIn, outputCurrency: currencyOut }
        const execution: DirectExecution = {
          ...{ requestId: ID, tx: { id: '0xd1' }, block: BLOCK, fee: 1n, recipient: RECIPIENT },
          ...{ currencyIn: from, amountIn, currencyOut: to, amountOut },
          txData: { from: USER, to: '0xdd', data: '0x', value: '0' },
        }
        const stateChanges = stateChangesOf(executionMoves(execution))
        const moved = executedAmounts(execution)
        const { data } = build({
          ...{ status: 'success', orderId: null, given: moved.amountIn ?? null, received: moved.amountOut ?? null },
          terms: {
            ...terms,
            ...{ direct: { kind }, origin: { chainId: 1, currency: from }, destination: { chainId: 1, currency: to } },
          },
          quoted: { ...QUOTED, details: { ...QUOTED.details, currencyIn, currencyOut, route: { origin } } },
          txs: [txOf({ stateChanges }), fillTx({ chainId: 1, txId: '0xd1', stateChanges })],
        })
        const { inputCurrency: input, outputCurrency: output } = data.route.actual.origin
        if (input === null || output === null) throw new Error('both ends are known')
        expect(data.route.actual).not.toHaveProperty('destination')
        expect([input.currency.address, output.currency.address]).toEqual([from, to])
        for (const tx of [...data.inTxs, ...data.outTxs]) {
          expect(BigInt(input.amount)).toBe(-gainOf(tx, USER, from))
          expect(BigInt(output.amount)).toBe(gainOf(tx, RECIPIENT, to))
        }
        expect([input.amount, output.amount]).toEqual([amountIn.toString(), amountOut.toString()])
        const counted = ({ currency, amount: units }: typeof input) => ({ currency, amount: BigInt(units) })
        expect(data.route.actual.rate).toBe(rateText(counted(input), counted(output)))
        expect(costsOf(data)).toBe(usdOf(output) - usdOf(input))
      }),
    )
  })

  it.each([
    ['of a deposit', []],
    ['after a fill that failed', [payoutOf({ state: 'dead' })]],
  ])('a refund %s, of a currency that takes a fee or none', (_when, failed) => {
    fc.assert(
      fc.property(amount, amount, amount, fc.boolean(), (deposited, keptSeed, arrivedSeed, takesFee) => {
        const kept = keptSeed % deposited
        const paid = deposited - kept
        const arrived = takesFee ? (arrivedSeed % paid) + 1n : paid
        const money = { currency: USDC_1, amount: paid }
        // CAST: moves and amounts are made of these members.
        const payout = { from: SOLVER, to: { address: USER }, money, calls: [] } as unknown as Payout
        const sighting = {
          payout: { purpose: 'refund', requestId: ID, amount: paid, data: {}, inclusions: 0 },
          state: { paid: arrived },
        } as unknown as Sighting
        const given = stateChangesOf(moveOf(USER, '0xdd', { currency: USDC_1, amount: deposited }))
        const returned = stateChangesOf(payoutMoves(payout, sighting.state))
        const { data } = build({
          ...{ status: 'refund', failReason: 'TTL_EXPIRED', refunded: movedAmounts(sighting)[0]?.refunded ?? null },
          deposits: [depositOf({ amount: deposited, outcome: 'refund' })],
          payouts: [...failed, payoutOf({ ...refund, amount: paid, fees: kept })],
          txs: [
            txOf({ stateChanges: given }),
            fillTx({ purpose: 'refund', chainId: 1, txId: '0xe1', stateChanges: returned }),
          ],
        })
        const { actual, quoted } = data.route
        const [deposit, back] = [data.inTxs[0], data.outTxs[0]]
        if (deposit === undefined || back === undefined) throw new Error('both transactions are known')
        expect(data.refundCurrencyData?.amount).toBe(arrived.toString())
        expect(gainOf(back, USER, USDC_1)).toBe(arrived)
        expect(actual.origin.inputCurrency?.amount).toBe(deposited.toString())
        expect(gainOf(deposit, USER, USDC_1)).toBe(-deposited)
        expect([actual.destination, actual.rate]).toEqual([quoted.destination, QUOTED.details.rate])
        expect(costsOf(data)).toBe(usdOf(data.refundCurrencyData) - usdOf(actual.origin.inputCurrency))
        if (!takesFee) expect(data.fees.actual?.swap.usd).toBe('0.000000')
      }),
    )
  })

  it('a payment that is in a block again takes back what the block before showed', () => {
    // CAST: amounts are made of these members.
    const sighting = (purpose: string, inclusions: number) =>
      ({
        payout: { purpose, requestId: ID, amount: 5n, data: {}, inclusions },
        state: { paid: 5n },
      }) as unknown as Sighting
    for (const purpose of ['fill', 'refund']) {
      expect(movedAmounts(sighting(purpose, 0))).toEqual([])
      expect(movedAmounts(sighting(purpose, 1))).toEqual([{ requestId: ID }])
    }
  })
})
