import { writeFileSync } from 'node:fs'
import type { SimLedger } from './chain/simLedger.js'
import type { Query } from './database/query.js'
import type { WorldFiles } from './database/worldDatabase.js'
import type { HostPlace } from './host/hostPlace.js'
import type { Kernel } from './kernel/kernel.js'
import type { Random } from './kernel/random.js'
import { outside, type SimProcess } from './kernel/simProcess.js'
import type { SimUser } from './simUser.js'

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
  readonly quotes: GivenQuote[] = []
  readonly story: string[] = []
  /** Transactions whose attempts a lost commit or an older database took away: the chain may show what nobody has stored. */
  readonly forgotten = new Set<string>()
  /** What went wrong that no check looks for, in words. */
  readonly complaints: string[] = []
  /** How often each fault came, by its kind. */
  readonly faults = new Map<string, number>()
  /** Ends faults, and begins none, once true. */
  calm = false
  /** The next crash, at a failpoint. */
  crash: { readonly failpoint: string; passes: number } | null = null
  readonly #files: WorldFiles
  #system = 7_000_000_000_000_000_001n
  #timeline = 1

  constructor(parts: {
    readonly kernel: Kernel
    readonly process: SimProcess
    readonly random: Random
    readonly ledgers: readonly SimLedger[]
    readonly places: readonly HostPlace[]
    readonly users: readonly SimUser[]
    readonly files: WorldFiles
  }) {
    this.kernel = parts.kernel
    this.process = parts.process
    this.random = parts.random
    this.ledgers = parts.ledgers
    this.places = parts.places
    this.users = parts.users
    this.#files = parts.files
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

  /** After so many virtual milliseconds. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.kernel.later(this.process, milliseconds, resolve))
  }

  /** A question to the database past all hosts; nothing else happens meanwhile. */
  ask<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.kernel.ready({
        process: this.process,
        run: async () => {
          try {
            resolve(await outside(async () => work(await this.query())))
          } catch (error) {
            reject(error)
          }
        },
      })
    })
  }

  async query(): Promise<Query> {
    const side = await this.kernel.database.side()
    return async (text, values) => (await side.query(text, values === undefined ? undefined : [...values])).rows
  }

  /** A live host that serves, or null. */
  anyHost(random: Random): HostPlace | null {
    const serving = this.places.filter((place) => place.serves)
    return serving.length === 0 ? null : random.pick(serving)
  }

  /** The server that answers from now on is another: promoted (a new timeline), or with a backup put in (another cluster). */
  replaceServer(how: 'promoted' | 'restored'): void {
    if (how === 'promoted') this.#timeline += 1
    else this.#system += 1n
    this.#tellIdentity()
  }

  #tellIdentity(): void {
    writeFileSync(this.#files.identity, `${this.#system} ${this.#timeline} `)
  }
}
