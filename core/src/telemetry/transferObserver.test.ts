import { Registry } from 'prom-client'
import { expect, it, vi } from 'vitest'
import { PromMetrics } from './promMetrics.js'
import { RequestTracing } from './requestTracing.js'
import { TransferObserver } from './transferObserver.js'

const REQUEST = `0x${'ab'.repeat(32)}` as const

const observed = () => {
  const info = vi.fn()
  const observer = new TransferObserver({
    metrics: new PromMetrics({ registry: new Registry() }),
    tracing: new RequestTracing(null),
    clock: { now: () => 5_000 },
    chains: new Map([[8453, 'base']]),
    slow: new Set<number>(),
    log: { info },
  })
  return { observer, lines: () => info.mock.calls }
}

const payout = {
  id: '7',
  requestId: REQUEST,
  purpose: 'fill' as const,
  inclusions: 0,
  createdAt: 1_000,
  deposit: { chainId: 8453, seenAt: 1_000 },
  live: [],
}

it('a transfer is one line a step, with its request, chain and transaction', () => {
  const { observer, lines } = observed()
  observer.deposits(8453, [{ requestId: REQUEST, result: 'fillable', txId: '0x01' }], 0)
  observer.decisions(8453, [{ kind: 'fill', open: { requestId: REQUEST } }], 0)
  observer.payouts('sign', 8453, [payout], 0, ['0x02'])
  observer.payouts('store', 8453, [payout], 0)
  observer.payouts('broadcast', 8453, [payout], 0, ['0x02'])
  observer.payouts('included', 8453, [payout], 0, ['0x02'])
  observer.payouts('final', 8453, [{ ...payout, live: [{ txId: '0x02' }] }], 0)
  const of = { chain: 'base', requestId: REQUEST }
  expect(lines()).toEqual([
    [{ ...of, result: 'fillable', tx: '0x01' }, 'deposit seen'],
    [{ ...of, result: 'fill' }, 'decided'],
    ...['signed', 'broadcast', 'included', 'final'].map((step) => [{ ...of, payout: '7', tx: '0x02' }, `fill ${step}`]),
  ])
})

it('what is put off tells nothing, however often, and no line grows with what a node sends', () => {
  const { observer, lines } = observed()
  observer.decisions(8453, [{ kind: 'later', open: { requestId: REQUEST } }], 0)
  expect(lines()).toEqual([])
  observer.deposits(8453, [{ requestId: null, result: 'parked', txId: 'x'.repeat(100_000) }], 0)
  expect(JSON.stringify(lines()).length).toBeLessThan(250)
})

it('a refund for want of a sponsor’s balance is counted as one that a balance did not cover', async () => {
  const metrics = new PromMetrics({ registry: new Registry() })
  const observer = new TransferObserver({
    metrics,
    tracing: new RequestTracing(null),
    clock: { now: () => 5_000 },
    chains: new Map([[8453, 'base']]),
    slow: new Set<number>(),
    log: { info: () => undefined },
  })
  const open = { requestId: REQUEST }
  observer.decisions(8453, [{ kind: 'refund', open, reason: 'SLIPPAGE' }], 0)
  observer.decisions(8453, [{ kind: 'refund', open, reason: 'SPONSOR_BALANCE_TOO_LOW' }], 0)
  expect(await metrics.text()).toContain('causeway_balance_refusals_total{of="decision"} 1')
})
