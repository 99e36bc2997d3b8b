import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { DepositEvent, DepositEvidence } from '../chain/chainAdapter.js'
import type { Chain } from '../chain/chainRegistry.js'
import { RetentionWorld } from '../database/retention.test.support.js'
import { ServiceError } from '../errors/serviceError.js'
import { findOverlooked, NamedTransactions } from './namedTransactions.js'

let world: RetentionWorld
let named: NamedTransactions
let asked: string[] = []

beforeAll(async () => {
  world = await RetentionWorld.open()
})
afterAll(() => world.database.drop())
beforeEach(() => {
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
const chainOf = (deposits: readonly DepositEvent[], fails = false): Chain => {
  const recheckDeposits = async (
    references: readonly { readonly tx: { readonly id: string }; readonly position: number }[],
  ) => {
    asked.push(...new Set(references.map(({ tx }) => tx.id)))
    if (fails) throw new ServiceError('RPC_HTTP_ERROR', 'away')
    return references.map(({ tx, position }): DepositEvidence => {
      const deposit = deposits.find((item) => item.tx.id === tx.id && item.position === position)
      const about = { tx, position, source: 'transaction', reason: 'looked up' }
      return deposit === undefined ? { ...about, finding: 'missing' } : { ...about, finding: 'present', deposit }
    })
  }
  // CAST: nothing else of a chain is asked.
  return { config: { id: 1 }, adapter: { recheckDeposits } } as unknown as Chain
}

const overlooked = async (chain: Chain, height = 10n) =>
  (await findOverlooked(world.pool, chain, named, height)).map(({ tx }) => tx.id)

it('a deposit that the node which was read hid is taken up once it is named', async () => {
  const chain = chainOf([depositOf('hidden', 7n), depositOf('ahead', 11n)])
  for (const id of ['hidden', 'ahead', 'unknown']) named.add(id)
  // What lies ahead is read as the watcher comes to it.
  expect(await overlooked(chain)).toEqual(['hidden'])
  expect(await overlooked(chain)).toEqual([])
})

it('what a row tells of is not looked up again', async () => {
  const { orderId } = await world.quote()
  await world.pay(orderId)
  const [row] = await world.rows<{ id: string }>('select tx_id as id from deposits limit 1')
  named.add(row?.id ?? '')
  expect(await overlooked(chainOf([]))).toEqual([])
  expect(asked).toEqual([])
})

it('while the chain cannot be asked the transaction waits', async () => {
  named.add('hidden')
  expect(await overlooked(chainOf([], true))).toEqual([])
  expect(await overlooked(chainOf([depositOf('hidden', 7n)]))).toEqual(['hidden'])
})

it('anyone may name some: most are forgotten', async () => {
  for (let id = 0; id < 1_000; id += 1) named.add(String(id))
  expect(named.take()).toHaveLength(32)
})
