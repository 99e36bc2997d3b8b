import type { DepositEvent, LaneAdapter, Payout, PreparedAttempt } from '@causeway/core/chain'
import { defineAdapter } from '@causeway/core/chain-kit'
import {
  type Alteration,
  adapterWith,
  conformanceCases,
  harnessWith,
  laneWith,
  pagesWith,
  type RuleId,
} from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ledgerAdapter, ledgerPorts } from './ledgerChain/src/adapter.js'
import { LedgerNode } from './ledgerChain/src/ledgerNode.js'
import { resolveOptions } from './ledgerChain/src/options.js'
import { ledgerParts } from './ledgerChain/src/parts.js'
import { freshAddress, startLedgerHarness } from './ledgerChain/src/testing/index.js'
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

/** Adapters of which the node reads in another way; the adapter of the harness stays as it is. */
const readingBy =
  (change: (node: LedgerNode) => Partial<LedgerNode>): typeof ledgerAdapter =>
  (options, deps) => {
    const settings = resolveOptions(options)
    const node = new LedgerNode(settings, deps)
    Object.assign(node, change(node))
    return defineAdapter(ledgerPorts(node, settings, deps.config, ledgerParts(node, settings, deps)))
  }

/** The same deposits with something else in them. */
const deposits = (change: (deposit: DepositEvent) => Partial<DepositEvent>): Alteration =>
  pagesWith((page) => ({ ...page, deposits: page.deposits.map((deposit) => ({ ...deposit, ...change(deposit) })) }))

/** Prepares other payouts than it is given. */
const preparing = (change: (payout: Payout) => Payout): Alteration =>
  laneWith((real) => ({
    prepare: (items, position) =>
      real.prepare(
        items.map(({ payout, gas }) => ({ payout: change(payout), gas })),
        position,
      ),
  }))

const isAlike = (left: Payout, right: { readonly to: string; readonly money: Payout['money'] }): boolean =>
  left.to.address === right.to.split('?')[0] && left.money.amount === right.money.amount

/** Shows what the key of the lane paid beside what came. */
const showingPayments: Alteration = adapterWith((real) => ({
  async *watch(cursor, live, signal) {
    const account = real.lane.addressOf(world.harness.signer)
    const { position } = await real.lane.read(account, null)
    const start = { position, sinceHeight: (await real.tip()).height }
    for await (const page of real.watch(cursor, live, signal)) {
      const { unknown } = await real.lane.read(account, { ...start, position: real.lane.beginning?.(0n) ?? null })
      const paid = unknown.map(
        ({ tx, orderId, money, block }): DepositEvent => ({
          ...{ state: 'included', tx, position: 0, index: 0, orderId, depositor: account, depository: real.depository },
          ...{ money, block, txData: { from: account, to: real.depository, data: '0x', value: '0' }, fee: 0n },
        }),
      )
      yield { ...page, deposits: [...page.deposits, ...paid] }
    }
  },
}))

/** Finds deposits by order and amount, whatever transaction is named. */
const confirmingByAmount: Alteration = adapterWith((real) => {
  const seen: DepositEvent[] = []
  return {
    async *watch(cursor, live, signal) {
      for await (const page of real.watch(cursor, live, signal)) {
        seen.push(...page.deposits)
        yield page
      }
    },
    confirmDeposit: (claim, options) => {
      const alike = seen.find(({ orderId, money }) => orderId === claim.orderId && money.amount === claim.money.amount)
      return real.confirmDeposit({ ...claim, tx: alike?.tx ?? claim.tx }, options)
    },
  }
})

const mutants: readonly {
  readonly wrong: string
  readonly rule: RuleId
  readonly says: string
  /** Nothing that comes tells of it: the kit must lose its patience. */
  readonly silent?: true
  readonly wrap?: Alteration
  readonly create?: typeof ledgerAdapter
}[] = [
  {
    wrong: 'shows its own payments as deposits',
    rule: 'deposit-own',
    says: 'shows a payment of our own',
    wrap: showingPayments,
  },
  {
    wrong: 'names another account as the signer of a deposit',
    rule: 'deposit-seen',
    says: 'as the sender of the deposit',
    wrap: deposits(() => ({ senders: [freshAddress()] })),
  },
  {
    wrong: 'names another account as the payer of a deposit',
    rule: 'deposit-seen',
    says: 'as the source of the deposit',
    wrap: deposits(() => ({ source: freshAddress() })),
  },
  {
    wrong: 'takes the tag 0 of a depositor for none',
    rule: 'deposit-tagged',
    says: 'with the tag 0',
    wrap: deposits(({ depositor }) => ({ depositor: depositor.replace('?tag=0', '') })),
  },
  {
    wrong: 'takes the tag 0 of a recipient for none',
    rule: 'payout-tagged',
    says: 'with the tag 0',
    wrap: preparing((payout) => (payout.to.tag === 0 ? { ...payout, to: { address: payout.to.address } } : payout)),
  },
  {
    wrong: 'pays whatever the limit of the fee',
    rule: 'payout-limited',
    says: 'though its feeLimit is 1',
    wrap: preparing(({ feeLimit: _, ...payout }) => payout),
  },
  {
    wrong: 'skips the first block of a page',
    rule: 'deposit-paged',
    says: 'look at where a page ends',
    create: readingBy((node) => {
      const transfers = node.transfers.bind(node)
      return {
        transfers: (account, from, to, asked) => transfers(account, from === to ? from : from + 1, to, asked),
      }
    }),
  },
  {
    wrong: 'finds a deposit by its amount and order',
    rule: 'deposit-confirmed',
    says: 'confirms another transaction',
    wrap: confirmingByAmount,
  },
  {
    wrong: 'finds a payment by its amount and recipient',
    rule: 'payout-states',
    says: 'of a payment that is missing',
    wrap: laneWith((real) => ({
      states: async (attempts) => {
        const account = real.addressOf(world.harness.signer)
        const { unknown } = await real.read(account, { position: real.beginning?.(0n) ?? null, sinceHeight: 0n })
        return real.states(
          attempts.map(({ payout, ...attempt }) => ({
            ...attempt,
            payout,
            txId: unknown.find((found) => isAlike(payout, found))?.tx.id ?? attempt.txId,
          })),
        )
      },
    })),
  },
  {
    wrong: 'calls an address canonical in whatever case it was typed',
    rule: 'addresses-valid',
    says: 'which is the same account in order ids',
    wrap: adapterWith((real) => ({
      validateAddress: (text) => {
        const result = real.validateAddress(text.toLowerCase())
        return result.ok ? { ok: true, canonical: text } : result
      },
      sameAddress: (left, right) => left === right,
      addressCodec: {
        encode: (text) => real.addressCodec?.encode(text.toLowerCase()) ?? new Uint8Array(),
        decode: (bytes) => real.addressCodec?.decode(bytes) ?? '',
      },
    })),
  },
  {
    wrong: 'calls a transaction id canonical in whatever case it was typed',
    rule: 'deposit-confirmed',
    says: 'and finds by it the transaction',
    wrap: adapterWith((real) => ({
      checkTransactionId: (text) => ({ ok: true, canonical: text }),
      findTransaction: ({ id }) => real.findTransaction({ id: id.toLowerCase() }),
    })),
  },
  {
    wrong: 'has two decimal places more than its currency',
    rule: 'declarations',
    says: 'has 8 decimal places',
    wrap: adapterWith(({ native }) => ({ native: { ...native, decimals: 8 } })),
  },
  {
    wrong: 'reports blocks that do not exist yet',
    rule: 'payout-depth',
    says: 'the newest block of the local chain is',
    wrap: adapterWith((real) => ({
      tip: async () => {
        const tip = await real.tip()
        return { ...tip, height: tip.height + 3n }
      },
    })),
  },
  {
    wrong: 'counts confirmations by blocks that do not exist yet',
    rule: 'payout-depth',
    says: 'confirmations at a depth of',
    wrap: laneWith((real) => ({
      states: async (attempts) =>
        (await real.states(attempts)).map((state) =>
          state.block === null ? state : { ...state, confirmations: state.confirmations + 3 },
        ),
    })),
  },
  {
    wrong: 'does not ask how far back a node knows payments',
    rule: 'death-forgotten',
    says: 'what it does not show there it does not deny',
    create: readingBy((node) => {
      const records = node.records.bind(node)
      return { records: async (...asked) => ({ ...(await records(...asked)), history: 0 }) }
    }),
  },
  {
    wrong: 'does not ask how far back a node knows deposits',
    rule: 'deposit-forgotten',
    says: 'a second reading of',
    create: readingBy((node) => {
      const records = node.records.bind(node)
      return { records: async (...asked) => ({ ...(await records(...asked)), history: 0 }) }
    }),
  },
  {
    wrong: 'reads on over blocks that a node has dropped',
    rule: 'deposit-forgotten',
    says: 'reads on to block',
    create: readingBy((node) => {
      const transfers = node.transfers.bind(node)
      return { transfers: async (...asked) => ({ ...(await transfers(...asked)), history: 0 }) }
    }),
  },
  {
    wrong: 'asks for the head after the payments',
    rule: 'death-torn',
    says: 'Ask for the head first',
    create: readingBy((node) => {
      const records = node.records.bind(node)
      return {
        records: async (ids, asked) => {
          const reading = await records(ids, asked)
          return { ...reading, head: await node.head(asked) }
        },
      }
    }),
  },
  {
    wrong: 'never compares the blocks of its nodes',
    rule: 'endpoint-forked',
    says: 'endpoints() noticing one that is on another branch',
    silent: true,
    wrap: adapterWith((real) => ({
      endpoints: () => (real.endpoints?.() ?? []).map((endpoint) => ({ ...endpoint, state: 'ok' as const })),
    })),
  },
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

it.each(mutants)(
  'the kit notices a ledger that $wrong ($rule)',
  async ({ rule, says, silent, wrap = (real) => real, create }) => {
    const { harness, close } = create === undefined ? { ...world, close: null } : await startLedgerHarness(create)
    const cases = conformanceCases({ ...harnessWith(harness, wrap), patienceSeconds: silent ? 6 : 60 })
    const run = cases.find(({ id }) => id === rule)?.run()
    await expect(run?.finally(() => close?.())).rejects.toThrow(says)
  },
)
