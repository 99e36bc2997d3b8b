import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { createPool } from '@causeway/core/plugin'
import type { Pool } from 'pg'
import type { HostProcess } from '../../harness/host/hostProcess.js'
import type { NetworkChain } from '../../harness/localNetwork.js'
import { freshAddress } from '../../harness/transfer.js'
import { type BenchWorld, waitUntilQuoting } from '../benchWorld.js'
import { Depositor } from '../depositor.js'
import { PaymentWatch } from '../paymentWatch.js'
import { askQuote } from '../quoteRequests.js'

const USER = 5

/** A host that gives addresses, its origin behind a proxy that counts calls, and who pays to them. */
export interface AddressBench {
  readonly world: BenchWorld
  readonly host: HostProcess
  readonly pool: Pool
  readonly origin: NetworkChain
  readonly calls: FaultProxy['calls']
  readonly payer: Depositor
  /** What comes into the depository, and what recipients get. */
  readonly swept: PaymentWatch
  readonly filled: PaymentWatch
  close(): Promise<void>
}

export const openAddressBench = async (world: BenchWorld): Promise<AddressBench> => {
  const [origin, destination] = world.network.chains
  const user = world.network.users[USER]
  if (user === undefined) throw new Error('The network has too few users')
  const databaseUrl = await world.createDatabase()
  const proxy = await startFaultProxy(origin.chain.rpcUrl)
  const rpcUrls = { [origin.chain.chainId]: proxy.url }
  const host = await world.startHost({ databaseUrl, addresses: true, rpcUrls })
  await waitUntilQuoting(world, host.url)
  const pool = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'causeway bench' })
  const [swept, filled] = await Promise.all([PaymentWatch.open(origin), PaymentWatch.open(destination)])
  return {
    ...{ world, host, pool, origin, swept, filled },
    calls: proxy.calls,
    payer: await Depositor.open(origin.chain, user, origin.usdc, origin.depository),
    close: async () => {
      swept.close()
      filled.close()
      await pool.end()
      await world.stopHost(host)
      await proxy.close()
    },
  }
}

export const AMOUNT = 10_000_000n

/** Ten dollars to an address of its own, or by a deposit of the user's. */
export const addressBody = ({ origin, world, payer }: AddressBench, recipient: string, useDepositAddress = true) =>
  JSON.stringify({
    user: payer.user,
    recipient,
    originChainId: origin.chain.chainId,
    destinationChainId: world.network.chains[1].chain.chainId,
    originCurrency: origin.usdc,
    destinationCurrency: world.network.chains[1].usdc,
    amount: AMOUNT.toString(),
    tradeType: 'EXACT_INPUT',
    refundTo: payer.user,
    ...(useDepositAddress ? { useDepositAddress } : {}),
  })

export interface GivenAddress {
  readonly requestId: Hex
  readonly address: string
  readonly recipient: Hex
}

export const giveAddress = async (bench: AddressBench): Promise<GivenAddress> => {
  const recipient = freshAddress()
  // CAST: the fields are the quote schema's.
  const { requestId, steps } = JSON.parse(await askQuote(bench.host.url, addressBody(bench, recipient))) as {
    requestId: Hex
    steps: readonly { depositAddress: string }[]
  }
  const address = steps[0]?.depositAddress
  if (address === undefined) throw new Error('The quote has no address')
  return { requestId, address, recipient }
}

/** Resident memory of the host, MB, and the longest delay of its event loop since the last time, ms. */
export const readHost = async ({ host }: AddressBench): Promise<{ megabytes: number; delayMs: number }> => {
  const text = await (await fetch(`${host.url}/metrics`)).text()
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    megabytes: read('process_resident_memory_bytes') / 1_000_000,
    delayMs: read('nodejs_eventloop_lag_max_seconds') * 1_000,
  }
}
