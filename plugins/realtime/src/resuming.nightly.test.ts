import type { Hex } from '@causeway/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  connectClient,
  createRequests,
  moveIn,
  startSocketHost,
  type TestRequests,
  type TestSocketHost,
} from './realtime.test.support.js'

let requests: TestRequests
let hosts: readonly TestSocketHost[]

beforeAll(async () => {
  requests = await createRequests()
  hosts = await Promise.all([1, 2].map(() => startSocketHost(requests, { socketsPerAddress: 1_000 })))
  for (const { auth } of hosts) auth.give('key-a', 'id-a')
})
afterAll(async () => {
  await Promise.all((hosts ?? []).map((host) => host.stop()))
  await requests?.database.drop()
})

/** Numbers that look random and are the same in every run of a seed. */
const generator = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Moves random requests in transactions that overlap and sometimes are taken back. Gives how many moves were committed. */
const writeSome = async (ids: readonly Hex[], rounds: number, random: (below: number) => number): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    const client = await requests.database.pool.connect()
    await client.query('begin')
    const chosen = [...new Set([random(ids.length), random(ids.length)])].sort((a, b) => a - b)
    for (const at of chosen) {
      for (const to of ['pending', 'waiting'] as const) await moveIn(client, ids[at] ?? '0x', to)
    }
    if (random(3) === 0) await client.query('select pg_sleep(0.01)')
    await client.query(random(6) === 0 ? 'rollback' : 'commit')
    client.release()
  }
}

interface Told {
  readonly cursor: string
  readonly id: string
}

/** A client that loses its connection again and again and goes on where it was, at whichever host. */
class Wanderer {
  readonly told: Told[] = []
  #cursor: string | undefined

  constructor(
    readonly path: string,
    readonly filters: object,
    readonly random: (below: number) => number,
  ) {}

  /** One connection's life; `until` says when it has heard enough. */
  async visit(until: (heard: number) => boolean): Promise<void> {
    const host = hosts[this.random(hosts.length)]
    const client = await connectClient(`${host?.url}${this.path}`)
    const answer = await client.subscribe(this.filters, this.#cursor)
    this.#cursor ??= answer.cursor
    await client.until('enough', () => until(client.events.length))
    client.socket.terminate()
    for (const { cursor, id } of client.events) this.told.push({ cursor, id })
    this.#cursor = this.told.at(-1)?.cursor ?? this.#cursor
  }
}

it.each([1, 2, 3])(
  'seed %i: two hosts, lost connections, overlapping transactions: no gap, nothing twice, in order',
  async (seed) => {
    const random = generator(seed)
    const ids = await Promise.all([1, 2, 3, 4].map(() => requests.insert('id-a')))
    const wanderers = [
      new Wanderer('/?apiKey=key-a', {}, random),
      new Wanderer('/', { id: ids[0] }, random),
      new Wanderer('/ws?apiKey=key-a', { id: ids[1] }, random),
    ]
    // Their streams begin here.
    for (const wanderer of wanderers) await wanderer.visit(() => true)
    let writing = true
    const written = Promise.all([1, 2, 3].map(() => writeSome(ids, 12, random))).finally(() => {
      writing = false
    })
    const walks = wanderers.map(async (wanderer) => {
      while (writing) {
        const enough = random(6)
        await wanderer.visit((heard) => heard >= enough || !writing)
      }
    })
    await Promise.all([written, ...walks])
    const { rows } = await requests.database.pool.query<{ request: Hex; version: number }>(
      `select '0x' || encode(request_id, 'hex') as request, version from request_events where request_id = any($1) order by xid, seq`,
      [ids.map((id) => Buffer.from(id.slice(2), 'hex'))],
    )
    const expected = [rows, ...[ids[0], ids[1]].map((id) => rows.filter(({ request }) => request === id))]
    for (const [at, wanderer] of wanderers.entries()) {
      const all = expected[at]?.length ?? 0
      await wanderer.visit((heard) => wanderer.told.length + heard >= all)
      expect(wanderer.told).toHaveLength(all)
      expect(new Set(wanderer.told.map(({ id }) => id)).size).toBe(all)
      expect(wanderer.told.map(({ cursor }) => cursor)).toEqual(
        wanderer.told.map(({ cursor }) => cursor).sort(byCursor),
      )
    }
  },
)

/** Cursors are 16 bytes of big-endian numbers. */
const byCursor = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url'))
