import type { Payout } from '@causeway/core/chain'
import { TaggedAddresses, tagOfTerms } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import type { PaymentForm } from '../payout/paymentForm.js'
import type { LedgerTransaction } from '../read/transactions.js'
import { TRANSFER_RATE_UNIT } from '../rpc/accountState.js'
import { sweepRules } from './depositAddresses.js'
import { ACCOUNT, DEPOSITORY, entryOf, ISSUER, lineOf, TOKEN, tagged } from './ledgerEntry.test.support.js'

const terms = { orderId: `0x${'ab'.repeat(32)}`, depositor: 'user' } as const
const TAG = tagOfTerms(terms)
const UNIT = 10n ** 15n

/** The account's history at one node, and its balances. */
class World {
  readonly entries: LedgerTransaction[] = []
  head = 110n
  held = 100_000_000n
  rate = TRANSFER_RATE_UNIT
  readonly #tagged = new TaggedAddresses<object, LedgerTransaction, PaymentForm>({
    ...sweepRules(ACCOUNT, { depository: DEPOSITORY, maxFeeDrops: 5_000n }, async () => this.rate),
    ...{ tagged, chainId: 1, history: 1_000n, logger: pino({ level: 'silent' }) },
    pool: { providers: [{}], providerCount: 1 },
    source: {
      head: async () => ({ height: this.head, hash: '', time: 0 }),
      page: async (_, { after, upTo }) => ({
        transactions: this.entries.filter(({ validated }) => {
          const height = validated?.block.height ?? 0n
          return height > after && height <= upTo
        }),
        more: null,
      }),
    },
    isThere: async () => true,
    balances: async (queries) => ({
      amounts: queries.map(({ currency }) => (currency === NATIVE ? 100_000_000n : this.held)),
      reserved: [1_000_000n],
      height: this.head,
    }),
    fee: async () => 10n,
    buildPayment: () => Promise.reject(new Error('no payment')),
    keyOf: () => {
      throw new Error('no key')
    },
  })

  pay(height: number, meta: object = {}): void {
    this.entries.push(entryOf({ tx: { DestinationTag: TAG }, meta }, height))
  }

  swept(height: number, tx: object = {}, meta: object = {}): void {
    const from = { Account: ACCOUNT, Destination: DEPOSITORY, DestinationTag: undefined, SourceTag: TAG }
    this.entries.push(entryOf({ tx: { ...from, ...tx }, meta }, height))
  }

  plan(currency = NATIVE) {
    const address = { ...terms, destination: tagged.labels.spell(`${TAG}`), derivation: null }
    const payout: Payout = {
      ...{ purpose: 'sweep', orderId: terms.orderId, from: '', to: { address: DEPOSITORY }, calls: [] },
      ...{ money: { currency, amount: 1n }, sweep: { address, currencies: [currency] } },
    }
    return this.#tagged.sweeps.plan(payout)
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

  it('whose issuer charges for transfers brings so much less that no more than the balance leaves', async () => {
    world.pay(100, came('100'))
    world.held = 1_000n * UNIT
    world.rate = 1_002_000_000n
    const plan = await world.plan(TOKEN)
    expect(plan).toMatchObject({ payment: { Amount: { value: '99.8003992015968' }, SendMax: { value: '100' } } })
    const amount = plan.ok ? plan.amount : 0n
    expect(amount * world.rate <= 100n * UNIT * TRANSFER_RATE_UNIT).toBe(true)
    const taken = { ...came('99.8003992015968'), AffectedNodes: [lineOf('1000', '900')] }
    world.swept(111, {}, taken)
    world.head = 111n
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
