import { coreMigrations } from '@causeway/core/host'
import { RESTORED_HISTORY_SQL, type WalletPolicy } from '@causeway/core/money-path'
import { createPool } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { formatEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAt, textAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type DatabaseCopies, databaseCopies } from '../harness/database/databaseCopies.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  nativeTransfer,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type OperatorDesk, openDesk } from '../operator/operatorDesk.js'
import { walletDesk } from '../operator/walletDesk.js'

const YES = { yes: true, reason: 'rotated the payout key' }

const privateKey = generatePrivateKey()
const next = { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as `0x${string}` }

let network: LocalNetwork
/** The same with the next payout key. */
let rotated: LocalNetwork
let database: TestDatabase
let copies: DatabaseCopies
let older: string
let oldest: string
let deployment: Deployment
let desk: OperatorDesk
/** Quoted before the backup; paid after it by the old key, and by the next one. */
let byOld: QuoteAnswer
let byNext: QuoteAnswer
/** Quoted and paid after it, by the old key. */
let forgotten: QuoteAnswer

const quote = (user: number): Promise<QuoteAnswer> => quoteTransfer(deployment.engine, nativeTransfer(network, user))

const pay = async (user: number, item: QuoteAnswer): Promise<void> => {
  await executeQuote(network.chains[0].chain, userOf(network, user), item)
  await waitForStatus(deployment.requests, item.requestId, ['success'])
}

const policy = (): WalletPolicy => ({
  operators: [userOf(network, 5).address],
  allowed: network.chains.map(({ chain }) => ({ chainId: chain.chainId, address: next.address })),
})

/** Everything to the next wallet, by the commands. */
const sweep = async (): Promise<void> => {
  const wallet = walletDesk(deployment, { key: userOf(network, 5), wallet: policy() })
  for (const currencies of [['USDC', 'BUSD'], ['ETH']]) {
    for (const { slug } of network.chains)
      for (const currency of currencies) await wallet('sweep', [slug, currency], { ...YES, to: next.address })
    await waitForQuiet(deployment.pool)
  }
}

/** How often each order was paid on its destination, by either key. */
const fills = async (): Promise<number[]> => {
  const [, destination] = network.chains
  const paid = await Promise.all(
    [network.roles.solver, next].map(({ address }) => paymentsByOrder(destination, address)),
  )
  return [byOld, byNext, forgotten].map(({ protocol }) =>
    paid.reduce((sum, of) => sum + (of.get(protocol.v2.orderId)?.fills ?? 0), 0),
  )
}

/** By how much native currency the wallet of the present key differs from the books, by chain; no other currency does. */
const differences = async (): Promise<bigint[]> => {
  const lines = listAt(await desk.json('inventory'), 'chains').flatMap((chain) =>
    listAt(chain, 'currencies').map((item) => ({
      symbol: textAt(item, 'currency.symbol'),
      difference: BigInt(textAt(item, 'difference')),
    })),
  )
  expect(lines.filter(({ symbol, difference }) => symbol !== 'ETH' && difference !== 0n)).toEqual([])
  return lines.filter(({ symbol }) => symbol === 'ETH').map(({ difference }) => difference)
}

const markRestored = async (connectionString: string): Promise<void> => {
  const pool = createPool({ connectionString, max: 1, applicationName: 'causeway test' })
  await pool.query(RESTORED_HISTORY_SQL).finally(() => pool.end())
}

const LONG = 120_000

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  rotated = { ...network, roles: { ...network.roles, solver: next } }
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  copies = databaseCopies(database)
  deployment = await startDeployment({ network, databaseUrl: database.url })
  byOld = await quote(0)
  byNext = await quote(1)
  await deployment.kill()
  older = await copies.take()
  oldest = await copies.take()
  deployment = await startDeployment({ network, databaseUrl: database.url, wallet: policy() })
}, LONG)
afterAll(async () => {
  await deployment?.kill()
  await copies?.drop()
  await database?.drop()
  await network?.close()
})

describe('a payout key that was changed', () => {
  it(
    'has its money booked out of the old wallet and into the new one: what is left there is all that books and chains differ by',
    async () => {
      forgotten = await quote(2)
      await pay(0, byOld)
      await pay(2, forgotten)
      await waitForQuiet(deployment.pool)
      // What the quotes hold runs out after half a minute.
      await deployment.pool.query('delete from hold_slots')
      await sweep()
      expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
      await deployment.kill()
      deployment = await startDeployment({ network: rotated, databaseUrl: database.url })
      desk = openDesk(deployment)
      await pay(1, byNext)
      await waitForQuiet(deployment.pool)
      const left = await Promise.all(
        network.chains.map((item) => balanceOnChain(item, network.roles.solver.address, NATIVE)),
      )
      expect(await differences()).toEqual(left.map((amount) => -amount))
      for (const amount of left) expect(amount).toBeLessThan(ether('0.001'))
    },
    LONG,
  )
})

describe('F120: a database put back that knows nothing of the change', () => {
  it(
    'pays nothing by the old key: the orders that moved its money keep its lanes shut, and say what to do',
    async () => {
      await deployment.kill()
      await markRestored(older)
      deployment = await startDeployment({ network, databaseUrl: older })
      await until('both lanes to be shut', async () => {
        const { rows } = await deployment.pool.query<{ shut: number }>(
          `select count(*)::int as shut from lanes where state = 'quarantined'`,
        )
        return rows[0]?.shut === 2 ? true : null
      })
      const said = await deployment.command('lanes inspect', [network.chains[1].slug])
      expect(said.join('\n')).toContain('name the next key in the configuration, and release nothing')
      expect(await fills()).toEqual([1, 1, 1])
    },
    LONG,
  )

  it(
    'pays nobody again, neither what the old key paid nor what the new one did',
    async () => {
      await deployment.kill()
      deployment = await startDeployment({ network: rotated, databaseUrl: older })
      desk = openDesk(deployment)
      for (const item of [byOld, byNext]) await waitForStatus(deployment.requests, item.requestId, ['success'])
      expect(await fills()).toEqual([1, 1, 1])
      const parked = await until('the forgotten deposit to be parked, with what paid it', async () => {
        const deposits = listAt(await desk.json('parked list'), 'deposits')
        const found = deposits.find((deposit) => textAt(deposit, 'orderId') === forgotten.protocol.v2.orderId)
        return found !== undefined && listAt(found, 'paidBy').length === 1 ? found : null
      })
      const paidBy = textAt(parked, 'paidBy.0.txId')
      await desk.run('parked close', [textAt(parked, 'depositId')], { ...YES, paidBy })
      // The orders that moved the money, which no deposit is behind.
      const released = network.chains.map(({ slug }) =>
        deployment.command('lanes release', [slug, network.roles.solver.address], { ...YES, all: true }),
      )
      for (const said of await Promise.all(released)) expect(said.join()).toMatch(/Released 3 transaction/)
      // A correction is refused while a lane is shut: what it has not read may explain the difference.
      await until('every lane to be open', async () => {
        const { rows } = await deployment.pool.query<{ shut: number }>(
          `select (count(*) filter (where state <> 'open'))::int as shut from lanes`,
        )
        return rows[0]?.shut === 0 ? true : null
      })
      await waitForQuiet(deployment.pool)
      expect(await fills()).toEqual([1, 1, 1])
      for (const [at, difference] of (await differences()).entries()) {
        expect(difference).toBeLessThan(0n)
        expect(difference).toBeGreaterThan(-ether('0.001'))
        const { slug } = network.chains[at] ?? network.chains[0]
        await desk.run('inventory correct', [slug, 'ETH', formatEther(-difference)], { ...YES, missing: true })
      }
      expect(await desk.json('ledger check')).toMatchObject({ ok: true })
    },
    LONG,
  )

  it(
    'pays nobody again by a third key, which is told of the one before it',
    async () => {
      await deployment.kill()
      await markRestored(oldest)
      const third = generatePrivateKey()
      const last = { privateKey: third, address: privateKeyToAddress(third).toLowerCase() as `0x${string}` }
      for (const { chain } of network.chains) {
        const gift = await chain.send(userOf(network, 3), { to: last.address, data: '0x', value: ether('1') })
        await receiptOf(chain, gift)
      }
      const [, destination] = network.chains
      // What looks like a payment of ours keeps its lane shut.
      const strange = { to: freshAddress(), data: `0x${'77'.repeat(32)}`, value: 1n } as const
      await receiptOf(destination.chain, await destination.chain.send(last, strange))
      deployment = await startDeployment({
        network: { ...network, roles: { ...network.roles, solver: last } },
        databaseUrl: oldest,
        formerSolvers: [next.address],
      })
      desk = openDesk(deployment)
      await until('the forgotten deposit to be shown with what paid it', async () => {
        const deposits = listAt(await desk.json('parked list'), 'deposits')
        const found = deposits.find((deposit) => textAt(deposit, 'orderId') === forgotten.protocol.v2.orderId)
        return found !== undefined && listAt(found, 'paidBy').length === 1 ? found : null
      })
      const { rows } = await deployment.pool.query('select state from lanes where signer = $1 and chain_id = $2', [
        last.address,
        destination.chain.chainId,
      ])
      expect(rows).toEqual([{ state: 'quarantined' }])
      await deployment.command('lanes release', [destination.slug, last.address], { ...YES, all: true })
      for (const item of [byOld, byNext]) await waitForStatus(deployment.requests, item.requestId, ['success'])
      const paid = await paymentsByOrder(destination, last.address)
      const ours = [byOld, byNext, forgotten].map(({ protocol }) => paid.get(protocol.v2.orderId)?.fills ?? 0)
      expect([await fills(), ours]).toEqual([
        [1, 1, 1],
        [0, 0, 0],
      ])
    },
    LONG,
  )
})
