import type { CurrencyRegistry, Hex } from '@causeway/core'
import { type BlockRef, type ChainMoney, type DepositEvent, largestPayable, type WatchPage } from '@causeway/core/chain'
import {
  abandonPayout,
  assignParked,
  createPayouts,
  DepositIngest,
  type DepositPayout,
  depositOf,
  findOpenDecisions,
  findOpenPayouts,
  findReadyPayouts,
  listParkedDeposits,
  type OpenDecision,
  parkExcess,
  planRefund,
  postLedger,
  type RefundDeps,
  recordBroadcasts,
  recordDecisions,
  recordFillDead,
  recordFinal,
  recordIncluded,
  recordNewGeneration,
  recordPayoutReorg,
  recordSpent,
  refundParked,
  type StoredPayout,
  settleEarnings,
  storeAttempts,
  turnIntoRefund,
} from '@causeway/core/money-path'
import {
  ActionRefusedError,
  type Chain,
  isBalanceTooLow,
  type Lease,
  type QuoteTerms,
  serializeTerms,
  withTransaction,
} from '@causeway/core/plugin'
import type { Pool, PoolClient } from 'pg'
import { BookAddresses } from './bookAddresses.test.support.js'

/** What may happen, in no order; `pick` chooses among what it may happen to. */
export const HAPPENINGS = [
  'deposit',
  'stray deposit',
  'second deposit',
  'dust',
  'fill',
  'refund',
  'fail',
  'sign',
  'include',
  'finish',
  'payout reorg',
  'revert',
  'abandon',
  'deposit reorg',
  'deposit back',
  'pay back by hand',
  'assign',
  'withdraw',
  'address payment',
  'unseen payment',
  'arrival reorg',
  'arrival back',
  'look',
  'nothing found',
  'swept',
  'order anew',
  'top up',
  'settle earnings',
] as const
export type Happening = (typeof HAPPENINGS)[number]

const ORIGIN = 1
const DESTINATION = 2
const WALLET = '0x5e'
/** The watcher has read every block. */
const TIP = 1_000_000_000n
const GAS = 'gas'
const DOLLAR = { chainId: 9, currency: 'usd' }
const SPONSOR = `0x${'5a'.repeat(20)}`
const EARNER = `0x${'ea'.repeat(20)}`
/** Half of the app fee is the sponsor's to pay, where there is one. */
const EARNINGS = {
  ...DOLLAR,
  list: [
    { holder: EARNER, kind: 'app' as const, bps: '100', amount: '8', fromDeposit: '4', worth: '12' },
    { holder: SPONSOR, kind: 'rate' as const, amount: '0', fromDeposit: '0', worth: '3' },
  ],
}
const SPONSORSHIP = { ...DOLLAR, holder: SPONSOR, amount: '16', fees: '14', rateCost: '2' }
const LEASE: Lease = { name: 'all', epoch: 1n, signal: new AbortController().signal }

interface DepositPart {
  readonly id: string
  readonly currency: string
  readonly amount: bigint
}

interface PayoutFor {
  readonly requestId: Hex | null
  readonly terms: { readonly orderId: Hex }
}

/** The money path's own functions over a real database, without chains: blocks and hashes are made up. */
export class BookWorld {
  readonly #pool: Pool
  #number = 0
  #now = Date.UTC(2026, 10, 21)
  readonly #events = new Map<string, DepositEvent>()
  readonly #addresses: BookAddresses
  readonly #ingest: DepositIngest

  readonly #payer: { payable(money: ChainMoney): bigint }

  /** `payable`: what one payment of its chains can carry of an amount; absent: any. */
  constructor(pool: Pool, payable: (amount: bigint) => bigint = (amount) => amount) {
    this.#pool = pool
    this.#payer = { payable: ({ amount }) => payable(amount) }
    // CAST: only what the ingest reads of a currency: whether there is one.
    const currencies = { find: () => ({}) } as unknown as CurrencyRegistry
    this.#ingest = new DepositIngest({ quoteDays: 30, pool, clock: { now: () => this.#now }, currencies })
    this.#addresses = new BookAddresses({
      pool,
      chainId: ORIGIN,
      now: () => this.#now,
      id: () => this.#id(),
      block: () => this.#block(),
      quote: (pick, more) => this.#quote(pick, more),
      deposit: (orderId, amount, currency) => this.#deposit(orderId, amount, currency),
      tell: (page) => this.#page(page, []),
    })
  }

  async open(): Promise<void> {
    await this.#pool.query(
      `insert into leases (name, holder, epoch, expires_at) values ('all', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour');
       insert into lanes (chain_id, signer, state, position, height, updated_at)
         select chain, '${WALLET}', 'open', '0', 0, now() from unnest(array[${ORIGIN}, ${DESTINATION}]) chain`,
    )
  }

  /** Does it where it can be done; nothing happens where it cannot. */
  async happen(what: Happening, pick: number): Promise<void> {
    this.#now += 1_000
    try {
      await this.#steps[what](pick)
    } catch (error) {
      if (!(error instanceof ActionRefusedError) && !isBalanceTooLow(error)) throw error
    }
  }

  readonly #steps: Readonly<Record<Happening, (pick: number) => Promise<void>>> = {
    deposit: async (pick) => {
      const { orderId, origin } = await this.#quote(pick)
      await this.#deposit(orderId, 1_000n + BigInt(pick % 500), pick % 7 === 6 ? 'other' : origin.currency)
    },
    'stray deposit': (pick) => this.#deposit(this.#id(), 1_000n + BigInt(pick % 50), currencyOf(pick)),
    'second deposit': async (pick) => {
      const event = choose([...this.#events.values()], pick)
      if (event?.orderId != null) await this.#deposit(event.orderId, 1_000n, event.money.currency)
    },
    dust: async (pick) => this.#deposit((await this.#quote(pick)).orderId, 3n, currencyOf(pick)),
    fill: (pick) => this.#decide(pick, 'fill'),
    refund: (pick) => this.#decide(pick, 'refund'),
    fail: (pick) => this.#decide(pick, 'failure'),
    sign: (pick) => this.#sign(pick),
    include: (pick) => this.#include(pick),
    finish: (pick) => this.#finish(pick),
    'payout reorg': (pick) => this.#reorgPayout(pick),
    revert: (pick) => this.#revert(pick),
    abandon: (pick) => this.#abandon(pick),
    'deposit reorg': (pick) => this.#reorgDeposit(pick),
    'deposit back': async (pick) => {
      const event = choose([...this.#events.values()], pick)
      if (event !== undefined) await this.#see({ ...event, block: this.#block() })
    },
    'pay back by hand': (pick) => this.#payBack(pick),
    assign: (pick) => this.#assign(pick),
    withdraw: (pick) => this.#withdraw(pick),
    'address payment': (pick) => this.#addresses.pay(pick),
    'unseen payment': (pick) => this.#addresses.payUnseen(pick),
    'arrival reorg': (pick) => this.#addresses.reorg(pick),
    'arrival back': (pick) => this.#addresses.back(pick),
    look: (pick) => this.#addresses.look(pick),
    'nothing found': (pick) => this.#addresses.findNothing(pick),
    swept: (pick) => this.#addresses.swept(pick),
    'order anew': (pick) => this.#addresses.orderAnew(pick),
    'top up': (pick) => this.#topUp(BigInt(pick % 90) + 10n),
    'settle earnings': async () => {
      await settleEarnings(this.#pool, { chainId: ORIGIN, height: BigInt(this.#number) }, this.#now)
    },
  }

  #id(): Hex {
    this.#number += 1
    return `0x${this.#number.toString(16).padStart(64, '0')}`
  }

  #block(): BlockRef {
    this.#number += 1
    return { height: BigInt(this.#number), hash: `block${this.#number}`, time: Math.floor(this.#now / 1000) }
  }

  #commit(work: (client: PoolClient) => Promise<void>): Promise<void> {
    return withTransaction(this.#pool, work)
  }

  async #quote(pick: number, more: Partial<QuoteTerms> = {}): Promise<QuoteTerms> {
    const terms: QuoteTerms = {
      requestId: this.#id(),
      orderId: this.#id(),
      tradeType: 'EXACT_INPUT',
      user: 'user',
      recipient: { address: 'recipient' },
      refundTo: { address: 'user' },
      origin: { chainId: ORIGIN, currency: currencyOf(pick) },
      destination: { chainId: DESTINATION, currency: 'coin' },
      depositAmount: 1_000n,
      minimumDeposit: 900n,
      payoutAmount: 950n,
      minimumPayout: 940n,
      fillCost: 5n,
      networkFee: 0n,
      feesIn: 20n,
      quotedAt: this.#now,
      priceUntil: this.#now + 30_000,
      orderDeadline: Math.floor(this.#now / 1000) + 86_400,
      fillBy: null,
      latePaymentSlippageBps: 0,
      trueExactOutput: false,
      forceRefund: false,
      ...more,
    }
    await this.#pool.query(
      `insert into quotes (id, order_id, created_at, terms, body, quoted, order_data) values (decode($1, 'hex'), decode($2, 'hex'), now(), $3, '{}', '{}', '{}')`,
      [terms.requestId.slice(2), terms.orderId.slice(2), serializeTerms(terms)],
    )
    return terms
  }

  async #deposit(orderId: Hex, amount: bigint, currency: string): Promise<void> {
    const txId = this.#id()
    const event: DepositEvent = {
      state: 'included',
      tx: { id: txId },
      position: 0,
      index: 0,
      orderId,
      depositor: 'user',
      depository: 'depository',
      money: { currency, amount },
      block: this.#block(),
      txData: { from: 'user', to: 'depository', data: '0x', value: '0' },
      fee: 1n,
    }
    this.#events.set(txId, event)
    await this.#see(event)
  }

  #see(event: DepositEvent): Promise<void> {
    return this.#page({ deposits: [event] }, [])
  }

  async #page(page: Partial<WatchPage>, evidence: Parameters<DepositIngest['apply']>[2]): Promise<void> {
    // CAST: what the ingest reads of a chain.
    const adapter = {
      capabilities: { mempoolVisibility: false },
      sameAddress: (left: string, right: string) => left === right,
    }
    const chain = { config: { id: ORIGIN, slug: 'origin' }, adapter } as unknown as Chain
    const read = { deposits: [], cursor: 0, height: TIP, tip: TIP, rewoundTo: null, ...page }
    await this.#ingest.apply(chain, read, evidence, LEASE)
  }

  async #reorgDeposit(pick: number): Promise<void> {
    const event = choose([...this.#events.values()], pick)
    if (event === undefined) return
    await this.#page({}, [{ tx: event.tx, position: 0, finding: 'missing', source: 'test', reason: 'reorg' }])
  }

  async #decide(pick: number, kind: 'fill' | 'refund' | 'failure'): Promise<void> {
    const open = choose(
      await findOpenDecisions(this.#pool, DESTINATION, this.#now, { batch: 100, burnPauseMs: 0 }),
      pick,
    )
    if (open === undefined) return
    const { amount } = open.deposit
    const excess = pick % 2 === 0 && amount > 1_000n ? amount - 1_000n : 0n
    const fillable = kind === 'fill' && open.refundReason === null
    const fill = this.#fill(open, excess, pick)
    const back = await this.#back(open.deposit, open)
    await this.#commit((client) => {
      if (fillable) return recordDecisions(client, [{ kind: 'fill', open, payout: fill }], this.#now)
      const why = { open, reason: open.refundReason ?? 'SLIPPAGE', details: null } as const
      if (kind === 'failure' || amount < 10n || back === null)
        return recordDecisions(
          client,
          [{ kind: 'failure', ...why, refundFailReason: 'MANUAL_REFUND_REQUIRED' }],
          this.#now,
        )
      return recordDecisions(client, [{ kind: 'refund', ...why, payout: back }], this.#now)
    })
  }

  #fill(open: OpenDecision, excess: bigint, pick: number): DepositPayout {
    return {
      ...this.#payoutOf(open.deposit, open),
      purpose: 'fill',
      chainId: DESTINATION,
      currency: open.terms.destination.currency,
      amount: this.#payer.payable({ currency: open.terms.destination.currency, amount: 951n }),
      fees: 20n,
      data: {
        ...(excess > 0n ? { excess: excess.toString() } : {}),
        // Of every other one all the fees, and more.
        integratorFee: { integratorId: 'partner', amount: this.#number % 2 === 0 ? '5' : '25' },
        // Of every third one wallets earn, every fourth one has a sponsor.
        ...(pick % 3 === 2 ? { earnings: EARNINGS } : {}),
        ...(pick % 4 === 3 ? { sponsorship: SPONSORSHIP } : {}),
      },
    }
  }

  #topUp(amount: bigint): Promise<void> {
    const entries = [
      { ...DOLLAR, account: 'capital' as const, amount },
      { ...DOLLAR, account: 'app' as const, amount: -amount, holder: SPONSOR },
    ]
    const posting = { cause: 'capital:9:usd', event: this.#id(), entries }
    return this.#commit((client) => postLedger(client, [posting], this.#now))
  }

  /** A payout of a deposit that still needs its purpose and amounts. */
  #payoutOf(deposit: { readonly id: string; readonly currency: string }, of: PayoutFor) {
    return {
      depositId: deposit.id,
      requestId: of.requestId,
      orderId: of.terms.orderId,
      chainId: ORIGIN,
      signer: WALLET,
      recipient: { address: 'user' },
      currency: deposit.currency,
      data: {},
      at: this.#now,
    }
  }

  /** What goes back of so much, as the money path plans it; null where nothing is worth its way. */
  async #back(deposit: DepositPart, of: PayoutFor): Promise<DepositPayout | null> {
    const network = { currency: deposit.currency, amount: 2n }
    const adapter = {
      ...this.#payer,
      simulate: async () => ({ ok: true, gas: 1n, block: 1n }),
      estimatePayoutFee: async () => ({ network, validForMs: 1_000 }),
    }
    const native = { chainId: ORIGIN, address: deposit.currency }
    const deps = {
      pool: this.#pool,
      chains: { get: () => ({ adapter, config: { solver: WALLET } }) },
      currencies: { native: () => native, find: () => native },
      prices: { get: async () => [] },
      clock: { now: () => this.#now },
    }
    const request = {
      requestId: of.requestId,
      orderId: of.terms.orderId,
      refundTo: { address: 'user' },
      deposit: { id: deposit.id, currency: deposit.currency, amount: deposit.amount, chainId: ORIGIN },
    }
    // CAST: a plan reads no more of these.
    const plan = await planRefund(deps as unknown as RefundDeps, request)
    return 'payout' in plan ? plan.payout : null
  }

  async #sign(pick: number): Promise<void> {
    const chainId = pick % 2 === 0 ? ORIGIN : DESTINATION
    const lane = { chainId, signer: WALLET }
    const payout = choose(await findReadyPayouts(this.#pool, lane, this.#now, 100), pick >> 1)
    if (payout === undefined) return
    const txId = this.#id()
    const signed = { kind: 'pay' as const, transaction: null, guards: [`nonce:${txId}`], feeCap: 9n, txId, raw: txId }
    const attempt = { payout, generation: payout.generation + 1, version: 1, signed }
    await this.#commit(async (client) => {
      await storeAttempts(
        client,
        LEASE,
        { ...lane, position: null, height: 0n, native: 'native', limits: [] },
        [attempt],
        this.#now,
      )
      await recordBroadcasts(
        client,
        [{ payout, attempt: { ...attempt, ...signed }, result: { outcome: 'known' }, nextAt: this.#now }],
        this.#now,
      )
    })
  }

  async #open(state: 'signed' | 'included', pick: number): Promise<StoredPayout | undefined> {
    const lanes = [ORIGIN, DESTINATION].map((chainId) =>
      findOpenPayouts(this.#pool, { chainId, signer: WALLET }, [state], 100),
    )
    return choose((await Promise.all(lanes)).flat(), pick)
  }

  #sighting(payout: StoredPayout, status: 'success' | 'reverted') {
    const attempt = payout.live.at(-1)
    if (attempt === undefined) throw new Error('A signed payout has an attempt.')
    const state = { status, block: this.#block(), confirmations: 1, fee: 7n, paid: null, revert: null, txData: null }
    return { payout, attempt, state }
  }

  async #include(pick: number): Promise<void> {
    const payout = await this.#open('signed', pick)
    if (payout === undefined || payout.action === 'prove-dead') return
    const sighting = this.#sighting(payout, 'success')
    await this.#commit((client) => recordIncluded(client, [sighting], GAS, { now: this.#now, settleAt: this.#now }))
  }

  async #finish(pick: number): Promise<void> {
    const payout = await this.#open('included', pick)
    if (payout === undefined) return
    if (payout.purpose === 'sweep') return this.#commit((client) => recordFinal(client, [payout], [], this.#now))
    const amount = payout.purpose === 'fill' ? BigInt(payout.data.excess ?? '0') : 0n
    const deposit = { ...depositOf(payout), amount }
    const back = amount > 100n ? await this.#back(deposit, { ...payout, terms: payout }) : null
    const excess = back === null ? [] : [{ ...back, purpose: 'excess' as const }]
    await this.#commit(async (client) => {
      await recordFinal(client, [payout], excess, this.#now)
      if (amount > 0n && excess.length === 0) await parkExcess(client, [payout], this.#now)
    })
  }

  async #reorgPayout(pick: number): Promise<void> {
    const payout = await this.#open('included', pick)
    const attempt = payout?.live.find(({ state }) => state === 'included')
    if (payout === undefined || attempt === undefined) return
    await this.#commit((client) => recordPayoutReorg(client, payout, attempt, GAS, this.#now))
  }

  async #revert(pick: number): Promise<void> {
    const payout = await this.#open('signed', pick)
    // A fill that was seen once is not refunded: its request is success for ever.
    if (payout === undefined || payout.inclusions > 0 || payout.action === 'prove-dead') return
    const sighting = this.#sighting(payout, 'reverted')
    await this.#commit((client) => recordSpent(client, sighting, GAS, { now: this.#now, proveAt: this.#now }))
    const death = { payout, proof: 'test' }
    const { requestId } = payout
    if (payout.purpose !== 'fill' || requestId === null)
      return this.#commit((client) => recordNewGeneration(client, death, this.#now))
    const back = pick % 2 === 0 ? await this.#back(depositOf(payout), { requestId, terms: payout }) : null
    await this.#commit(async (client) => {
      if (!(await recordFillDead(client, death, this.#now, false))) return
      const turn = {
        fill: payout,
        requestId,
        reason: 'TRANSACTION_REVERTED',
        details: null,
        payout: back,
      } as const
      await turnIntoRefund(client, { ...turn, refundFailReason: null }, this.#now)
    })
  }

  async #abandon(pick: number): Promise<void> {
    const ready = await findReadyPayouts(this.#pool, { chainId: ORIGIN, signer: WALLET }, this.#now, 100)
    const payout = choose(
      ready.filter(({ purpose }) => purpose === 'refund' || purpose === 'excess'),
      pick,
    )
    if (payout === undefined) return
    const parked = { ...payout, depositId: depositOf(payout).id, amount: payout.amount + payout.fees }
    const why = { refundFailReason: 'MANUAL_REFUND_REQUIRED', details: 'blocked' } as const
    await this.#commit((client) => abandonPayout(client, parked, why, this.#now))
  }

  async #payBack(pick: number): Promise<void> {
    const deposit = choose(await listParkedDeposits(this.#pool, { chainId: null, limit: 100 }), pick)
    if (deposit === undefined || deposit.parked < 10n) return
    const of = { requestId: deposit.request?.id ?? null, terms: { orderId: deposit.orderId ?? deposit.onchainId } }
    const back = await this.#back({ ...deposit, amount: deposit.parked }, of)
    if (back !== null) await this.#commit((client) => refundParked(client, back, this.#now))
  }

  async #assign(pick: number): Promise<void> {
    const deposit = choose(await listParkedDeposits(this.#pool, { chainId: null, limit: 100 }), pick)
    const { requestId } = await this.#quote(pick)
    if (deposit !== undefined)
      await this.#commit((client) => assignParked(client, { depositId: deposit.id, requestId }, this.#now))
  }

  async #withdraw(pick: number): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string; currency: string; amount: string; order_id: string }>(
      `select d.id::text as id, d.currency, d.amount::text as amount, encode(d.order_id, 'hex') as order_id from deposits d
       where d.state = 'included' and d.withdrawn_at is null and d.outcome is not null
         and exists (select 1 from payouts p where p.deposit_id = d.id and p.purpose in ('fill', 'refund') and p.state = 'final')`,
    )
    const row = choose(rows, pick)
    if (row === undefined) return
    const deposit = { ...row, amount: BigInt(row.amount) }
    const payout = {
      ...this.#payoutOf(deposit, { requestId: null, terms: { orderId: `0x${row.order_id}` } }),
      amount: largestPayable(this.#payer, deposit),
    }
    await this.#commit((client) => createPayouts(client, [{ ...payout, purpose: 'withdraw', fees: 0n }], this.#now))
  }
}

const choose = <T>(items: readonly T[], pick: number): T | undefined => items[pick % Math.max(items.length, 1)]

const currencyOf = (pick: number): string => (pick % 3 === 0 ? GAS : 'coin')
