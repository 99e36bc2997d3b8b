import { testTokenAbi } from '@causeway/contracts-abi'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOnChain, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import type { HostProcess, HostProcessOptions } from '../harness/host/hostProcess.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork } from '../harness/localNetwork.js'
import { type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { depositFor, type OperatorsHost, openOperatorsHost, quoteOn, reached } from './operatorsHost.js'

const newAccount = () => {
  const privateKey = generatePrivateKey()
  return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as `0x${string}` }
}

let network: LocalNetwork
let database: TestDatabase
let operator: OperatorsHost
let host: HostProcess

// Many processes, one after the other, on a busy machine.
const LONG = 300_000

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  database = await createTestDatabase({ packages: [] })
  operator = openOperatorsHost({ network, databaseUrl: database.url })
  host = await operator.start()
})
afterAll(async () => {
  await operator?.close()
  await database?.drop()
  await network?.close()
})

const restartWith = async (more: Partial<HostProcessOptions>): Promise<void> => {
  await operator.stop(host)
  host = await operator.start(more)
}

const paidBy = async (signer: string, { protocol }: QuoteAnswer): Promise<number> =>
  (await paymentsByOrder(network.chains[1], signer)).get(protocol.v2.orderId)?.fills ?? 0

describe('the order key', () => {
  it(
    'is changed by a restart: quotes that the old one signed are still filled',
    async () => {
      const quote = await quoteOn(host, network, 0)
      const changed = { ...network, roles: { ...network.roles, order: newAccount() } }
      await restartWith({ network: changed })
      await depositFor(network, 0, quote)
      await reached(host, quote, 'success')
      const next = await quoteOn(host, network, 1)
      await depositFor(network, 1, next)
      await reached(host, next, 'success')
    },
    LONG,
  )
})

describe('a payout key', () => {
  it(
    'is changed when nothing of the old one is on its way, its money moved and booked; quotes of before are filled by the new one',
    async () => {
      const old = network.roles.solver
      const next = newAccount()
      const quote = await quoteOn(host, network, 2)
      await waitForQuiet(database.pool)
      expect(await operator.causeway('lanes')).not.toMatch(/quarantined|settling/)
      expect(await operator.causeway('ledger check')).toContain('rules hold')
      await operator.stop(host)
      const rotated = { network: { ...network, roles: { ...network.roles, solver: next } } }
      for (const item of network.chains) {
        for (const token of [item.usdc, item.blockable]) {
          const amount = await balanceOnChain(item, old.address, token)
          const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [next.address, amount] })
          await receiptOf(item.chain, await item.chain.send(old, { to: token, data }))
        }
        const value = (await balanceOnChain(item, old.address, NATIVE)) - ether('0.01')
        await receiptOf(item.chain, await item.chain.send(old, { to: next.address, value }))
      }
      host = await operator.start(rotated)
      const ask = (words: string, code?: number) => operator.causewayWith(rotated, words, code)
      await until('the lanes of the new key to be open', async () => {
        const open = (await ask('lanes')).match(new RegExp(`${next.address} +open`, 'g'))
        return open?.length === 2 ? true : null
      })
      await depositFor(network, 2, quote)
      await reached(host, quote, 'success')
      await waitForQuiet(database.pool)
      expect([await paidBy(old.address, quote), await paidBy(next.address, quote)]).toEqual([0, 1])
      // The gas of moving it and what was left behind: only the exact difference is taken.
      expect(await ask('ledger check', 1)).toContain('WRONG wallet-balance: 2 cases')
      const missing = [...(await ask('inventory')).matchAll(/DIFFERENCE +-(\S+) ETH/g)].map(([, amount]) => amount)
      for (const [at, amount] of missing.entries()) {
        const { slug } = network.chains[at] ?? network.chains[0]
        await ask(`inventory correct ${slug} ${NATIVE} ${amount} --missing --reason "rotated the payout key" --yes`)
      }
      expect(await ask('ledger check')).toContain('rules hold')
    },
    LONG,
  )
})
