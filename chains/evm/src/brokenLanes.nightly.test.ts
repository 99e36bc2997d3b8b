import type { AttemptState, ChainAdapter, LaneAdapter, Payout, PayoutVerdict } from '@causeway/core/chain'
import { conformanceCases, harnessWith, laneWith } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EvmAdapter } from './adapter.js'
import {
  type BrokenAdapter,
  type ConformanceWorld,
  patienceWith,
  sendMined,
  startConformanceWorld,
} from './conformanceWorld.test.support.js'
import type { LocalAccount } from './testing/node/localChain.js'

let world: ConformanceWorld

beforeAll(async () => {
  world = await startConformanceWorld(31_196)
})
afterAll(() => world?.close())

/** States with some of each changed, where the chain holds the transaction. */
const statesWith =
  (real: LaneAdapter, change: (state: AttemptState, payout: Payout) => Partial<AttemptState>): LaneAdapter['states'] =>
  async (attempts) =>
    (await real.states(attempts)).map((state, at) => {
      const payout = attempts[at]?.payout
      return state.block === null || payout === undefined ? state : { ...state, ...change(state, payout) }
    })

const inBlock = async (txIds: readonly string[]): Promise<boolean> => {
  const { chain } = world.deployment
  const receipts = await Promise.all(txIds.map((txId) => chain.rpc('eth_getTransactionReceipt', [txId])))
  return receipts.some((receipt) => receipt !== null)
}

/** Judges at a block with so many on top of it, in place of a final one. */
const deadAtDepth =
  (real: LaneAdapter, depth: number): LaneAdapter['payoutVerdict'] =>
  async (guards, txIds, options) => {
    const said = await real.payoutVerdict(guards, txIds, options)
    const { chain } = world.deployment
    const [, address, nonce] = guards[0]?.split(':') ?? []
    const height = BigInt(await chain.rpc<string>('eth_blockNumber', [])) - BigInt(depth)
    const count = await chain.rpc<string>('eth_getTransactionCount', [address, `0x${height.toString(16)}`])
    return said === 'alive' && BigInt(count) > BigInt(nonce ?? 0) ? 'dead' : said
  }

/** Asks every provider by an adapter of its own, and makes of their verdicts what it likes. */
const believingOne = (
  real: ChainAdapter,
  decide: (verdicts: readonly PayoutVerdict[]) => PayoutVerdict,
): ChainAdapter => {
  // CAST: every adapter here is one of world.adapterOver.
  const rpc = world.endpointsOf(real as EvmAdapter)
  return laneWith(() => ({
    payoutVerdict: async (guards, txIds, options) => {
      if ((options?.agreeing ?? 1) > rpc.length) return 'alive'
      const alone = rpc.map((endpoint) => world.adapterOver([endpoint]))
      const asked = await Promise.allSettled(alone.map(({ lane }) => lane.payoutVerdict(guards, txIds)))
      await Promise.all(alone.map((adapter) => adapter.stop()))
      return decide(asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])))
    },
  }))(real)
}

const mutants: readonly BrokenAdapter[] = [
  {
    wrong: 'claims success for what was never sent',
    rule: 'payout-once',
    says: 'shows a payment that was never sent',
    wrap: laneWith((real) => ({
      states: async (attempts) =>
        (await real.states(attempts)).map((state) => ({ ...state, status: 'success' as const })),
    })),
  },
  {
    wrong: 'signs another transaction each time the same bytes should be sent again',
    rule: 'payout-once',
    says: 'holds 4000000',
    wrap: laneWith((real) => ({
      broadcast: async (attempts) => {
        const [first] = attempts
        if (first === undefined) return []
        const { chain } = world.deployment
        const { to, value } = first.transaction as { readonly to: string; readonly value: string }
        await sendMined(chain, chain.accounts[4] as LocalAccount, { to, value: BigInt(value) })
        return real.broadcast(attempts)
      },
    })),
  },
  {
    wrong: 'broadcasts only what its own process signed',
    rule: 'payout-once',
    says: 'the broadcast by a process that did not sign is rejected',
    wrap: laneWith((real) => {
      const own = new Set<string>()
      return {
        sign: async (prepared, ...signers) => {
          const signed = await real.sign(prepared, ...signers)
          own.add(signed.txId)
          return signed
        },
        broadcast: async (attempts) =>
          attempts.every(({ txId }) => own.has(txId))
            ? real.broadcast(attempts)
            : attempts.map(() => ({
                outcome: 'rejected' as const,
                reason: 'invalid' as const,
                message: 'not signed here',
              })),
      }
    }),
  },
  {
    wrong: 'tells half of the fee',
    rule: 'payout-books',
    says: 'the solver lost',
    wrap: laneWith((real) => ({
      states: async (attempts) => (await real.states(attempts)).map((state) => ({ ...state, fee: state.fee / 2n })),
    })),
  },
  {
    wrong: 'says that nothing of a payment arrived',
    rule: 'payout-paid',
    says: 'says that 0 of a fill arrived',
    wrap: laneWith((real) => ({
      states: async (attempts) => (await real.states(attempts)).map((state) => ({ ...state, paid: 0n })),
    })),
  },
  {
    wrong: 'takes every success for a payment',
    rule: 'payout-paid',
    says: 'arrived of a payment that moved nothing',
    wrap: laneWith((real) => ({
      states: async (attempts) =>
        (await real.states(attempts)).map((state, at) => ({
          ...state,
          paid: attempts[at]?.payout.money.amount ?? null,
        })),
    })),
  },
  {
    wrong: 'calls landed whatever succeeded',
    rule: 'payout-paid',
    says: 'calls a payment landed that moved nothing',
    wrap: laneWith((real) => ({
      payoutVerdict: (guards, txIds, { agreeing } = { agreeing: 1 }) => real.payoutVerdict(guards, txIds, { agreeing }),
    })),
  },
  {
    wrong: 'gives every payment the same guard',
    rule: 'payout-together',
    says: 'payments share guards',
    wrap: laneWith((real) => ({
      prepare: async (payouts, position) => {
        const result = await real.prepare(payouts, position)
        return { ...result, prepared: result.prepared.map((item) => item && { ...item, guards: ['nonce:0'] }) }
      },
    })),
  },
  {
    wrong: 'calls everything dead',
    rule: 'payout-landed',
    says: 'calls a payment dead that may still land',
    wrap: laneWith(() => ({ payoutVerdict: async () => 'dead' })),
  },
  {
    wrong: 'calls dead what it cannot ask about',
    rule: 'death-doubtful',
    says: 'says "dead" without an answer',
    wrap: laneWith((real) => ({
      payoutVerdict: (guards, txIds, options) =>
        real.payoutVerdict(guards, txIds, options).catch(() => 'dead' as const),
    })),
  },
  {
    wrong: 'replaces under other guards',
    rule: 'payout-replaced',
    says: 'a replacement has other guards',
    wrap: laneWith((real) => ({
      replace: async (attempt, options) => {
        const next = await real.replace(attempt, options)
        return next === null ? null : { ...next, guards: ['nonce:other'] }
      },
    })),
  },
  {
    wrong: 'says that a broadcast without an answer was refused',
    rule: 'broadcast-doubtful',
    says: 'says "rejected" of a broadcast whose answer was lost',
    wrap: laneWith((real) => ({
      broadcast: async (attempts) =>
        (await real.broadcast(attempts)).map((result) =>
          result.outcome === 'unknown' ? { outcome: 'rejected', reason: 'invalid', message: 'No.' } : result,
        ),
    })),
  },
  {
    wrong: 'does not look for payments that its journal lacks',
    rule: 'journal-lost',
    says: 'the lane does not find the payment',
    wrap: laneWith((real) => ({
      read: async (address, stored) => ({ ...(await real.read(address, stored)), unknown: [] }),
    })),
  },
  {
    wrong: 'begins a lost journal where the key is now',
    rule: 'journal-lost',
    says: 'does not tell what the key sent since the beginning of its journal',
    wrap: laneWith(() => ({ beginning: () => ({ nonce: 1_000_000 }) })),
  },
  {
    wrong: 'gives states in an order of its own',
    rule: 'payout-states',
    says: "it may be another one's",
    wrap: laneWith((real) => ({
      states: (attempts) => real.states([...attempts].sort((a, b) => a.txId.localeCompare(b.txId))),
    })),
  },
  {
    wrong: 'tells every payment what became of the first one',
    rule: 'payout-states',
    says: "it may be another one's",
    wrap: laneWith((real) => ({
      states: async (attempts) => {
        const [first] = await real.states(attempts)
        return attempts.flatMap(() => first ?? [])
      },
    })),
  },
  {
    wrong: 'calls a payment as deep as it likes',
    rule: 'payout-depth',
    says: 'confirmations at a depth of',
    wrap: laneWith((real) => ({ states: statesWith(real, (state) => ({ confirmations: state.confirmations + 1 })) })),
  },
  {
    wrong: 'never calls a payment deeper than one block',
    rule: 'payout-depth',
    says: 'more than 3 confirmations',
    silent: true,
    wrap: laneWith((real) => ({
      states: statesWith(real, (state) => ({ confirmations: Math.min(1, state.confirmations) })),
    })),
  },
  {
    wrong: 'calls a payment made that failed in its block',
    rule: 'payout-reverted',
    says: 'calls a payment made that failed',
    wrap: laneWith((real) => ({
      states: statesWith(real, ({ status }) => ({ status: status === 'reverted' ? 'success' : status })),
    })),
  },
  {
    wrong: 'tells no fee of a payment that failed',
    rule: 'payout-reverted',
    says: 'told is a fee of 0',
    wrap: laneWith((real) => ({
      states: statesWith(real, ({ status, fee }) => ({ fee: status === 'reverted' ? 0n : fee })),
    })),
  },
  {
    wrong: 'says that a payment which failed arrived',
    rule: 'payout-reverted',
    says: 'says that a failed payment paid',
    wrap: laneWith((real) => ({
      states: statesWith(real, ({ status, paid }, { money }) => ({
        paid: status === 'reverted' ? money.amount : paid,
      })),
    })),
  },
  {
    wrong: 'calls everything landed that is in a block',
    rule: 'payout-reverted',
    says: 'calls a payment landed that failed',
    wrap: laneWith((real) => ({
      payoutVerdict: async (guards, txIds, options) =>
        (await inBlock(txIds)) ? 'landed' : real.payoutVerdict(guards, txIds, options),
    })),
  },
  {
    wrong: 'never calls a payment dead that is in a block',
    rule: 'payout-reverted',
    says: 'payoutVerdict saying "dead" of a payment that failed',
    silent: true,
    wrap: laneWith((real) => ({
      payoutVerdict: async (guards, txIds, options) =>
        (await inBlock(txIds)) ? 'alive' : real.payoutVerdict(guards, txIds, options),
    })),
  },
  {
    wrong: 'calls a payment that failed dead in the block it failed in',
    rule: 'payout-reverted',
    says: 'calls a failed payment dead with',
    wrap: laneWith((real) => ({ payoutVerdict: deadAtDepth(real, 0) })),
  },
  {
    wrong: 'calls a cancelled payment dead with the block of its cancel',
    rule: 'death-early',
    says: 'before its cancel is final',
    wrap: laneWith((real) => ({ payoutVerdict: deadAtDepth(real, 0) })),
  },
  {
    wrong: 'calls a cancelled payment dead one block before that is final',
    rule: 'death-early',
    says: 'before its cancel is final',
    wrap: laneWith((real) => ({ payoutVerdict: deadAtDepth(real, 2) })),
  },
  {
    wrong: 'never lets anybody ask whether a payment is dead',
    rule: 'death-asked',
    says: 'mayBeDead allowing',
    silent: true,
    wrap: laneWith(() => ({ mayBeDead: async () => false })),
  },
  {
    wrong: 'believes one provider that calls a payment dead',
    rule: 'death-agreed',
    says: 'one of two providers does not show',
    wrap: (real) => believingOne(real, (verdicts) => (verdicts.includes('dead') ? 'dead' : 'alive')),
  },
  {
    wrong: 'believes the first provider that answers',
    rule: 'death-agreed',
    says: 'one of two providers does not show',
    wrap: (real) => believingOne(real, ([first]) => first ?? 'alive'),
  },
  {
    wrong: 'calls a payment dead by two providers, however many are asked for',
    rule: 'death-agreed',
    says: 'by three providers where there are two',
    wrap: laneWith((real) => ({ payoutVerdict: (guards, txIds) => real.payoutVerdict(guards, txIds) })),
  },
  {
    wrong: 'asks for the first version of a payment only',
    rule: 'payout-replaced',
    says: 'of which one version was made',
    wrap: laneWith((real) => ({
      payoutVerdict: (guards, txIds, options) => real.payoutVerdict(guards, txIds.slice(0, 1), options),
    })),
  },
  {
    wrong: 'replaces under one guard more',
    rule: 'payout-replaced',
    says: 'a replacement has other guards',
    wrap: laneWith((real) => ({
      replace: async (attempt, options) => {
        const next = await real.replace(attempt, options)
        return next === null ? null : { ...next, guards: [...next.guards, 'nonce:other'] }
      },
    })),
  },
  {
    wrong: 'does not tell that a replacement costs more',
    rule: 'payout-replaced',
    says: 'nodes take it only for a higher fee',
    wrap: laneWith((real) => ({
      replace: async (attempt, options) => {
        const next = await real.replace(attempt, options)
        return next === null ? null : { ...next, feeCap: attempt.feeCap }
      },
    })),
  },
  {
    wrong: 'signs under other guards than it prepared',
    rule: 'payout-once',
    says: 'signing changes guards',
    wrap: laneWith((real) => ({
      sign: async (prepared, ...signers) => ({ ...(await real.sign(prepared, ...signers)), guards: ['nonce:signed'] }),
    })),
  },
  {
    wrong: 'says that a node refused bytes which answered with an error of its own',
    rule: 'broadcast-doubtful',
    says: 'while it is error-told',
    wrap: laneWith((real) => ({
      broadcast: async (attempts) =>
        (await real.broadcast(attempts)).map((result) =>
          result.outcome === 'unknown' && /internal error/i.test(result.message)
            ? { outcome: 'rejected', reason: 'invalid', message: 'No.' }
            : result,
        ),
    })),
  },
  {
    wrong: 'tells payments that lie below the last journalled block',
    rule: 'journal-since',
    says: 'below sinceHeight',
    wrap: laneWith((real) => ({
      read: (address, stored) => {
        const nonce: unknown = Reflect.get(Object(stored?.position), 'nonce')
        if (stored === null || typeof nonce !== 'number') return real.read(address, stored)
        return real.read(address, { position: { nonce: nonce - 1 }, sinceHeight: stored.sinceHeight - 9n })
      },
    })),
  },
  {
    wrong: 'looks for payments from the second block above the last journalled one on',
    rule: 'journal-since',
    says: 'above sinceHeight',
    wrap: laneWith((real) => ({
      read: async (address, stored) => {
        const reading = await real.read(address, stored)
        const least = (stored?.sinceHeight ?? 0n) + 1n
        return { ...reading, unknown: reading.unknown.filter(({ block }) => (block?.height ?? 0n) > least) }
      },
    })),
  },
  {
    wrong: 'says that it could not read a lane which it read',
    rule: 'journal-since',
    says: 'could not read the whole lane',
    wrap: laneWith((real) => ({ read: async (...asked) => ({ ...(await real.read(...asked)), complete: false }) })),
  },
  {
    wrong: 'gives the position back that it was given',
    rule: 'position-kept',
    says: 'has the guards of the one before',
    wrap: laneWith((real) => ({
      prepare: async (payouts, position) => ({ ...(await real.prepare(payouts, position)), position }),
    })),
  },
]

describe('the kit notices an adapter that', { timeout: 120_000 }, () => {
  it.each(mutants)('$wrong ($rule)', ({ rule, says, wrap, ...mutant }) => {
    const cases = conformanceCases({ ...harnessWith(world.harness, wrap), patienceSeconds: patienceWith(mutant) })
    return expect(cases.find(({ id }) => id === rule)?.run()).rejects.toThrow(says)
  })
})
