import { type Hex, type Json, systemClock } from '@causeway/core'
import type { LaneAdapter, Payout, SignedAttempt } from '@causeway/core/chain'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type Random, seeded } from '../kernel/random.js'
import { directTransport } from './node/directTransport.js'
import { isLie, type NodeTrouble } from './node/nodeTrouble.js'
import { createSimChain } from './simChain.js'
import { BASE_FEE, SimLedger } from './simLedger.js'
import type { SimKind } from './simPool.js'
import { SimUser } from './simUser.js'

const PLENTY = 10n ** 12n
const SETTLE = 4
const STORMY_ROUNDS = 120
const ROUNDS = 600
const PAYOUTS = 16

/** A payment as a database keeps it. */
interface Kept {
  readonly payout: Payout
  /** Versions of the live generation. */
  attempts: SignedAttempt[]
  cancelled: boolean
  state: 'later' | 'open' | 'paid' | 'given-up'
}

/** The least that a solver does with a lane: stores before it sends, pays anew only what is dead. */
class SmallSolver {
  readonly kept: Kept[]
  readonly #ledger: SimLedger
  readonly #lane: LaneAdapter
  readonly #random: Random
  #position: Json = { sequence: '0' }

  constructor(ledger: SimLedger, lane: LaneAdapter, random: Random) {
    this.#ledger = ledger
    this.#lane = lane
    this.#random = random
    this.kept = Array.from({ length: PAYOUTS }, (_, at) => ({
      payout: payoutOf(ledger, at),
      attempts: [],
      cancelled: false,
      state: 'later',
    }))
  }

  get isDone(): boolean {
    return this.kept.every(({ state }) => state === 'paid' || state === 'given-up')
  }

  async turn(stormy: boolean): Promise<void> {
    for (const kept of this.kept) {
      if (kept.state === 'later' && (!stormy || this.#random.chance(0.02))) kept.state = 'open'
      if (kept.state !== 'open' || this.#random.chance(0.3)) continue
      // A node that does not answer ends the turn of this payment, not of others.
      await (kept.attempts.length === 0 ? this.#pay(kept) : this.#follow(kept, stormy)).catch(() => undefined)
    }
  }

  async #pay(kept: Kept): Promise<void> {
    const { payer } = this.#ledger.keys
    const { prepared, position } = await this.#lane.prepare([{ payout: kept.payout, gas: 1n }], this.#position)
    const [draft] = prepared
    if (draft === null || draft === undefined) return
    const attempt = await this.#lane.sign(draft, payer.signer, this.#ledger.keys.allocator.signer)
    this.#position = position
    kept.attempts = [attempt]
    await this.#lane.broadcast([attempt])
  }

  async #follow(kept: Kept, stormy: boolean): Promise<void> {
    const last = kept.attempts.at(-1)
    const [first] = kept.attempts
    if (last === undefined || first === undefined) return
    const pays = kept.attempts.filter(({ kind }) => kind === 'pay').map(({ txId }) => txId)
    const whim = this.#random.next()
    const said = await this.#lane.payoutVerdict(first.guards, pays, { agreeing: 2, payout: kept.payout })
    if (said === 'landed') this.#settle(kept)
    else if (said === 'dead') this.#bury(kept)
    else if (whim < 0.3) await this.#lane.broadcast(kept.attempts)
    else if (whim < 0.6) await this.#version(kept, last, stormy && this.#random.chance(0.2))
  }

  /** How deep it is, a solver counts itself. */
  #settle(kept: Kept): void {
    const { head, settle } = this.#ledger
    const final = this.#ledger.branch.upTo(head.height - settle)
    if (kept.attempts.some(({ txId, kind }) => kind === 'pay' && final.record(txId)?.status === 'success')) {
      kept.state = 'paid'
    }
  }

  #bury(kept: Kept): void {
    kept.attempts = []
    if (kept.cancelled) kept.state = 'given-up'
  }

  async #version(kept: Kept, last: SignedAttempt, cancel: boolean): Promise<void> {
    const options = { version: kept.attempts.length + 1 }
    const draft = await (cancel ? this.#lane.cancel(last, options) : this.#lane.replace(last, options))
    if (draft === null) return
    const { payer, allocator } = this.#ledger.keys
    const attempt = await this.#lane.sign(draft, payer.signer, allocator.signer)
    kept.attempts.push(attempt)
    kept.cancelled ||= attempt.kind === 'cancel'
    await this.#lane.broadcast([attempt])
  }
}

const orderIdOf = (at: number): Hex => `0x${(at + 1).toString(16).padStart(64, '0')}`

const payoutOf = (ledger: SimLedger, at: number): Payout => {
  const withdraws = at % 4 === 3
  const from = ledger.keys.payer.address
  return {
    purpose: withdraws ? 'withdraw' : 'fill',
    orderId: orderIdOf(at),
    from,
    to: { address: withdraws ? from : new SimUser(`recipient ${at % 3}`).address },
    money: { currency: at % 2 === 0 ? ledger.coin : ledger.token, amount: BigInt(1_000 + at) },
    calls: [],
  }
}

const troubleOf = (ledger: SimLedger, random: Random): NodeTrouble =>
  random.pick<NodeTrouble>([
    { kind: 'none' },
    { kind: 'lags', blocks: random.int(1, 30) },
    { kind: 'stands' },
    { kind: 'silent' },
    { kind: 'refuses' },
    { kind: 'loses', what: random.pick(['submits', 'reads', 'all']) },
    { kind: 'errs', message: random.pick(['INTERNAL', 'NO_FEE', 'SEQUENCE_USED', 'UNDERPRICED', 'EXPIRED']) },
    { kind: 'forgets' },
    { kind: 'keeps', late: random.chance(0.7) },
    { kind: 'hides', of: random.pick(['all', ledger.records().map(({ id }) => id)]) },
    { kind: 'invents-height', ahead: random.int(1, 500) },
    { kind: 'alters-amounts', by: -999n },
    { kind: 'invents-fate', status: random.pick(['success', 'failed']) },
    { kind: 'fork', since: Math.max(0, ledger.head.height - random.int(1, 12)) },
  ])

/** At most one node lies, and one is honest and well. */
const trouble = (ledger: SimLedger, random: Random): void => {
  for (const node of ledger.nodes) node.trouble = { kind: 'none' }
  const at = random.int(0, ledger.nodes.length - 1)
  const [first, second] = [...ledger.nodes.slice(at), ...ledger.nodes.slice(0, at)]
  if (first !== undefined) first.trouble = troubleOf(ledger, random)
  const other = troubleOf(ledger, random)
  if (second !== undefined && random.chance(0.4) && !isLie(other)) second.trouble = other
}

/** What happens beside the solver. */
const storm = (ledger: SimLedger, random: Random): void => {
  if (random.chance(0.15)) trouble(ledger, random)
  if (random.chance(0.1)) ledger.fee = BASE_FEE * BigInt(random.int(1, 4))
  if (random.chance(0.15)) ledger.held = random.chance(0.5)
  const recipient = new SimUser(`recipient ${random.int(0, 2)}`).address
  if (random.chance(0.1)) ledger.close(recipient)
  else if (random.chance(0.3)) ledger.open(recipient)
  if (ledger.kind === 'reorging' && ledger.head.height > SETTLE && random.chance(0.2)) {
    ledger.reorg(random.int(1, SETTLE), random.pick(['returned', 'lost', 'shuffled']))
  }
}

const calm = (ledger: SimLedger): void => {
  for (const node of ledger.nodes) node.trouble = { kind: 'none' }
  ledger.fee = BASE_FEE
  ledger.held = false
  for (const at of [0, 1, 2]) ledger.open(new SimUser(`recipient ${at}`).address)
}

const run = async (kind: SimKind, seed: string) => {
  const random = seeded(seed)
  let now = 1_700_000_000_000
  const settle = kind === 'final' ? 0 : SETTLE
  const ledger = new SimLedger({ chainId: 9, slug: 'sim', kind, settle, now: () => now, random: random.fork('ledger') })
  for (const currency of [ledger.coin, ledger.token]) {
    for (const account of [ledger.keys.payer.address, ledger.depository]) ledger.fund(account, currency, PLENTY)
  }
  const { adapter } = createSimChain(
    ledger,
    { clock: systemClock, logger: pino({ level: 'silent' }) },
    directTransport(ledger),
    { expiryBlocks: 12 },
  )
  const solver = new SmallSolver(ledger, adapter.lane, random.fork('solver'))
  const weather = random.fork('storm')
  for (let round = 0; round < ROUNDS && !solver.isDone; round += 1) {
    const stormy = round < STORMY_ROUNDS
    if (stormy) storm(ledger, weather)
    else if (round === STORMY_ROUNDS) calm(ledger)
    await solver.turn(stormy)
    now += 1_000
    ledger.mine()
  }
  return { ledger, kept: solver.kept }
}

/** How often the ledger paid each order. */
const timesPaid = (ledger: SimLedger): readonly number[] =>
  Array.from({ length: PAYOUTS }, (_, at) => {
    const paid = ledger.records().filter(({ status, transfer }) => {
      return status === 'success' && transfer.memo.startsWith(orderIdOf(at))
    })
    return paid.length
  })

const SEEDS = Number(process.env.SIM_LANE_SEEDS ?? 6)

test.each(['final', 'reorging'] as const)(
  'on a %s ledger every payment is made once, whatever nodes do',
  async (kind) => {
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const { ledger, kept } = await run(kind, `${kind} ${seed}`)
      const told = kept.map(({ state }) => state)
      const wanted = told.map((state) => (state === 'paid' ? 1 : 0))
      expect({ seed, told, paid: timesPaid(ledger) }).toEqual({ seed, told, paid: wanted })
      expect({ seed, open: told.filter((state) => state === 'open').length }).toEqual({ seed, open: 0 })
    }
  },
)
