import type { DepositEvent } from '@causeway/core/chain'
import { adapterWith, conformanceCases, harnessWith, pagesWith } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EvmAdapter } from './adapter.js'
import {
  type BrokenAdapter,
  type ConformanceWorld,
  patienceWith,
  startConformanceWorld,
} from './conformanceWorld.test.support.js'

let world: ConformanceWorld

beforeAll(async () => {
  world = await startConformanceWorld(31_195)
})
afterAll(() => world?.close())

const mutants: readonly BrokenAdapter[] = [
  {
    wrong: 'takes addresses with a wrong checksum',
    rule: 'addresses-checksum',
    says: 'accepts "0x',
    wrap: adapterWith(() => ({
      validateAddress: (text) =>
        /^0x[0-9a-fA-F]{40}$/.test(text)
          ? { ok: true, canonical: text.toLowerCase() }
          : { ok: false, why: 'No address.' },
    })),
  },
  {
    wrong: 'keeps addresses as they were typed',
    rule: 'addresses-valid',
    says: 'makes 0x',
    wrap: adapterWith((real) => ({
      validateAddress: (text) => {
        const result = real.validateAddress(text)
        return result.ok ? { ...result, canonical: text } : result
      },
    })),
  },
  {
    wrong: 'does not know the zero address',
    rule: 'currencies',
    says: 'the zero address is not the native currency',
    wrap: adapterWith(() => ({ normalizeCurrency: () => null })),
  },
  {
    wrong: 'credits more than arrived',
    rule: 'deposit-seen',
    says: 'credits 1000001',
    wrap: pagesWith((page) => ({
      ...page,
      deposits: page.deposits.map((item) => ({
        ...item,
        money: { ...item.money, amount: item.money.amount + 1n },
      })),
    })),
  },
  {
    wrong: 'names a deposit anew each time it is seen',
    rule: 'deposit-resumed',
    says: 'from the cursor of page',
    silent: true,
    wrap: adapterWith((real) => ({
      async *watch(cursor, live, signal) {
        const shift = Math.floor(Math.random() * 1_000_000)
        for await (const page of real.watch(cursor, live, signal)) {
          yield { ...page, deposits: page.deposits.map((item) => ({ ...item, position: item.position + shift })) }
        }
      },
    })),
  },
  {
    wrong: 'gives a cursor that is ahead of what it read',
    rule: 'deposit-resumed',
    says: 'from the cursor of page',
    silent: true,
    wrap: adapterWith((real) => ({
      // From a stored cursor on it begins at the tip, as if nothing had been missed.
      watch: (_cursor, live, signal) => real.watch(null, live, signal),
    })),
  },
  {
    wrong: 'keeps one deposit of an order only',
    rule: 'deposit-duplicate',
    says: 'did not show what was expected',
    silent: true,
    wrap: adapterWith((real) => ({
      async *watch(cursor, live, signal) {
        const known = new Set<string | null>()
        for await (const page of real.watch(cursor, live, signal)) {
          const deposits = page.deposits.filter(({ orderId }) => {
            const isNew = !known.has(orderId)
            known.add(orderId)
            return isNew
          })
          yield { ...page, deposits }
        }
      },
    })),
  },
  {
    wrong: 'says that a transaction brought an account nothing',
    rule: 'deposit-seen',
    says: 'says that 0 came into the depository',
    wrap: adapterWith(() => ({ accountGain: async () => 0n })),
  },
  {
    wrong: 'confirms whatever it is asked',
    rule: 'deposit-confirmed',
    says: 'confirms a larger amount',
    wrap: adapterWith(() => ({ confirmDeposit: async () => true })),
  },
  {
    wrong: 'calls every token by the name of the first',
    rule: 'deposit-strange-token',
    says: 'reports 1000000 of',
    wrap: pagesWith((page) => ({
      ...page,
      deposits: page.deposits.map((item) => ({ ...item, money: { ...item.money, currency: world.deployment.token } })),
    })),
  },
  {
    wrong: 'does not tell that blocks left the chain',
    rule: 'deposit-reorg',
    says: 'did not show what was expected',
    silent: true,
    wrap: pagesWith((page) => ({ ...page, rewoundTo: null })),
  },
  {
    wrong: 'estimates ten times the fee',
    rule: 'deposit-fee',
    says: 'per cent apart',
    wrap: adapterWith((real) => ({
      estimateDepositFee: async (request) => {
        const quote = await real.estimateDepositFee(request)
        return { ...quote, network: { ...quote.network, amount: quote.network.amount * 10n } }
      },
    })),
  },
  {
    wrong: 'simulates nothing',
    rule: 'payout-unaffordable',
    says: 'simulates a payment that the solver cannot afford',
    wrap: adapterWith(() => ({ simulate: async () => ({ ok: true, gas: 21_000n, block: 1n }) })),
  },
  {
    wrong: 'watches on after an abort',
    rule: 'wait-watch',
    says: 'an aborted watch did not end',
    wrap: adapterWith((real) => ({ watch: (cursor, live) => real.watch(cursor, live, new AbortController().signal) })),
  },
  {
    wrong: 'tells the URL of its endpoint',
    rule: 'errors-mapped',
    says: 'throws something else than a ServiceError',
    wrap: adapterWith((real) => ({
      getBalances: (queries) =>
        real.getBalances(queries).catch(() => {
          throw new Error('POST http://127.0.0.1/key failed')
        }),
    })),
  },
  {
    wrong: 'calls every endpoint well',
    rule: 'endpoint-faults',
    says: 'endpoints() noticing',
    silent: true,
    wrap: adapterWith((real) => ({
      endpoints: () => (real.endpoints?.() ?? []).map((health) => ({ ...health, state: 'ok' })),
    })),
  },
  {
    wrong: 'gives balances in another order than it was asked',
    rule: 'balances',
    says: 'among others, alone',
    wrap: adapterWith((real) => ({
      getBalances: async (queries) => {
        const { amounts, height } = await real.getBalances(queries)
        return { amounts: [...amounts].reverse(), height }
      },
    })),
  },
  {
    wrong: 'calls a height final that the chain has not reached',
    rule: 'final-height',
    says: 'but the newest block is',
    wrap: adapterWith((real) => ({ finalHeight: async () => (await real.tip()).height + 1n })),
  },
  {
    wrong: 'calls the newest block final',
    rule: 'final-height',
    says: '3 blocks may still be replaced',
    wrap: adapterWith((real) => ({ finalHeight: async () => (await real.tip()).height })),
  },
  {
    wrong: 'calls final what is one block less deep than it must be',
    rule: 'final-height',
    says: '3 blocks may still be replaced',
    wrap: adapterWith((real) => ({ finalHeight: async () => (await real.tip()).height - 2n })),
  },
  {
    wrong: 'never lets a block become final',
    rule: 'final-height',
    says: 'finalHeight growing',
    silent: true,
    wrap: adapterWith(() => ({ finalHeight: async () => 0n })),
  },
  {
    wrong: 'confirms deposits however deep they are to be',
    rule: 'deposit-depth',
    says: 'deep that is to be',
    wrap: adapterWith((real) => ({
      confirmDeposit: (claim, { agreeing }) => real.confirmDeposit(claim, { agreeing }),
    })),
  },
  {
    wrong: 'keeps to the first endpoint though it stands still',
    rule: 'endpoint-stale-head',
    says: 'a head beyond that of an endpoint which stands still',
    silent: true,
    wrap: adapterWith((real) => {
      // CAST: every adapter of this world is one.
      const [first] = world.endpointsOf(real as EvmAdapter)
      const alone = world.adapterOver(first === undefined ? [] : [first])
      return { tip: () => alone.tip(), watch: (cursor, live, signal) => alone.watch(cursor, live, signal) }
    }),
  },
  {
    wrong: 'confirms deposits one block early',
    rule: 'deposit-depth',
    says: 'deep that is to be',
    wrap: adapterWith((real) => ({
      confirmDeposit: (claim, { agreeing, confirmations = 1 }) =>
        real.confirmDeposit(claim, { agreeing, confirmations: Math.max(1, confirmations - 1) }),
    })),
  },
  {
    wrong: 'confirms deposits by one provider, however many are asked for',
    rule: 'deposit-agreed',
    says: 'by three providers where there are two',
    wrap: adapterWith((real) => ({
      confirmDeposit: (claim, options) => real.confirmDeposit(claim, { ...options, agreeing: 1 }),
    })),
  },
  {
    wrong: 'finds every deposit again that it saw once',
    rule: 'deposit-reorg',
    says: 'a second reading says present',
    wrap: adapterWith((real) => {
      const seen = new Map<string, DepositEvent>()
      return {
        async *watch(cursor, live, signal) {
          for await (const page of real.watch(cursor, live, signal)) {
            for (const deposit of page.deposits) seen.set(`${deposit.tx.id}:${deposit.position}`, deposit)
            yield page
          }
        },
        recheckDeposits: async (deposits) =>
          (await real.recheckDeposits(deposits)).map((evidence) => {
            const deposit = seen.get(`${evidence.tx.id}:${evidence.position}`)
            return deposit === undefined ? evidence : { ...evidence, finding: 'present', deposit }
          }),
      }
    }),
  },
  {
    wrong: 'finds a deposit at every position of a transaction',
    rule: 'deposit-confirmed',
    says: 'a position that is not there',
    wrap: adapterWith((real) => ({
      recheckDeposits: async (deposits) => {
        const found = await real.recheckDeposits(deposits.map(({ tx }) => ({ tx, position: 0 })))
        return found.map((evidence, at) => ({ ...evidence, position: deposits[at]?.position ?? 0 }))
      },
    })),
  },
]

describe('the kit notices an adapter that', { timeout: 120_000 }, () => {
  it.each(mutants)('$wrong ($rule)', ({ rule, says, wrap, ...mutant }) => {
    const cases = conformanceCases({ ...harnessWith(world.harness, wrap), patienceSeconds: patienceWith(mutant) })
    return expect(cases.find(({ id }) => id === rule)?.run()).rejects.toThrow(says)
  })
})
