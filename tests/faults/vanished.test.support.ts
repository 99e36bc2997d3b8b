import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { paymentsByOrder } from '../harness/database/books.js'
import { FakeSigner } from '../harness/fakeSigner.js'
import { type Deployment, type DeploymentOptions, startDeployment } from '../harness/host/deployment.js'
import {
  ether,
  type LocalNetwork,
  NATIVE,
  type NetworkChain,
  startLocalNetwork,
  userOf,
} from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** Deep enough that nothing is final before a test has made it leave its chain. */
export const SETTLE = 120

export let network: LocalNetwork
let database: TestDatabase
export let deployment: Deployment
/** Heights of destination and origin when a test began: nothing of its orders is below. */
let since: readonly number[] = []
export let payers: readonly [FakeSigner, FakeSigner]
export let origin: NetworkChain
export let destination: NetworkChain

export const start = async (more: Partial<DeploymentOptions>): Promise<void> => {
  deployment = await startDeployment({
    network,
    databaseUrl: database.url,
    signers: {
      [`payout.${origin.chain.chainId}`]: payers[0],
      [`payout.${destination.chain.chainId}`]: payers[1],
    },
    // Withdrawals of the solver are no part of it, and would be reorganized too.
    solver: { withdrawals: false },
    ...more,
  })
}

export const quote = (user: number, more: Partial<Parameters<typeof quoteTransfer>[1]> = {}): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('0.1'),
    recipient: freshAddress(),
    ...more,
  })

/** A deposit, and how it comes back once it was reorganized away. */
interface Vanishing {
  readonly txId: Hex
  /** Replaces its block and all later ones by empty blocks, and waits until the watcher knows. */
  vanish(): Promise<void>
  comeBack(): Promise<void>
}

const stateOf = async (txId: Hex): Promise<string | undefined> => {
  const { rows } = await deployment.pool.query<{ state: string }>('select state from deposits where tx_id = $1', [txId])
  return rows[0]?.state
}

const waitForState = (txId: Hex, state: string): Promise<true> =>
  until(`the deposit to be ${state}`, async () => ((await stateOf(txId)) === state ? true : null))

const vanishing = async (txId: Hex): Promise<Vanishing> => {
  const { chain } = origin
  const raw = await chain.rpc<Hex>('eth_getRawTransactionByHash', [txId])
  return {
    txId,
    vanish: async () => {
      await waitForState(txId, 'included')
      await reorgAway(origin, txId)
      await waitForState(txId, 'reorged')
    },
    comeBack: async () => {
      await chain.rpc('eth_sendRawTransaction', [raw])
      await waitForState(txId, 'included')
    },
  }
}

export const deposit = async (user: number, answer: QuoteAnswer): Promise<Vanishing> =>
  vanishing(await executeQuote(origin.chain, userOf(network, user), answer))

export const payoutOf = async (txId: Hex, purpose: string) => {
  const { rows } = await deployment.pool.query<{ state: string; attempts: number; stored: number; cancels: number }>(
    `select p.state, p.attempts, (select count(*)::int from payout_attempts a where a.payout_id = p.id) as stored,
       (select count(*)::int from payout_attempts a where a.payout_id = p.id and a.kind = 'cancel') as cancels
     from payouts p join deposits d on d.id = p.deposit_id where d.tx_id = $1 and p.purpose = $2`,
    [txId, purpose],
  )
  return rows[0]
}

export const waitForPayout = (
  txId: Hex,
  purpose: string,
  is: (payout: NonNullable<Awaited<ReturnType<typeof payoutOf>>>) => boolean,
) =>
  until(`the ${purpose}`, async () => {
    const payout = await payoutOf(txId, purpose)
    return payout !== undefined && is(payout) ? payout : null
  })

/** Decided, tried, and not signed. */
export const waitForRefusal = (txId: Hex, purpose: string) =>
  waitForPayout(txId, purpose, ({ state, attempts }) => state === 'ready' && attempts > 0)

/** Payments that the chains show for an order. */
export const paid = async ({ protocol }: QuoteAnswer) => {
  const { solver } = network.roles
  const [there, here] = await Promise.all(
    [destination, origin].map((item, at) => paymentsByOrder(item, solver.address, since[at])),
  )
  const { orderId } = protocol.v2
  return {
    fills: there?.get(orderId)?.fills ?? 0,
    refunds: here?.get(orderId)?.fills ?? 0,
    excess: here?.get(orderId)?.excess ?? 0,
  }
}

export const lost = async (): Promise<string> => {
  const { rows } = await deployment.pool.query<{ amount: string }>(
    `select coalesce(sum(amount), 0)::text as amount from ledger_entries where account = 'loss'`,
  )
  return rows[0]?.amount ?? ''
}

/** Starts two chains and a host whose signers can be away before the tests of a file, and stops them afterwards. */
export const useVanishing = (): void => {
  // One database for all: the books of a second one would not know what the first paid.
  beforeAll(async () => {
    network = await startLocalNetwork()
    ;[origin, destination] = network.chains
    database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
    const { privateKey } = network.roles.solver
    payers = [new FakeSigner(privateKey), new FakeSigner(privateKey)]
    await start({ settle: SETTLE })
  })
  beforeEach(async () => {
    since = await Promise.all(
      [destination, origin].map(async ({ chain }) => Number(await chain.rpc<string>('eth_blockNumber'))),
    )
  })
  afterEach(() => {
    for (const payer of payers) payer.fault = null
  })
  afterAll(async () => {
    await deployment?.kill()
    await database?.drop()
    await network?.close()
  })
}
