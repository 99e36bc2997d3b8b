import type { DepositEvent, Json, WatchPage } from '../../chain/chainAdapter.js'
import type { Hex } from '../../money/hex.js'
import { type ConformanceCase, type ConformanceHarness, check, newOrderId, watchUntil } from './conformanceHarness.js'

const depositsOf = (pages: readonly WatchPage[], orderId: Hex): DepositEvent[] =>
  pages.flatMap(({ deposits }) => deposits).filter((deposit) => deposit.orderId === orderId)

const keyOf = (deposit: DepositEvent): string => `${deposit.tx.id}:${deposit.position}`

/** The newest cursor, read once from nothing. */
const tipCursor = async ({ adapter, advance }: ConformanceHarness): Promise<Json> => {
  const tip = (await adapter.tip()).height
  await advance(1)
  const pages = await watchUntil(adapter, null, (read) => (read.at(-1)?.height ?? -1n) >= tip)
  return pages.at(-1)?.cursor ?? null
}

/** Sends every step of a deposit; returns the id of the last transaction. */
const deposit = async (
  { adapter, user, amount }: ConformanceHarness,
  currency: string,
  orderId: Hex,
): Promise<string> => {
  const items = await adapter.buildDeposit({
    from: user.address,
    money: { currency, amount },
    orderId,
    explicitDeposit: true,
  })
  let last = ''
  for (const item of items) last = await user.send(item.data)
  return last
}

/** Deposits: the steps work as they are, and the watcher sees each deposit, once, with what it carries. */
export const depositCases = (harness: ConformanceHarness): ConformanceCase[] => [
  ...harness.currencies.map(
    (currency): ConformanceCase => ({
      name: `deposits of ${currency}: every step can be sent, and the watcher finds the deposit with its order (wire.md 1.4)`,
      run: async () => {
        const { adapter, user, amount } = harness
        const cursor = await tipCursor(harness)
        const orderId = newOrderId()
        const txId = await deposit(harness, currency, orderId)
        const pages = await watchUntil(adapter, cursor, (read) => depositsOf(read, orderId).length > 0)
        const [found] = depositsOf(pages, orderId)
        check(found !== undefined && found.tx.id === txId, `found in ${found?.tx.id}, sent in ${txId}`)
        check(found?.money.currency === currency && found.money.amount === amount, 'credits another amount or currency')
        check(found !== undefined && adapter.sameAddress(found.depositor, user.address), 'names another depositor')
        check(found?.block !== null && found?.state === 'included', 'has no block')
      },
    }),
  ),
  {
    name: 'watching again from a stored cursor leaves no gap and gives a deposit the same identity (design 3, step 2)',
    run: async () => {
      const { adapter, currencies } = harness
      const cursor = await tipCursor(harness)
      const orders = [newOrderId(), newOrderId()]
      for (const orderId of orders) await deposit(harness, currencies[0] ?? '', orderId)
      const all = (pages: readonly WatchPage[]) => orders.every((orderId) => depositsOf(pages, orderId).length > 0)
      const first = await watchUntil(adapter, cursor, all)
      const again = await watchUntil(adapter, cursor, all)
      for (const orderId of orders) {
        const identities = new Set([...depositsOf(first, orderId), ...depositsOf(again, orderId)].map(keyOf))
        check(identities.size === 1, `order ${orderId} has ${identities.size} identities`)
      }
    },
  },
  {
    name: 'a stored deposit is confirmed by an endpoint, an invented one is not (invariant 3)',
    run: async () => {
      const { adapter, currencies } = harness
      const cursor = await tipCursor(harness)
      const orderId = newOrderId()
      await deposit(harness, currencies[0] ?? '', orderId)
      const pages = await watchUntil(adapter, cursor, (read) => depositsOf(read, orderId).length > 0)
      const [found] = depositsOf(pages, orderId)
      if (found === undefined) throw new Error('the deposit was not found')
      check(await adapter.confirmDeposit(found, { agreeing: 1 }), 'does not confirm a real deposit')
      const larger = { ...found, money: { ...found.money, amount: found.money.amount + 1n } }
      check(!(await adapter.confirmDeposit(larger, { agreeing: 1 })), 'confirms a larger amount than was deposited')
    },
  },
  ...(harness.reorg === null ? [] : [reorgCase(harness, harness.reorg)]),
]

const reorgCase = (harness: ConformanceHarness, reorg: (depth: number) => Promise<void>): ConformanceCase => ({
  name: 'a deposit that leaves the chain is reported: the watcher rewinds, and a second look does not find it (wire.md K.2 6)',
  run: async () => {
    const { adapter, currencies, advance } = harness
    const cursor = await tipCursor(harness)
    const orderId = newOrderId()
    await deposit(harness, currencies[0] ?? '', orderId)
    const pages = await watchUntil(adapter, cursor, (read) => depositsOf(read, orderId).length > 0)
    const [found] = depositsOf(pages, orderId)
    if (found === undefined || found.block === null) throw new Error('the deposit was not found')
    const tip = await adapter.tip()
    await reorg(Number(tip.height - found.block.height) + 1)
    await advance(1)
    const { height } = found.block
    await watchUntil(adapter, pages.at(-1)?.cursor ?? null, (read) =>
      read.some(({ rewoundTo }) => rewoundTo !== null && rewoundTo < height),
    )
    const [evidence] = await adapter.recheckDeposits([{ tx: found.tx, position: found.position }])
    check(evidence?.finding === 'missing', `a second look finds it ${evidence?.finding}`)
  },
})
