import type { LaneAdapter, PreparedAttempt } from '@causeway/core/chain'
import {
  type Alteration,
  adapterWith,
  conformanceCases,
  harnessWith,
  laneWith,
  type RuleId,
} from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLedgerHarness } from './ledgerChain/src/testing/index.js'
import type { LedgerTransfer } from './ledgerChain/src/transaction.js'

let world: Awaited<ReturnType<typeof startLedgerHarness>>

beforeAll(async () => {
  world = await startLedgerHarness()
})
afterAll(() => world?.close())

/** The same transfer, to be included up to another height. */
const until = (prepared: PreparedAttempt, validUntil: number): PreparedAttempt => {
  // CAST: what the lane of a ledger prepares.
  const transfer = { ...(prepared.transaction as unknown as LedgerTransfer), validUntil }
  const { from, sequence } = transfer
  return { ...prepared, transaction: { ...transfer }, guards: [`sequence:${from}:${sequence}:${validUntil}`] }
}

/** Keeps the height up to which its payments can be included in the position, as if they all expired together. */
const keepingExpiry =
  (real: LaneAdapter): LaneAdapter['prepare'] =>
  async (payouts, position) => {
    const result = await real.prepare(payouts, position)
    const kept: unknown = Reflect.get(Object(position), 'validUntil')
    const [first] = result.prepared
    const own = Reflect.get(Object(first?.transaction), 'validUntil') as number
    const validUntil = typeof kept === 'number' ? kept : own
    return {
      prepared: result.prepared.map((item) => item && until(item, validUntil)),
      position: { ...(result.position as object), validUntil },
    }
  }

/** Judges as if payments expired so many blocks sooner than they do. */
const deadSooner = (blocks: number): Alteration =>
  laneWith((real) => ({
    payoutVerdict: (guards, ...more) =>
      real.payoutVerdict(
        guards.map((guard) => guard.replace(/\d+$/, (height) => String(Number(height) - blocks))),
        ...more,
      ),
  }))

const mutants: readonly {
  readonly wrong: string
  readonly rule: RuleId
  readonly says: string
  /** Nothing that comes tells of it: the kit must lose its patience. */
  readonly silent?: true
  readonly wrap: Alteration
}[] = [
  {
    wrong: 'calls a payment dead as soon as its time is over, final or not',
    rule: 'death-early',
    says: 'wait until the last block that can hold it is final',
    wrap: deadSooner(4),
  },
  {
    wrong: 'calls a payment dead while a block may still hold it',
    rule: 'death-early',
    says: 'wait until the last block that can hold it is final',
    wrap: deadSooner(2),
  },
  {
    wrong: 'keeps the time of its payments in the position',
    rule: 'position-kept',
    says: 'prepared from a position that was stored before another one died is not made',
    silent: true,
    wrap: laneWith((real) => ({ prepare: keepingExpiry(real) })),
  },
  {
    wrong: 'declares that nothing leaves it, though its blocks are replaced',
    rule: 'declarations',
    says: 'declares absoluteFinality, but blocks of the local chain can be replaced',
    wrap: adapterWith(({ capabilities }) => ({ capabilities: { ...capabilities, absoluteFinality: true } })),
  },
  {
    wrong: 'calls more reserved than there is',
    rule: 'balances',
    says: 'reserved of a balance of',
    wrap: adapterWith((real) => ({
      getBalances: async (queries) => {
        const found = await real.getBalances(queries)
        return { ...found, reserved: found.amounts.map((amount) => (amount ?? 0n) + 1n) }
      },
    })),
  },
  {
    wrong: 'tells a least amount that nobody asks for',
    rule: 'payout-once',
    says: 'recipientLeast is not declared',
    wrap: adapterWith(() => ({ recipientStatus: async () => ({ canReceive: true, least: 1n }) })),
  },
  {
    wrong: 'takes its own transaction ids for none',
    rule: 'payout-once',
    says: 'checkTransactionId takes',
    wrap: adapterWith(() => ({ checkTransactionId: () => ({ ok: false, form: 'something else' }) })),
  },
]

it.each(mutants)('the kit notices a ledger that $wrong ($rule)', async ({ rule, says, silent, wrap }) => {
  const cases = conformanceCases({ ...harnessWith(world.harness, wrap), patienceSeconds: silent ? 6 : 60 })
  await expect(cases.find(({ id }) => id === rule)?.run()).rejects.toThrow(says)
})
