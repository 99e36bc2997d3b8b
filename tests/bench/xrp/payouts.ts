import { Client, type Payment, Wallet } from 'xrpl'
import { startHostProcess } from '../../harness/host/hostProcess.js'
import { createApiKey } from '../../harness/host/operatorCommand.js'
import type { Cell, MatrixKind } from '../../transfers/matrixCells.js'
import { closeChains, type MatrixChain, networkOf, startChains } from '../../transfers/matrixChains.js'
import { chainTestingOf } from '../../transfers/servedChain.js'
import { UserClient } from '../../transfers/userClient.js'
import type { BenchWorld } from '../benchWorld.js'
import { interleave, percentile } from '../rounds.js'
import type { Measurement } from '../table.js'

const PACKAGE = '@causeway/chain-xrpvm'
/** As configured by nobody: polling explains nothing that is faster. */
const POLL_MS = 1_000
const DROPS = 20_000_000n
const FUNDS = 1_000_000_000_000n
const LIMIT_MS = 50
const PATIENCE_MS = 60_000

/** A ledger and somebody who hears all of it. */
interface Heard {
  readonly chain: MatrixChain
  readonly client: Client
}

/** Who pays on both ledgers as barely as possible. */
interface Script {
  readonly payer: Wallet
  readonly till: string
}

/** (u) From a validated deposit on one XRP Ledger until the payout is submitted to another one, less what a bare script takes. */
export const measurePayouts = async (world: BenchWorld): Promise<Measurement[]> => {
  const { scale, say } = world
  const kind: MatrixKind = { package: PACKAGE, usd: 2n, testing: await chainTestingOf(PACKAGE) }
  const user: Cell = { from: kind, to: kind, symbol: 'XRP', into: 'XRP', end: 'success', name: 'bench' }
  const chains = await startChains([kind], [user])
  const heard: Heard[] = []
  try {
    for (const chain of chains) heard.push(await listen(chain))
    const [origin, destination] = heard
    if (origin === undefined || destination === undefined) throw new Error('There are no two ledgers')
    const measure = await serve(world, kind, { origin, destination })
    const bare = await startScript(origin, destination)
    const contestants = {
      causeway: () => sampled(scale.transfersPerRound, measure.transfer),
      floor: () => sampled(scale.transfersPerRound, bare),
    }
    try {
      await contestants.floor()
      await contestants.causeway()
      const { causeway, floor } = await interleave(scale.rounds, contestants, (round) =>
        say(`payouts on the XRP Ledger: round ${round + 1}`),
      )
      return verdictOf(causeway.p50 ?? Number.NaN, floor.p50 ?? Number.NaN)
    } finally {
      await measure.close()
    }
  } finally {
    for (const { client } of heard) await client.disconnect()
    await closeChains(chains)
  }
}

const verdictOf = (value: number, floor: number): Measurement[] => [
  {
    case: 'u',
    what: 'deposit validated to payout submitted on the XRP Ledger, p50',
    unit: 'ms',
    value,
    floor,
    floorIs: 'a script that hears the same stream and pays',
  },
  {
    case: 'u',
    what: 'of that added by the service on the XRP Ledger, p50',
    unit: 'ms',
    value: Math.max(0.1, value - floor),
    target: { of: 'value', limit: LIMIT_MS, better: 'less' },
  },
]

const sampled = async (count: number, take: () => Promise<number>): Promise<Record<string, number>> => {
  const times = new Float64Array(count)
  for (let index = 0; index < count; index += 1) times[index] = await take()
  times.sort()
  return { p50: percentile(times, 0.5) }
}

const listen = async (chain: MatrixChain): Promise<Heard> => {
  const { http, ws = http.replace(/^http/, 'ws') } = chain.local.endpoint
  const client = new Client(ws)
  await client.connect()
  await client.request({ command: 'subscribe', streams: ['transactions_proposed'] })
  return { chain, client }
}

/** When the first transaction to an account was heard of: as soon as it is submitted, or once it is validated. */
const arrival = ({ client }: Heard, account: string, wanted: 'submitted' | 'validated'): Promise<number> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Nothing to ${account} was ${wanted} in time`)), PATIENCE_MS)
    const hear = ({ tx_json, validated }: { readonly tx_json?: object; readonly validated?: boolean }) => {
      if (validated !== (wanted === 'validated') || Reflect.get(tx_json ?? {}, 'Destination') !== account) return
      clearTimeout(timer)
      client.off('transaction', hear)
      resolve(performance.now())
    }
    client.on('transaction', hear)
  })

type Between = { readonly origin: Heard; readonly destination: Heard }

/** A host over both ledgers; `transfer` is the milliseconds of one. */
const serve = async ({ createDatabase, scale }: BenchWorld, kind: MatrixKind, { origin, destination }: Between) => {
  const made = [origin.chain, destination.chain]
  const configured = networkOf([kind], made)
  const network = {
    ...configured,
    chains: configured.chains.map((chain) => ({
      ...chain,
      options: { ...Object(chain.options), pollIntervalMs: POLL_MS },
    })),
  }
  const databaseUrl = await createDatabase()
  const host = await startHostProcess({
    ...{ network, databaseUrl, longLife: scale.longLife },
    solver: { withdrawals: false },
  })
  const apiKey = await createApiKey({ network, databaseUrl })
  for (const { address } of origin.chain.users) await origin.chain.local.fund(address, FUNDS)
  const walletKeys = Object.fromEntries(made.map(({ id, users }) => [id, users.map(({ walletKey }) => walletKey)]))
  const client = await UserClient.open({ host: network, walletKeys }, { url: host.url, apiKey })
  return {
    transfer: async (): Promise<number> => {
      const recipient = Wallet.generate().classicAddress
      const request = { from: origin.chain.id, to: destination.chain.id, symbol: 'XRP', amount: DROPS, recipient }
      const quote = await client.quote(request)
      const validated = arrival(origin, origin.chain.deployment.depository, 'validated')
      const submitted = arrival(destination, recipient, 'submitted')
      await client.pay(quote, request)
      const [from, until] = await Promise.all([validated, submitted])
      await client.waitFor(quote.requestId, ['success'])
      return until - from
    },
    close: async () => {
      host.signal('SIGTERM')
      await host.ended
    },
  }
}

/** Milliseconds of the same by a script that has nothing left to ask once it hears of a payment. */
const startScript = async (origin: Heard, destination: Heard): Promise<() => Promise<number>> => {
  const script: Script = { payer: Wallet.generate(), till: Wallet.generate().classicAddress }
  for (const { chain } of [origin, destination]) await chain.local.fund(script.payer.classicAddress, FUNDS)
  await origin.chain.local.fund(script.till, FUNDS)
  const paymentTo = (Destination: string): Payment => ({
    TransactionType: 'Payment',
    Account: script.payer.classicAddress,
    Destination,
    Amount: DROPS.toString(),
  })
  return async () => {
    const recipient = Wallet.generate().classicAddress
    const filled = await destination.client.autofill(paymentTo(recipient))
    const deposit = script.payer.sign(await origin.client.autofill(paymentTo(script.till)))
    const validated = arrival(origin, script.till, 'validated')
    const submitted = arrival(destination, recipient, 'submitted')
    const landed = arrival(destination, recipient, 'validated')
    await origin.client.submit(deposit.tx_blob)
    const from = await validated
    await destination.client.submit(script.payer.sign(filled).tx_blob)
    const until = await submitted
    await landed
    return until - from
  }
}
