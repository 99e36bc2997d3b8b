import type { Payout } from '@causeway/core/chain'
import { AccountSums, type LedgerSource } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { NATIVE } from '../../address/addresses.js'
import type { LedgerTransaction } from '../../read/transactions.js'
import { numberOf } from '../../read/transactions.js'
import { movesOf } from '../accountMoves.js'
import { ACCOUNT, DEPOSITORY, entryOf, ISSUER, lineOf, TOKEN, tagged } from '../ledgerEntry.test.support.js'
import { deriveTagAddress, tagOf } from '../tagAddress.js'
import { OpenSweeps } from './openSweeps.js'
import { NO_RATE, SweepPlans } from './sweepPlans.js'

interface Node {
  head: bigint
}

const terms = { orderId: `0x${'ab'.repeat(32)}`, depositor: 'user' } as const
const TAG = tagOf(terms)
const UNIT = 10n ** 15n

/** The account's history at two nodes, and what it holds. */
class World {
  readonly entries: LedgerTransaction[] = []
  readonly nodes: readonly [Node, Node] = [{ head: 110n }, { head: 110n }]
  readonly open = new OpenSweeps()
  held = 100_000_000n
  reserved = 1_000_000n
  rate = NO_RATE
  readonly #plans: SweepPlans<Node>

  constructor() {
    const source: Pick<LedgerSource<Node, LedgerTransaction>, 'head' | 'page'> = {
      head: async ({ head }) => ({ height: head, hash: '', time: 0 }),
      page: async (_, { after, upTo }) => ({
        transactions: this.entries.filter(({ validated }) => {
          const height = validated?.block.height ?? 0n
          return height > after && height <= upTo
        }),
        more: null,
      }),
    }
    const sums = new AccountSums<Node, LedgerTransaction>({
      ...{ source, account: ACCOUNT, history: 1_000n, logger: pino({ level: 'silent' }) },
      pool: { providers: this.nodes, providerCount: 2 },
      movesOf: (entry) => {
        if (entry.signed.Account === ACCOUNT) this.open.used(numberOf(entry), entry.validated?.block.height ?? 0n)
        return movesOf(tagged, entry)
      },
      isFirst: () => false,
      isThere: async () => true,
    })
    this.#plans = new SweepPlans({
      ...{ tagged, depository: DEPOSITORY, sums, open: this.open, maxFeeDrops: 5_000n },
      holding: async () => ({ amount: this.held, reserved: this.reserved }),
      transferRate: async () => this.rate,
    })
  }

  pay(height: number, meta: object = {}): void {
    this.entries.push(entryOf({ tx: { DestinationTag: TAG }, meta }, height))
  }

  swept(height: number, tx: object = {}, meta: object = {}): void {
    const from = { Account: ACCOUNT, Destination: DEPOSITORY, DestinationTag: undefined, SourceTag: TAG }
    this.entries.push(entryOf({ tx: { ...from, ...tx }, meta }, height))
  }

  readTo(...heads: readonly [bigint, bigint]): void {
    for (const [at, node] of this.nodes.entries()) node.head = heads[at] ?? node.head
  }

  plan(currency = NATIVE, after?: bigint, destination = deriveTagAddress(tagged, terms).destination) {
    const address = { ...terms, destination, derivation: null }
    const sweep: Payout['sweep'] = { address, currencies: [currency], ...(after === undefined ? {} : { after }) }
    return this.#plans.plan({ money: { currency, amount: 1n }, sweep })
  }
}

let world: World
beforeEach(() => {
  world = new World()
})

describe('a sweep of XRP', () => {
  it('takes all that came to its tag, under the order id alone, and says from which tag', async () => {
    world.pay(100)
    world.pay(101)
    world.entries.push(entryOf({ tx: { DestinationTag: TAG + 1 } }, 102))
    const memo = Buffer.from(terms.orderId).toString('hex').toUpperCase()
    expect(await world.plan()).toMatchObject({
      ok: true,
      amount: 10_000_000n,
      payment: {
        ...{ TransactionType: 'Payment', Account: ACCOUNT, Destination: DEPOSITORY, SourceTag: TAG },
        Amount: '10000000',
        Memos: [{ Memo: { MemoData: memo } }],
      },
    })
  })

  it('is refused where nothing came, or all of it was swept', async () => {
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'revert' })
    world.pay(111)
    world.swept(112)
    world.readTo(112n, 112n)
    expect(await world.plan()).toMatchObject({ ok: false, message: expect.stringContaining('Nothing lies') })
  })

  it('leaves fees and the reserve to what the operator put there: never another tag’s money', async () => {
    world.pay(100)
    world.held = 5_000_000n + 1_004_999n
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'transient', message: expect.stringContaining('send') })
    world.held += 1n
    expect(await world.plan()).toMatchObject({ ok: true })
    world.entries.push(entryOf({ tx: { DestinationTag: TAG + 1 } }, 111))
    world.readTo(111n, 111n)
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'transient' })
  })
})

describe('two sweeps of one tag never take twice', () => {
  it('a node that has not come to the ledger of the last sweep is not asked what lies there', async () => {
    world.pay(100)
    world.swept(111)
    expect(await world.plan()).toMatchObject({ ok: true })
    await expect(world.plan(NATIVE, 111n)).rejects.toThrow('Too few nodes')
    world.readTo(111n, 111n)
    expect(await world.plan(NATIVE, 111n)).toMatchObject({ ok: false, kind: 'revert' })
  })

  it('what one of two nodes has not seen leave is not swept: the least counts', async () => {
    world.pay(100)
    world.swept(111)
    world.readTo(111n, 110n)
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'revert' })
  })

  it('while what was signed may land nothing is planned; once its number is used up or its time over, it is', async () => {
    world.pay(100)
    world.open.drafted(`${TAG}`, NATIVE, { number: 77n, until: 125n })
    world.open.signing()
    expect(await world.plan()).toMatchObject({ ok: false, kind: 'transient' })
    world.swept(112, { Sequence: 77, TransactionType: 'AccountSet' })
    world.readTo(112n, 112n)
    expect(await world.plan()).toMatchObject({ ok: true, amount: 5_000_000n })
    world.open.drafted(`${TAG}`, NATIVE, { number: 78n, until: 125n })
    world.open.signing()
    world.readTo(125n, 125n)
    expect(await world.plan()).toMatchObject({ ok: true, amount: 5_000_000n })
  })
})

describe('a sweep of an issued currency', () => {
  const came = (value: string) => ({ delivered_amount: { currency: 'USD', issuer: ISSUER, value } })

  it('takes all of it', async () => {
    world.pay(100, came('2.5'))
    world.held = 10n * UNIT
    const plan = await world.plan(TOKEN)
    expect(plan).toMatchObject({ amount: (5n * UNIT) / 2n, payment: { Amount: { value: '2.5' } } })
    expect(plan).not.toHaveProperty('payment.SendMax')
  })

  it('whose issuer charges for transfers takes so much less that no more leaves than lies there', async () => {
    world.pay(100, came('100'))
    world.held = 1_000n * UNIT
    world.rate = 1_002_000_000n
    const plan = await world.plan(TOKEN)
    expect(plan).toMatchObject({ payment: { Amount: { value: '99.8003992015968' }, SendMax: { value: '100' } } })
    const amount = plan.ok ? plan.amount : 0n
    expect(amount * world.rate <= 100n * UNIT * NO_RATE).toBe(true)
    const taken = { ...came('99.8003992015968'), AffectedNodes: [lineOf('1000', '900')] }
    world.swept(111, {}, taken)
    world.readTo(111n, 111n)
    expect(await world.plan(TOKEN)).toMatchObject({ ok: false, kind: 'revert' })
  })

  it('never takes more than the account holds, nor more digits than a payment has', async () => {
    world.pay(100, came('1234567.123456789'))
    world.held = 1_234_567n * UNIT
    expect(await world.plan(TOKEN)).toMatchObject({ payment: { Amount: { value: '1234567' } } })
    world.held = 2_000_000n * UNIT
    expect(await world.plan(TOKEN)).toMatchObject({ payment: { Amount: { value: '1234567.12345678' } } })
    world.held = 0n
    expect(await world.plan(TOKEN)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
  })
})

it('what is no tag of the account is not swept', async () => {
  await expect(world.plan(NATIVE, 0n, { address: ACCOUNT })).rejects.toThrow('no deposit address')
})
