import { type Currency, type CurrencyRegistry, type Hex, ServiceError } from '@causeway/core'
import type {
  Arrival,
  ChainAdapter,
  ChainConfig,
  ChainMoney,
  DepositAddresses,
  DepositEvent,
} from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import {
  DepositIngest,
  type DuePlace,
  findDuePlaces,
  findOpenDecisions,
  type NewPayout,
  type PlaceLook,
  recordDecisions,
  recordLooks,
} from '@causeway/core/money-path'
import {
  type Chain,
  ChainRegistry,
  type Command,
  type Lease,
  type NewDepositAddress,
  type QuoteTerms,
  serializeTerms,
  withTransaction,
} from '@causeway/core/plugin'
import { createTestDatabase, giveTestAddress, type TestDatabase } from '@causeway/core/testing'
import { operatorCommands } from '../index.js'

export const NOW = Date.UTC(2026, 10, 21)
/** Chains of one VM: an order has the same address on both. */
export const HARBOR = 1
export const LAGOON = 2
/** Of another key: an order's address is another one there. */
export const RIVER = 3
/** Has no addresses to pay to. */
export const PLAIN = 4
const LEASE: Lease = { name: 'all', epoch: 1n, signal: new AbortController().signal }

const currencyOn = (chainId: number): Currency => ({
  chainId,
  address: 'coin',
  symbol: 'COIN',
  name: 'Coin',
  decimals: 2,
  vmType: 'evm',
  groupId: 'coin',
  metadata: { logoURI: '', verified: true, isNative: true },
})

/** Addresses, what comes to them and the operator's commands over a real database; chains are stand-ins that say what they are told to. */
export class AddressDesk {
  readonly #commands: readonly Command[]
  readonly #deposits: DepositIngest
  #number = 0
  now = NOW
  /** What chains say lies at an address now. */
  readonly holdings = new Map<string, readonly ChainMoney[]>()
  /** What accounts hold by chain and address; anyone else nothing. */
  readonly accounts = new Map<string, bigint>()
  /** Chains whose nodes do not answer. */
  readonly silent = new Set<number>()
  readonly questions: string[] = []
  answer = false

  constructor(readonly database: TestDatabase) {
    const clock = { now: () => this.now }
    const chains = new ChainRegistry([HARBOR, LAGOON, RIVER, PLAIN].map((id) => this.#chain(id)))
    const held = [HARBOR, LAGOON, RIVER, PLAIN].map(currencyOn)
    const currencies: CurrencyRegistry = {
      find: (chainId, address) => held.find((item) => item.chainId === chainId && item.address === address),
      native: (chainId) => held.find((item) => item.chainId === chainId),
      ofChain: (chainId) => held.filter((item) => item.chainId === chainId),
      all: () => held,
    }
    const { pool } = database
    this.#deposits = new DepositIngest({ quoteDays: 30, pool, clock, currencies })
    this.#commands = operatorCommands({
      pool,
      clock,
      chains,
      currencies,
      prices: { get: () => Promise.resolve([]) },
      withChain: (chain, work) =>
        this.silent.has(chain.config.id)
          ? Promise.reject(new ServiceError('SERVICE_UNAVAILABLE', 'No node answers.'))
          : work(),
      confirm: async (question) => {
        this.questions.push(question)
        return this.answer
      },
    })
  }

  static async open(): Promise<AddressDesk> {
    const database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    await database.pool.query(
      `insert into leases (name, holder, epoch, expires_at) values ('all', gen_random_uuid(), 1, clock_timestamp() + interval '1 hour')`,
    )
    return new AddressDesk(database)
  }

  get pool() {
    return this.database.pool
  }

  #chain(id: number): Chain {
    const addressAt = (orderId: Hex): string => `${id === RIVER ? 'river' : 'place'}-${Number(orderId)}`
    const depositAddresses: Partial<DepositAddresses> = {
      forms: ['contract'],
      derive: ({ orderId }) => ({ destination: { address: addressAt(orderId) }, derivation: null }),
      holdings: (addresses) =>
        Promise.resolve(addresses.map(({ destination }) => this.holdings.get(`${id} ${destination.address}`) ?? [])),
    }
    const adapter: Partial<ChainAdapter> = {
      depository: 'depository',
      native: currencyOn(id),
      getBalances: (asked) =>
        Promise.resolve({
          amounts: asked.map(({ address }) => this.accounts.get(`${id} ${address}`) ?? 0n),
          height: 100n,
        }),
      validateAddress: (text) => ({ ok: true, canonical: text.toLowerCase() }),
      sameAddress: (left, right) => left === right,
      // CAST: what reading a destination, a deposit and a refund looks at.
      capabilities: { mempoolVisibility: false } as ChainAdapter['capabilities'],
      tip: () => Promise.resolve({ height: 1_000n, hash: 'tip', time: 0 }),
      recheckDeposits: (keys) =>
        Promise.resolve(keys.map((key) => ({ ...key, finding: 'present', source: 'test', reason: '' }) as never)),
      estimatePayoutFee: () => Promise.resolve({ network: { currency: 'coin', amount: 7n } } as never),
      simulate: () => Promise.resolve({ ok: true, gas: 1n } as never),
      // CAST: the commands ask no more of it.
      ...(id === PLAIN ? {} : { depositAddresses: depositAddresses as DepositAddresses }),
    }
    const slug = { [HARBOR]: 'harbor', [LAGOON]: 'lagoon', [RIVER]: 'river', [PLAIN]: 'plain' }[id] ?? ''
    const confirmations = { fill: 1, success: 1, settle: 10 }
    const config = { id, slug, rpc: [], enabled: true, solver: '0x5e', confirmations }
    // CAST: what the money path and the commands read of a chain.
    return { config: config as unknown as ChainConfig, adapter: adapter as ChainAdapter }
  }

  id(): Hex {
    this.#number += 1
    return `0x${this.#number.toString(16).padStart(64, '0')}`
  }

  /** A quote for 1000 to lagoon that gives an address. */
  async give(
    more: Partial<NewDepositAddress> = {},
    terms: Partial<QuoteTerms> = {},
  ): Promise<QuoteTerms & { readonly to: string; readonly addressId: string }> {
    const type = more.type ?? 'open'
    const chainId = more.chainId ?? HARBOR
    const quote: QuoteTerms = {
      requestId: this.id(),
      orderId: this.id(),
      tradeType: 'EXACT_INPUT',
      user: 'user',
      recipient: { address: 'recipient' },
      refundTo: null,
      origin: { chainId, currency: 'coin' },
      destination: { chainId: LAGOON, currency: 'coin' },
      depositAmount: 1_000n,
      minimumDeposit: 1_000n,
      payoutAmount: 950n,
      minimumPayout: 940n,
      fillCost: 5n,
      networkFee: 0n,
      feesIn: 20n,
      quotedAt: this.now,
      priceUntil: this.now + 30_000,
      orderDeadline: Math.floor(this.now / 1000) + 86_400,
      fillBy: null,
      latePaymentSlippageBps: 0,
      trueExactOutput: false,
      forceRefund: false,
      address: { type, refundToSender: false },
      ...terms,
    }
    await this.pool.query(
      `insert into quotes (id, order_id, created_at, terms, body, quoted, order_data)
       values (decode($1, 'hex'), decode($2, 'hex'), now(), $3, '{}', '{}', '{}')`,
      [quote.requestId.slice(2), quote.orderId.slice(2), serializeTerms(quote)],
    )
    const to = `${chainId === RIVER ? 'river' : 'place'}-${Number(quote.orderId)}`
    await giveTestAddress(
      this.pool,
      {
        chainId,
        destination: { address: to },
        derivation: null,
        type,
        orderId: quote.orderId,
        requestId: quote.requestId,
        depositor: 'user',
        currency: 'coin',
        refundTo: null,
        recoveryAddress: null,
        liveUntil: quote.orderDeadline,
        ...more,
      },
      this.now,
    )
    const { rows } = await this.pool.query<{ id: string }>(
      `select id::text as id from deposit_addresses where order_id = decode($1, 'hex')`,
      [quote.orderId.slice(2)],
    )
    return { ...quote, to, addressId: rows[0]?.id ?? '' }
  }

  /** A payment to it in a block. */
  async pay(to: string, amount: bigint, more: Partial<Arrival> = {}): Promise<Arrival> {
    const arrival: Arrival = {
      state: 'included',
      tx: { id: this.id() },
      position: 0,
      to: { address: to },
      money: { currency: 'coin', amount },
      sender: 'payer',
      block: { height: 100n, hash: this.id(), time: Math.floor(this.now / 1000) },
      ...more,
    }
    const page = { arrivals: [arrival], deposits: [], cursor: 0, height: 100n, tip: 100n, rewoundTo: null }
    await this.#deposits.apply(this.#chain(HARBOR), page, [], LEASE)
    return arrival
  }

  /** Whoever sweeps is about to look there. */
  async due(chainId: number, to: string): Promise<DuePlace | undefined> {
    const due = await findDuePlaces(this.pool, { chainId, expected: true, limit: 100 }, this.now)
    return due.find(({ address }) => address.destination.address === to)
  }

  /** What a look found, and what was decided. */
  async look(chainId: number, to: string, more: Partial<PlaceLook>): Promise<void> {
    const place = await this.due(chainId, to)
    if (place === undefined) throw new Error('It is not looked at')
    const look = { place, found: [], sweep: null, nextAt: this.now + 60_000, expected: false, trouble: null, gone: [] }
    await withTransaction(this.pool, (client) => recordLooks(client, [{ ...look, ...more }], this.now))
  }

  /** The watcher reads what a sweep brought; returns the number of the deposit. */
  async sweptInto(orderId: Hex | null, amount: bigint, currency = 'coin'): Promise<string> {
    const tx = { id: this.id() }
    const event: DepositEvent = {
      state: 'included',
      tx,
      position: 0,
      index: 0,
      orderId,
      depositor: 'user',
      depository: 'depository',
      money: { currency, amount },
      block: { height: 101n, hash: this.id(), time: Math.floor(this.now / 1000) },
      txData: { from: 'user', to: 'depository', data: '0x', value: '0' },
      fee: 1n,
    }
    const page = { deposits: [event], cursor: 0, height: 101n, tip: 101n, rewoundTo: null }
    await this.#deposits.apply(this.#chain(HARBOR), page, [], LEASE)
    const { rows } = await this.pool.query<{ id: string }>('select id::text as id from deposits where tx_id = $1', [
      tx.id,
    ])
    return rows[0]?.id ?? ''
  }

  /** The solver decides to fill it. */
  async fill(depositId: string, data: NewPayout['data']): Promise<void> {
    const open = await findOpenDecisions(this.pool, LAGOON, this.now + 1_000, { batch: 100, burnPauseMs: 0 })
    const decision = open.find(({ deposit }) => deposit.id === depositId)
    if (decision === undefined) throw new Error('The deposit is not to be decided')
    const payout = {
      purpose: 'fill' as const,
      depositId,
      requestId: decision.requestId,
      orderId: decision.terms.orderId,
      chainId: LAGOON,
      signer: '0x5e',
      recipient: decision.terms.recipient,
      currency: 'coin',
      amount: 950n,
      fees: 20n,
      data,
      at: this.now,
    }
    await withTransaction(this.pool, (client) =>
      recordDecisions(client, [{ kind: 'fill', open: decision, payout }], this.now),
    )
  }

  /** The solver could neither fill nor refund it. */
  async fail(depositId: string): Promise<void> {
    const open = await findOpenDecisions(this.pool, LAGOON, this.now + 1_000, { batch: 100, burnPauseMs: 0 })
    const decision = open.find(({ deposit }) => deposit.id === depositId)
    if (decision === undefined) throw new Error('The deposit is not to be decided')
    const why = { reason: 'BLOCKED_WALLET', details: null, refundFailReason: 'MANUAL_REFUND_REQUIRED' } as const
    await withTransaction(this.pool, (client) =>
      recordDecisions(client, [{ kind: 'failure', open: decision, ...why }], this.now),
    )
  }

  async run(
    name: string,
    given: readonly string[] = [],
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<string[]> {
    const command = this.#commands.find((item) => item.name === name)
    if (command === undefined) throw new Error(`There is no command ${name}`)
    const defaults = Object.fromEntries(
      (command.options ?? []).flatMap(({ flags, default: value }) =>
        value === undefined ? [] : [[/--(\w+)/.exec(flags)?.[1] ?? '', value]],
      ),
    )
    const lines: string[] = []
    await command.run({
      arguments: given,
      options: { ...defaults, ...options },
      print: (text: string) => lines.push(...text.split('\n')),
    })
    return lines
  }

  async json(name: string, given: readonly string[] = [], options: Readonly<Record<string, unknown>> = {}) {
    return JSON.parse((await this.run(name, given, { ...options, json: true })).join('\n'))
  }
}
