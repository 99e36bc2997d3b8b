import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { DepositEvent, DepositEvidence } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { RetentionWorld } from '../database/retention.test.support.js'
import { ServiceError } from '../errors/serviceError.js'
import { TRUSTED_CALLER } from '../request/requestReader.js'
import { findOverlooked, NamedTransactions } from './namedTransactions.js'

let world: RetentionWorld
let named: NamedTransactions
let asked: string[] = []

beforeAll(async () => {
  world = await RetentionWorld.open()
})
afterAll(() => world.database.drop())
beforeEach(() => {
  dropped.length = 0
  named = new NamedTransactions()
  asked = []
})

const depositOf = (id: string, height: bigint): DepositEvent => ({
  state: 'included',
  tx: { id },
  position: 0,
  index: 0,
  orderId: null,
  depositor: 'user',
  depository: 'depository',
  money: { currency: 'coin', amount: 5n },
  block: { height, hash: 'h', time: 1 },
  txData: { from: 'user', to: 'depository', data: '', value: '5' },
  fee: 1n,
})

/** A chain that shows these deposits when it is asked for them. */
const chainOf = (deposits: readonly DepositEvent[], fail: (ids: readonly string[]) => void = () => {}): Chain => {
  const recheckDeposits = async (
    references: readonly { readonly tx: { readonly id: string }; readonly position: number }[],
  ) => {
    const ids = [...new Set(references.map(({ tx }) => tx.id))]
    asked.push(...ids)
    fail(ids)
    return references.map(({ tx, position }): DepositEvidence => {
      const deposit = deposits.find((item) => item.tx.id === tx.id && item.position === position)
      const about = { tx, position, source: 'transaction', reason: 'looked up' }
      return deposit === undefined ? { ...about, finding: 'missing' } : { ...about, finding: 'present', deposit }
    })
  }
  // CAST: nothing else of a chain is asked.
  return { config: { id: 1 }, adapter: { recheckDeposits } } as unknown as Chain
}

const MINUTE = 60_000
const dropped: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void dropped.push(String(JSON.parse(line).txId)) })

const fails = () => {
  throw new ServiceError('RPC_HTTP_ERROR', 'away')
}

const overlooked = async (chain: Chain, { height = 10n, at = 0 } = {}) =>
  (await findOverlooked({ pool: world.pool, chain, named, log }, height, at)).map(({ tx }) => tx.id)

it('a deposit that the node which was read hid is taken up once it is named', async () => {
  const chain = chainOf([depositOf('hidden', 7n), depositOf('ahead', 11n)])
  for (const id of ['hidden', 'ahead', 'unknown']) named.add(id, 'user')
  // What lies ahead is read as the watcher comes to it.
  expect(await overlooked(chain)).toEqual(['hidden'])
  expect(await overlooked(chain)).toEqual([])
})

it('what a row tells of is not looked up again', async () => {
  const { orderId } = await world.quote()
  await world.pay(orderId)
  const [row] = await world.rows<{ id: string }>('select tx_id as id from deposits limit 1')
  named.add(row?.id ?? '', 'user')
  expect(await overlooked(chainOf([]))).toEqual([])
  expect(asked).toEqual([])
})

it('while the chain cannot be asked the transaction waits', async () => {
  named.add('hidden', 'user')
  expect(await overlooked(chainOf([], fails))).toEqual([])
  expect(await overlooked(chainOf([depositOf('hidden', 7n)]))).toEqual([])
  expect(await overlooked(chainOf([depositOf('hidden', 7n)]), { at: 1_000 })).toEqual(['hidden'])
})

it('one that cannot be read holds up no other, is tried a few times, and is dropped with its reason', async () => {
  const chain = chainOf([depositOf('hidden', 7n)], (ids) => {
    if (ids.includes('odd')) throw new TypeError('no text')
  })
  named.add('odd', 'user')
  named.add('hidden', 'user')
  expect(await overlooked(chain)).toEqual(['hidden'])
  for (let minute = 1; minute < 30; minute += 1)
    expect(await overlooked(chain, { at: minute * 5 * MINUTE })).toEqual([])
  expect(asked.filter((id) => id === 'odd')).toHaveLength(5)
  expect(dropped).toEqual(['odd'])
})

it('all deposits of a transaction are taken up, however many it holds', async () => {
  const many = Array.from({ length: 9 }, (_, position) => ({ ...depositOf('batch', 7n), position }))
  named.add('batch', 'user')
  expect(await overlooked(chainOf(many))).toHaveLength(9)
})

/** How many wait, each looked up by itself. */
const waiting = (): number => {
  let count = 0
  for (let ids = named.due(0); ids.length > 0; ids = named.due(0)) {
    for (const id of ids) named.forget(id)
    count += ids.length
  }
  return count
}

it('anyone may name some: of one caller, and of all, most are forgotten, those of an operator are not', () => {
  for (let id = 0; id < 1_000; id += 1) named.add(`a${id}`, 'one')
  named.add('b', 'two')
  expect(waiting()).toBe(9)
  for (let id = 0; id < 1_000; id += 1) named.add(`a${id}`, `caller ${id}`)
  for (let id = 0; id < 500; id += 1) named.add(`o${id}`, TRUSTED_CALLER)
  expect(waiting()).toBe(64 + 500)
})
