import { larger } from '@causeway/core'
import {
  type Arrival,
  type DepositAddresses,
  type LaneAdapter,
  type Live,
  NOTHING_LIVE,
  type Payout,
} from '@causeway/core/chain'
import {
  type Alteration,
  adapterWith,
  conformanceCases,
  harnessWith,
  laneWith,
  pagesWith,
} from '@causeway/core/testing'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EvmAdapter } from './adapter.js'
import { ZERO_ADDRESS } from './address/addresses.js'
import {
  type BrokenAdapter,
  type ConformanceWorld,
  patienceWith,
  startConformanceWorld,
} from './conformanceWorld.test.support.js'
import { capability } from './depositAddress/addressWorld.test.support.js'

let world: ConformanceWorld

beforeAll(async () => {
  world = await startConformanceWorld(31_197)
})
afterAll(() => world?.close())

const addressesWith = (changes: (real: DepositAddresses) => Partial<DepositAddresses>): Alteration =>
  adapterWith((adapter) => {
    // CAST: every adapter of this world is one, with a factory.
    const real: DepositAddresses = capability(adapter as EvmAdapter)
    return {
      depositAddresses: {
        forms: real.forms,
        derive: (terms) => real.derive?.(terms) ?? { destination: { address: '' }, derivation: null },
        buildPayment: (request) => real.buildPayment(request),
        holdings: (addresses, currencies) => real.holdings(addresses, currencies),
        sweepFee: (currency) => real.sweepFee(currency),
        ...changes(real),
      },
    }
  })

const arrivalsWith = (change: (arrivals: readonly Arrival[]) => readonly Arrival[]): Alteration =>
  pagesWith((page) => ({ ...page, arrivals: change(page.arrivals ?? []) }))

/** Blocks before the first page that are read too. */
const FIRST_BLOCKS = 16n

/** Transfers to live addresses that the calldata of a block's transactions names, successful or not. */
const namedIn = async (height: bigint, live: Live): Promise<readonly Arrival[]> => {
  const { chain, token } = world.deployment
  const block = await chain.rpc<RpcBlockTransactions>('eth_getBlockByNumber', [numberToHex(height), true])
  return block.transactions.flatMap(({ hash, to, input }): Arrival[] => {
    const address = `0x${input.slice(34, 74)}`
    if (to !== token || !live.has(address)) return []
    return [
      {
        ...{ state: 'included', tx: { id: hash }, position: 0, to: { address }, sender: null },
        money: { currency: token, amount: BigInt(`0x${input.slice(74, 138)}`) },
        block: { height, hash: block.hash, time: Number(block.timestamp) },
      },
    ]
  })
}

interface RpcBlockTransactions {
  readonly hash: Hex
  readonly timestamp: Hex
  readonly transactions: readonly { readonly hash: Hex; readonly to: string | null; readonly input: Hex }[]
}

/** Prepares another sweep than it was asked for, and believes it was this one. */
const sweeping = (change: (payout: Payout) => Payout): Alteration =>
  laneWith((real) => ({
    prepare: (payouts, position) =>
      real.prepare(
        payouts.map((item) => (item.payout.purpose === 'sweep' ? { ...item, payout: change(item.payout) } : item)),
        position,
      ),
  }))

const statesOf = (change: (payout: Payout) => { readonly paid: bigint } | Record<string, never>): Alteration =>
  laneWith((real: LaneAdapter) => ({
    states: async (attempts) =>
      (await real.states(attempts)).map((state, at) => {
        const payout = attempts[at]?.payout
        return payout?.purpose === 'sweep' && state.status === 'success' ? { ...state, ...change(payout) } : state
      }),
  }))

const readingAs = (purpose: 'fill' | null): Alteration =>
  laneWith((real) => ({
    read: async (address, stored) => {
      const reading = await real.read(address, stored)
      return { ...reading, unknown: reading.unknown.map((item) => ({ ...item, purpose })) }
    },
  }))

const mutants: readonly BrokenAdapter[] = [
  {
    wrong: 'gives one address to every order of a depositor',
    rule: 'address-derived',
    says: 'different terms give one address',
    wrap: addressesWith((real) => ({
      derive: (terms) => real.derive?.({ ...terms, orderId: `0x${'11'.repeat(32)}` }) ?? never(),
    })),
  },
  {
    wrong: 'gives another address each time',
    rule: 'address-derived',
    says: 'the same terms give another address',
    wrap: addressesWith((real) => {
      let asked = 0n
      return {
        derive: (terms) => {
          asked += 1n
          const orderId = `0x${(BigInt(terms.orderId) + asked).toString(16).padStart(64, '0')}` as const
          return real.derive?.({ ...terms, orderId }) ?? never()
        },
      }
    }),
  },
  {
    wrong: 'believes a transfer that failed',
    rule: 'arrival-failed',
    says: 'a transaction that failed in block',
    wrap: adapterWith((real) => ({
      async *watch(cursor, live, signal) {
        let read: bigint | null = null
        for await (const page of real.watch(cursor, live, signal)) {
          const said: Arrival[] = []
          const first = larger((read ?? page.height - FIRST_BLOCKS) + 1n, 0n)
          for (let height = first; height <= page.height; height += 1n) said.push(...(await namedIn(height, live)))
          read = page.height
          yield { ...page, arrivals: [...(page.arrivals ?? []), ...said] }
        }
      },
    })),
  },
  {
    wrong: 'tells an arrival twice under different places',
    rule: 'arrival-seen',
    says: '2 arrivals are made of one payment',
    wrap: arrivalsWith((arrivals) =>
      arrivals.flatMap((arrival) => [arrival, { ...arrival, position: arrival.position + 1 }]),
    ),
  },
  {
    wrong: 'tells more than arrived',
    rule: 'arrival-seen',
    says: 'says that 1000001 arrived',
    wrap: arrivalsWith((arrivals) =>
      arrivals.map((arrival) => ({ ...arrival, money: { ...arrival.money, amount: arrival.money.amount + 1n } })),
    ),
  },
  {
    wrong: 'never looks which addresses were given since it began',
    rule: 'arrival-seen',
    says: 'did not show what was expected',
    silent: true,
    wrap: adapterWith((real) => ({
      watch: (cursor, _live, signal) => real.watch(cursor, NOTHING_LIVE, signal),
    })),
  },
  {
    wrong: 'does not tell that arrivals left the chain',
    rule: 'arrival-reorg',
    says: 'did not show what was expected',
    silent: true,
    wrap: pagesWith((page) => ({ ...page, rewoundTo: null })),
  },
  {
    wrong: 'tells holdings in the order of its own',
    rule: 'holdings',
    says: 'does not tell',
    wrap: addressesWith((real) => ({
      holdings: async (addresses, currencies) => [...(await real.holdings(addresses, currencies))].reverse(),
    })),
  },
  {
    wrong: 'sweeps another address than it is asked to',
    rule: 'sweep-deposited',
    says: 'of a sweep arrived',
    wrap: sweeping((payout) => {
      const orderId = `0x${'22'.repeat(32)}` as const
      const terms = { orderId, depositor: payout.from }
      const made = capability(world.adapterOver([])).derive(terms)
      return { ...payout, orderId, sweep: { address: { ...terms, ...made }, currencies: [payout.money.currency] } }
    }),
  },
  {
    wrong: 'pays a sweep out of its own pocket to somebody else',
    rule: 'sweep-deposited',
    says: 'a sweep brought the depository 0',
    wrap: (real) => {
      const other = sweeping((payout) => {
        const { sweep: _, ...rest } = payout
        return { ...rest, purpose: 'send', to: { address: `0x${'33'.repeat(20)}` } }
      })(real)
      return statesOf(({ money }) => ({ paid: money.amount * 3n }))(other)
    },
  },
  {
    wrong: 'leaves a currency at the address',
    rule: 'sweep-deposited',
    says: 'that lay there',
    wrap: sweeping((payout) => {
      const { sweep, money } = payout
      if (sweep === undefined || sweep.currencies.length < 2) return payout
      return { ...payout, money: { ...money, currency: ZERO_ADDRESS }, sweep: { ...sweep, currencies: [ZERO_ADDRESS] } }
    }),
  },
  {
    wrong: 'takes what was planned for what arrived',
    rule: 'sweep-deposited',
    says: 'of a sweep arrived',
    wrap: statesOf(({ money }) => ({ paid: money.amount })),
  },
  {
    wrong: 'takes a sweep of nothing for paid',
    rule: 'sweep-nothing',
    says: 'of a sweep of nothing arrived',
    wrap: statesOf(({ money }) => ({ paid: money.amount })),
  },
  {
    wrong: 'simulates every sweep as one that moves something',
    rule: 'sweep-nothing',
    says: 'simulates a sweep of nothing',
    wrap: adapterWith((real) => ({
      simulate: async (payout, gas) =>
        payout.purpose === 'sweep' ? { ok: true, gas: 150_000n, block: 1n } : real.simulate(payout, gas),
    })),
  },
  {
    wrong: 'calls a sweep landed that moved nothing',
    rule: 'sweep-nothing',
    says: 'calls a sweep of nothing landed',
    wrap: laneWith((real) => ({
      payoutVerdict: (guards, txIds, { agreeing } = { agreeing: 1 }) => real.payoutVerdict(guards, txIds, { agreeing }),
    })),
  },
  {
    wrong: 'reads a lost sweep as the fill of its order',
    rule: 'sweep-found',
    says: 'reads a sweep back as fill',
    wrap: readingAs('fill'),
  },
  {
    wrong: 'reads a lost sweep without its purpose',
    rule: 'sweep-found',
    says: 'reads a sweep back as the fill or refund',
    wrap: readingAs(null),
  },
  {
    wrong: 'replaces a sweep under another nonce',
    rule: 'sweep-replaced',
    says: 'has other guards',
    wrap: laneWith((real) => ({
      replace: async (attempt, options) => {
        const next = await real.replace(attempt, options)
        return next === null ? null : { ...next, guards: next.guards.map((guard) => `${guard}0`) }
      },
    })),
  },
  {
    wrong: 'estimates ten times what a sweep takes',
    rule: 'sweep-fee',
    says: 'per cent apart',
    wrap: addressesWith((real) => ({
      sweepFee: async (currency) => {
        const quote = await real.sweepFee(currency)
        return { ...quote, network: { ...quote.network, amount: quote.network.amount * 10n } }
      },
    })),
  },
]

const never = (): never => {
  throw new Error('The adapter derives no addresses')
}

describe('the kit notices an adapter that', { timeout: 120_000 }, () => {
  it.each(mutants)('$wrong ($rule)', ({ rule, says, wrap, ...mutant }) => {
    const cases = conformanceCases({ ...harnessWith(world.harness, wrap), patienceSeconds: patienceWith(mutant) })
    return expect(cases.find(({ id }) => id === rule)?.run()).rejects.toThrow(says)
  })
})
