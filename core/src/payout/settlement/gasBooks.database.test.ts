import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLedgerBalances } from '../../ledger/ledger.js'
import { DESTINATION, GroundWorld } from '../groundWorld.test.support.js'

let world: GroundWorld
beforeAll(async () => {
  world = await GroundWorld.open()
})
afterAll(() => world?.database.drop())

const booked = async (wanted: string): Promise<bigint> => {
  const balances = await readLedgerBalances(world.pool)
  return balances.find(({ account, currency }) => account === wanted && currency === 'gas')?.balance ?? 0n
}

const gas = (): Promise<bigint> => booked('gas')

it('the gas of a payment is booked while it is on the chain, also when it comes back into the block that it left', async () => {
  const event = await world.deposit()
  await world.signAndStore(await world.decide(event, 'fill'))
  const [first, second] = [world.id(), world.id()]
  for (const block of [first, first, second, first]) {
    await world.include(event, 'fill', block)
    expect(await gas()).toBe(7n)
    await world.reorg(event, 'fill')
    expect(await gas()).toBe(0n)
  }
})

it('the gas of a transaction that failed, and whose block left before its payment was given up, was not spent', async () => {
  const event = await world.deposit()
  await world.signAndStore(await world.decide(event, 'fill'))
  await world.failAndLeave(event, 'fill')
  expect(await gas()).toBe(0n)
  await world.signAndStore(await world.ready(event, 'fill'))
  await world.include(event, 'fill')
  expect(await gas()).toBe(7n)
})

it('gas out of money that no book holds is the capital of the operator and leaves the wallet alone, also when it is taken back', async () => {
  const event = await world.deposit()
  await world.signAndStore(await world.decide(event, 'fill'))
  const before = { gas: await gas(), capital: await booked('capital'), wallet: await booked('wallet') }
  const since = async () => ({
    gas: (await gas()) - before.gas,
    capital: (await booked('capital')) - before.capital,
    wallet: (await booked('wallet')) - before.wallet,
  })
  const block = world.id()
  for (const hash of [block, world.id(), block]) {
    await world.include(event, 'fill', hash, { feeFrom: 'capital' })
    expect(await since()).toEqual({ gas: 7n, capital: -7n, wallet: 0n })
    await world.reorg(event, 'fill')
    expect(await since()).toEqual({ gas: 0n, capital: 0n, wallet: 0n })
  }
})

it('what the currency took of the wallet, or left it by rounding, is booked with the gas, whoever pays that', async () => {
  for (const [feeFrom, currencyFee] of [
    [undefined, 3n],
    [undefined, -3n],
    ['capital', -3n],
  ] as const) {
    const event = await world.deposit()
    await world.signAndStore(await world.decide(event, 'fill'))
    const coins = async (account: string) =>
      (await readLedgerBalances(world.pool))
        .filter((line) => line.account === account && line.currency === 'coin' && line.chainId === DESTINATION)
        .reduce((sum, { balance }) => sum + balance, 0n)
    const before = [await coins('wallet'), await coins('gas')]
    await world.include(event, 'fill', world.id(), { currencyFee, ...(feeFrom === undefined ? {} : { feeFrom }) })
    const since = [await coins('wallet'), await coins('gas')].map((amount, at) => amount - (before[at] ?? 0n))
    const { rows } = await world.pool.query<{ amount: string }>(
      `select amount::text as amount from payouts where purpose = 'fill' order by id desc limit 1`,
    )
    expect(since).toEqual([-BigInt(rows[0]?.amount ?? 0) - currencyFee, currencyFee])
  }
})

it.each([
  ['of the whole transaction is booked once', {}, 7n],
  ['of which each bears a part is booked with each', { bearsPart: true }, 14n],
] as const)(
  'the fee of payments that share a transaction, %s; what the currency took of each is booked too',
  async (_, more, whole) => {
    const events = [await world.deposit(), await world.deposit()]
    const payouts = await Promise.all(events.map((event) => world.decide(event, 'fill')))
    await world.commit((client) => world.storeShared(client, payouts))
    const before = [await gas(), await taken()]
    const since = async () => [(await gas()) - (before[0] ?? 0n), (await taken()) - (before[1] ?? 0n)]
    const block = world.id()
    for (const hash of [block, block, world.id(), block]) {
      for (const event of events) await world.include(event, 'fill', hash, { ...more, currencyFee: 3n })
      expect(await since()).toEqual([whole, 6n])
      for (const event of events) await world.reorg(event, 'fill')
      expect(await since()).toEqual([0n, 0n])
    }
  },
)

/** What the currency of payments took of the wallet. */
const taken = async (): Promise<bigint> =>
  (await readLedgerBalances(world.pool))
    .filter((line) => line.account === 'gas' && line.currency === 'coin' && line.chainId === DESTINATION)
    .reduce((sum, { balance }) => sum + balance, 0n)
