import { writeFileSync } from 'node:fs'
import type { SimPermit } from './chain/permit/simPermit.js'
import { BASE_FEE, type SimLedger } from './chain/simLedger.js'
import type { SimUser } from './chain/simUser.js'
import { type CheckState, type Limits, noteDeposits, type SignedClaim } from './checks/checkState.js'
import { COIN_PRICES } from './climate.js'
import { type Query, queryOver } from './database/query.js'
import type { Snapshot } from './database/snapshot.js'
import type { WorldFiles } from './database/worldDatabase.js'
import type { Focus } from './focus.js'
import type { HostPlace } from './host/hostPlace.js'
import type { Operator } from './host/operator.js'
import type { Kernel } from './kernel/kernel.js'
import type { Random } from './kernel/random.js'
import type { SimProcess } from './kernel/simProcess.js'

/** A quote that a user got. */
export interface GivenQuote {
  readonly requestId: string
  readonly orderId: string
  readonly origin: SimLedger
  readonly destination: SimLedger
  readonly user: SimUser
  readonly currency: string
  readonly amount: bigint
}

/** An address that a user was told to pay to. */
export interface GivenAddress {
  readonly quote: GivenQuote
  readonly address: string
  readonly type: 'open' | 'strict'
  /** Refunds go to whoever sent the money. */
  readonly toSender: boolean
}

/** A quote that is paid by what its user signs. */
export interface GivenPermit {
  readonly quote: GivenQuote
  readonly permit: SimPermit
  /** It is handed in as a call; else as a signature. */
  readonly isCall: boolean
  /** It was handed to a host, or begins to be. */
  posted: boolean
  /** A host took it. */
  taken: boolean
}

/** Comes to pass before the event with a number that is due. */
export interface PlannedCrash {
  due(event: number): boolean
  run(): void
}

/** Comes to pass when a host passes the place. */
export interface FailpointCrash {
  readonly failpoint: string
  run(place: HostPlace): void
}

/** The time at which every world begins, Unix milliseconds: no test depends on today. */
export const BEGINNING = Date.UTC(2026, 10, 23, 12)

/** Everything that a step may act on. */
export class World {
  readonly kernel: Kernel
  /** Of what belongs to no host: chains, users, whoever runs the service. */
  readonly process: SimProcess
  readonly random: Random
  readonly ledgers: readonly SimLedger[]
  readonly places: readonly HostPlace[]
  readonly users: readonly SimUser[]
  /** What the deployment is told to risk. */
  readonly limits: Limits
  /** Whether users may pay to addresses of their quotes. */
  readonly hasAddresses: boolean
  /** Whether balances of wallets are kept. */
  readonly hasBalances: boolean
  /** Whether users may sign for deposits that hosts send. */
  readonly hasPermits: boolean
  /** Main subject of its story; null: any. */
  readonly focus: Focus | null
  /** Maximum cost of transactions for one owner without a deposit, in dollars. */
  readonly unpaidCapUsd: string
  /** The database when its chains were watched and no key had been used; null until then. */
  beginning: Snapshot | null = null
  readonly quotes: GivenQuote[] = []
  /** Those of `quotes` that are paid to an address. */
  readonly addresses: GivenAddress[] = []
  /** Those of `quotes` that their users signed for. */
  readonly permits: GivenPermit[] = []
  /** Claims that their wallets signed, by id. */
  readonly signedClaims = new Map<string, SignedClaim>()
  readonly story: string[] = []
  /** What the checks have seen so far. */
  checked: CheckState | null = null
  /** What went wrong that no check looks for, in words. */
  readonly complaints: string[] = []
  /** How often each fault came, by its kind. */
  readonly faults = new Map<string, number>()
  /** Ends faults, and begins none, once true. */
  calm = false
  /** The keys of payouts and withdrawals do not sign. */
  signersAway = false
  /** Prices of a coin in dollars, oldest first; `since` is true time, Unix milliseconds. */
  readonly coinPrices: { readonly since: number; readonly usd: string }[] = [{ since: 0, usd: COIN_PRICES[0] }]
  /** Addresses that a contract paid. */
  readonly paidByContracts = new Set<string>()
  /** A past of the database is kept, to be put back. */
  losing = false
  /** Hosts that are to die at some event. */
  readonly crashes: PlannedCrash[] = []
  /** Hosts that are to die where one passes a place. */
  readonly failpointCrashes: FailpointCrash[] = []
  readonly #files: WorldFiles
  readonly #openOperator: () => Operator
  #lastsUntil = 0
  #system = 7_000_000_000_000_000_001n
  #timeline = 1

  constructor(parts: {
    readonly kernel: Kernel
    readonly process: SimProcess
    readonly random: Random
    readonly ledgers: readonly SimLedger[]
    readonly places: readonly HostPlace[]
    readonly users: readonly SimUser[]
    readonly limits: Limits
    readonly hasAddresses: boolean
    readonly hasBalances: boolean
    readonly hasPermits: boolean
    readonly focus: Focus | null
    readonly unpaidCapUsd: string
    readonly files: WorldFiles
    openOperator(): Operator
  }) {
    this.kernel = parts.kernel
    this.process = parts.process
    this.random = parts.random
    this.ledgers = parts.ledgers
    this.places = parts.places
    this.users = parts.users
    this.limits = parts.limits
    this.hasAddresses = parts.hasAddresses
    this.hasBalances = parts.hasBalances
    this.hasPermits = parts.hasPermits
    this.focus = parts.focus
    this.unpaidCapUsd = parts.unpaidCapUsd
    this.#files = parts.files
    this.#openOperator = parts.openOperator
    this.#tellIdentity()
  }

  tell(words: string): void {
    this.story.push(`${(this.kernel.time.now / 1_000).toFixed(3).padStart(9)} s  ${words}`)
  }

  /** Notes a fault of a kind for the picture of coverage, and tells it. */
  fault(kind: string, words: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1)
    this.tell(words)
  }

  /** Since when one host has lived without a break, Unix milliseconds; null while none does. */
  get liveSince(): number | null {
    const since = this.places.flatMap((place) => (place.serves ? [place.since] : []))
    return since.length === 0 ? null : Math.min(...since)
  }

  /** Dollars. */
  get coinPrice(): string {
    return this.coinPrices.at(-1)?.usd ?? COIN_PRICES[0]
  }

  set coinPrice(usd: string) {
    this.coinPrices.push({ since: this.kernel.time.unix, usd })
  }

  /** Whether a user of the story still acts. */
  get isAwaited(): boolean {
    return this.kernel.time.now < this.#lastsUntil
  }

  /** Keeps the world from ending within so many virtual milliseconds: a user acts that late. */
  awaitUser(milliseconds: number): void {
    this.#lastsUntil = Math.max(this.#lastsUntil, this.kernel.time.now + milliseconds)
  }

  /** After so many virtual milliseconds. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.kernel.later(this.process, milliseconds, resolve))
  }

  /** Lets a process do something, as a user of it would. */
  as<T>(process: SimProcess, work: () => Promise<T>): Promise<T> {
    return this.kernel.call(this.process, process, work)
  }

  /** A question to the database past all hosts; nothing else happens meanwhile. */
  ask<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.kernel.ready({
        process: this.process,
        run: async () => {
          try {
            resolve(await work(await this.query()))
          } catch (error) {
            reject(error)
          }
        },
      })
    })
  }

  async query(): Promise<Query> {
    return queryOver(await this.kernel.database.side())
  }

  /** A live host that serves, or null. */
  anyHost(random: Random): HostPlace | null {
    const serving = this.places.filter((place) => place.serves)
    return serving.length === 0 ? null : random.pick(serving)
  }

  /** An operator at the command line, as a process of its own. */
  newOperator(): Operator {
    return this.#openOperator()
  }

  /** To be called before and after blocks leave or come: deposits may come and go between two checks. */
  noteDeposits(): void {
    if (this.checked !== null) noteDeposits(this.checked)
  }

  /** The server that answers from now on is another: promoted (a new timeline), or with a backup put in (another cluster). */
  replaceServer(how: 'promoted' | 'restored'): void {
    if (how === 'promoted') this.#timeline += 1
    else this.#system += 1n
    this.#tellIdentity()
  }

  /** Faults stop: whatever is away comes back, and whoever died starts again. */
  calmDown(): void {
    this.calm = true
    this.tell('faults stop')
    this.kernel.database.down = false
    this.kernel.time.databaseOffMs = 0
    this.signersAway = false
    for (const ledger of this.ledgers) {
      for (const node of ledger.nodes) node.trouble = { kind: 'none' }
      Object.assign(ledger, { held: false, fee: BASE_FEE })
      const owners = this.permits.map(({ quote: { user } }) => user)
      for (const { address } of [...this.users, ...this.addresses, ...owners]) ledger.open(address)
    }
    for (const place of this.places) {
      Object.assign(place.process, { frozenUntil: 0, clockOffMs: 0 })
      place.start()
    }
  }

  #tellIdentity(): void {
    writeFileSync(this.#files.identity, `${this.#system} ${this.#timeline} `)
  }
}
