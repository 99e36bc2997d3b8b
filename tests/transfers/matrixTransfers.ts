import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { readRefundGas, readSettledBooks } from './chainBooks.js'
import { type Cell, DOLLAR, type MatrixKind } from './matrixCells.js'
import { type EndpointFront, type MatrixWorld, startMatrixWorld } from './matrixWorld.js'
import { currencyOf } from './servedChain.js'
import { Transfer } from './transfer.js'

/** A quote expires, so that each is paid before too many others are requested. */
const QUOTES_AT_ONCE = 12
/** All transfers share one host and its processors, so the last of many waits for the others. */
const endMs = (transfers: number): number => 75_000 + transfers * 1_500

/** Transfers that run at the same time over chains of these kinds. */
export interface MatrixPlan {
  readonly kinds: readonly MatrixKind[]
  /** One test each. */
  readonly cells: readonly Cell[]
  /** One test for all of them. */
  readonly crowd: readonly Cell[]
  /** Proxies between the host and the chains. */
  readonly front?: EndpointFront
  /** Called once the host runs, before the first transfer. */
  readonly begun?: () => void
}

/** Registers the tests of a plan: each transfer ends as its cell says, and the ledger agrees with every chain to the unit. */
export const testMatrix = ({ kinds, cells, crowd, front, begun }: MatrixPlan): void => {
  const all = [...cells, ...crowd]
  const limitMs = endMs(all.length)
  let world: MatrixWorld
  let transfers: ReadonlyMap<Cell, Promise<Transfer>>

  beforeAll(async () => {
    world = await startMatrixWorld(kinds, all, front)
    begun?.()
    const quoting = limitedTo(QUOTES_AT_ONCE)
    transfers = new Map(
      all.map((cell, at) => [cell, transferOf(world, { cell, dollars: 150n + BigInt(at), quoting, limitMs })]),
    )
    // Each is awaited by the test of its cell.
    for (const transfer of transfers.values()) transfer.catch(() => undefined)
  })
  afterAll(() => world?.close())

  const expectEnded = async (cell: Cell): Promise<void> => {
    const transfer = await transfers.get(cell)
    if (transfer === undefined) throw new Error(`${cell.name} was not started`)
    await (cell.end === 'success' ? expectFilled(transfer) : expectRefunded(world, transfer))
  }

  describe('value moves from every kind of chain to every kind, over HTTP, by plain wallets', {
    timeout: limitMs + 20_000,
  }, () => {
    it.each(cells)('$name', expectEnded)

    if (crowd.length > 0) {
      it(`${crowd.length} at once, each paid once`, async () => {
        for (const cell of crowd) await expectEnded(cell)
      })
    }
  })

  it('the books agree with all chains to the unit, each deposit had one payout and is taken out of its depository', async () => {
    await waitForQuiet(world.pool)
    const { code, output } = await world.command('ledger', 'check')
    expect(output).toContain('rules hold')
    expect(code).toBe(0)
    expect(await findWalletDifferences(world.pool)).toEqual([])
    const { chains, pool, api } = world
    const { lines, problems } = await readSettledBooks({ pool, chains, solvers: await api.solvers() })
    expect(problems).toEqual([])
    expect(lines.filter(({ account, real }) => account === 'depository' && real !== 0n)).toEqual([])
    // Once more, now that nothing is on its way: a second payment would show here.
    for (const [{ end }, transfer] of transfers) {
      if (end === 'success') await (await transfer).checkReceived()
      else await expectRefunded(world, await transfer)
    }
  })
}

/** Quotes and pays one transfer of an amount that no other has, and waits for its end. */
const transferOf = async (
  world: MatrixWorld,
  {
    cell,
    dollars,
    quoting,
    limitMs,
  }: { readonly cell: Cell; readonly dollars: bigint; readonly quoting: Limit; readonly limitMs: number },
): Promise<Transfer> => {
  const { from, to } = world.routeOf(cell)
  const { symbol, into, end } = cell
  const { decimals } = currencyOf(from, symbol)
  const kind = [cell.from, cell.to].find(({ testing }) => testing.native.symbol === symbol)
  const price = kind?.usd ?? DOLLAR.usd
  const plan = {
    ...{ from, to, symbol, payer: from.openWallet(world.nextUser(cell)) },
    amount: inWholeSteps((dollars * 10n ** BigInt(decimals)) / price, decimals),
    ...(into === symbol ? {} : { into }),
    ...(end === 'refund'
      ? { referrer: 'debug-force-refund', refundTo: await from.reader.freshAddress(currencyOf(from, symbol).address) }
      : {}),
  }
  const transfer = await quoting(async () => {
    const opened = await Transfer.open(world.api, plan)
    await opened.send()
    return opened
  })
  await transfer.waitFor(end, limitMs)
  return transfer
}

/** With 8 decimals at most: a ledger whose balances have 16 digits takes just that of a wallet. */
const inWholeSteps = (amount: bigint, decimals: number): bigint => {
  const step = 10n ** BigInt(Math.max(decimals - 8, 0))
  return amount - (amount % step)
}

type Limit = <T>(task: () => Promise<T>) => Promise<T>

/** Runs as many tasks at once; the others wait for their turn. */
const limitedTo = (size: number): Limit => {
  const lanes: Promise<unknown>[] = Array.from({ length: size }, () => Promise.resolve())
  let turn = 0
  return (task) => {
    const lane = turn++ % size
    const done = (lanes[lane] ?? Promise.resolve()).then(task)
    lanes[lane] = done.catch(() => undefined)
    return done
  }
}

/** The recipient has what was quoted, the payer paid that and no more, and the record tells the same (wire.md D.5). */
const expectFilled = async (transfer: Transfer): Promise<void> => {
  await transfer.checkReceived()
  await transfer.checkPaid()
  await transfer.checkRecord()
  expect(await transfer.to.reader.succeeded(transfer.payoutHash)).toBe(true)
}

/** The deposit is back less its gas, which the books tell, and nothing was paid out (wire.md E.5). */
const expectRefunded = async (world: MatrixWorld, transfer: Transfer): Promise<void> => {
  const { amountIn } = transfer
  const returned = await transfer.returned()
  expect(returned).toBeGreaterThan((amountIn * 8n) / 10n)
  expect(returned).toBeLessThanOrEqual(amountIn)
  expect(amountIn - returned).toBe(await readRefundGas(world.pool, transfer.requestId))
  expect(await transfer.received()).toBe(0n)
  await transfer.checkPaid()
  await transfer.checkRecord()
}
