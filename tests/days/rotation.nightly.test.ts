import { allowRouters } from '@causeway/chain-evm/testing'
import { RESTORED_HISTORY_SQL } from '@causeway/core/money-path'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOnChain, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import {
  type HostNetwork,
  type HostProcess,
  type HostProcessOptions,
  hostNetworkOf,
} from '../harness/host/hostProcess.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import type { QuoteAnswer } from '../harness/transfer.js'
import { depositFor, type OperatorsHost, openOperatorsHost, quoteOn, reached } from './operatorsHost.js'

const newAccount = () => {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as `0x${string}` }
}

const order = newAccount()
const next = newAccount()

let network: LocalNetwork
let database: TestDatabase
let operator: OperatorsHost
let host: HostProcess
/** All quoted before anything is changed. */
let quotes: readonly QuoteAnswer[]

// Many processes, one after the other, on a busy machine.
const LONG = 300_000

/** The second chain pays with the next key. */
const withNextKey = ({ chains, keys, environment, prices }: HostNetwork): HostNetwork => ({
  chains: chains.map((chain, at) =>
    at === 1 ? { ...chain, solver: next.address, formerSolvers: [network.roles.solver.address] } : chain,
  ),
  keys: { ...keys, payout: { ...keys.payout, [network.chains[1].chain.chainId]: { env: 'TEST_KEY_NEXT' } } },
  environment: { ...environment, TEST_KEY_NEXT: next.privateKey },
  prices,
})

/** The second chain is not quoted any more. */
const disabled = (given: HostNetwork): HostNetwork => ({
  ...given,
  chains: given.chains.map((chain, at) => (at === 1 ? { ...chain, enabled: false } : chain)),
})

const wallet = () => ({
  operators: [userOf(network, 5).address],
  allowed: [{ chainId: network.chains[1].chain.chainId, address: next.address }],
})

/** What the operator's command has: no key but that which signs orders. */
const desk = (host: HostNetwork): Partial<HostProcessOptions> => ({
  network: { ...host, environment: { TEST_KEY_OPERATOR: userOf(network, 5).privateKey } },
  roles: ['watcher'],
  config: { wallet: wallet(), keys: { payout: {}, operator: { env: 'TEST_KEY_OPERATOR' } } },
})

const paidBy = async (signer: string, { protocol }: QuoteAnswer): Promise<number> =>
  (await paymentsByOrder(network.chains[1], signer)).get(protocol.v2.orderId)?.fills ?? 0

const quoteOf = (at: number): QuoteAnswer => {
  const quote = quotes[at]
  if (quote === undefined) throw new Error(`There is no quote ${at}`)
  return quote
}

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [] })
  operator = openOperatorsHost({ network, databaseUrl: database.url, quote: { holdSeconds: 5 } })
  host = await operator.start()
  quotes = [await quoteOn(host, network, 0), await quoteOn(host, network, 1)]
}, LONG)
afterAll(async () => {
  await operator?.close()
  await database?.drop()
  await network?.close()
})

describe('the order key, and the payout key of a chain', () => {
  /** With the next order key. */
  const first = () => hostNetworkOf({ network: { ...network, roles: { ...network.roles, order } } })
  const last = () => withNextKey(first())

  it(
    'the order key is changed by a restart, and an order to a wallet allowed by another: quotes of before are filled',
    async () => {
      // As after a restore: from then on a lane without a journal reads all that its key sent.
      await operator.stop(host)
      await database.pool.query(RESTORED_HISTORY_SQL)
      host = await operator.start({ network: disabled(first()), config: { wallet: wallet() } })
      await depositFor(network, 0, quoteOf(0))
      await reached(host, quoteOf(0), 'success')
      await waitForQuiet(database.pool)
    },
    LONG,
  )

  it(
    'what the old wallet holds is ordered into the new one, tokens first; books and chains agree all the while',
    async () => {
      const old = network.roles.solver.address
      const ask = (words: string, code?: number) => operator.causewayWith(desk(first()), words, code)
      const sweep = (currency: string) =>
        ask(`wallet sweep lagoon ${currency} --to ${next.address} --reason rotation --yes`)
      expect(await ask('lanes')).toMatch(new RegExp(`lagoon +${old} +\\S+ +\\d+ +0 +0 +-`))
      const ordered = await Promise.all([sweep('USDC'), sweep('BUSD')])
      expect(ordered.join()).not.toMatch(/WARN|could not be read/)
      await waitForQuiet(database.pool)
      await sweep('ETH')
      await waitForQuiet(database.pool)
      const [listed, after] = await Promise.all([ask('wallet list --chain lagoon'), ask('ledger check')])
      expect(listed.match(/state +final/g)).toHaveLength(3)
      expect(after).toContain('rules hold')
      const { usdc, blockable } = network.chains[1]
      const left = [usdc, blockable].map((token) => balanceOnChain(network.chains[1], old, token))
      expect(await Promise.all(left)).toEqual([0n, 0n])
      expect(await balanceOnChain(network.chains[1], old, NATIVE)).toBeLessThan(ether('0.001'))
    },
    LONG,
  )

  it(
    'the new key gives allowances, then pays quotes of before and new ones; only what the old wallet holds is missing from the books',
    async () => {
      const ask = (words: string, code?: number) => operator.causewayWith(desk(last()), words, code)
      await operator.stop(host)
      const { chain, usdc, blockable, fillRouter } = network.chains[1]
      await allowRouters(chain, next, { tokens: [usdc, blockable], routers: [fillRouter] })
      host = await operator.start({ network: last(), config: { wallet: wallet() } })
      const approve = ask('wallet approve lagoon USDC 1000 --contract fill-router --reason rotation --yes')
      await depositFor(network, 1, quoteOf(1))
      await reached(host, quoteOf(1), 'success')
      const quoted = await quoteOn(host, network, 2)
      await depositFor(network, 2, quoted)
      await reached(host, quoted, 'success')
      await approve
      await waitForQuiet(database.pool)
      for (const quote of [quoteOf(1), quoted])
        expect([await paidBy(network.roles.solver.address, quote), await paidBy(next.address, quote)]).toEqual([0, 1])
      const [lanes, inventory] = await Promise.all([ask('lanes'), ask('inventory --chain lagoon')])
      expect(lanes).toMatch(new RegExp(`lagoon +${next.address} +open`))
      expect(lanes).toMatch(
        new RegExp(
          `lagoon +${network.roles.solver.address} +no-key.*\n +a payout key of before: nothing of it is open`,
        ),
      )
      expect(lanes).not.toContain('formerSolvers')
      const [, missing = ''] = /DIFFERENCE +-(\S+) ETH/.exec(inventory) ?? []
      const left = await balanceOnChain(network.chains[1], network.roles.solver.address, NATIVE)
      expect(ether(missing)).toBe(left)
      expect(inventory).toContain('MISSING and not booked')
      await ask(`inventory correct lagoon ETH ${missing} --missing --reason "left in the old wallet" --yes`)
      expect(await ask('ledger check')).toContain('rules hold')
    },
    LONG,
  )
})
