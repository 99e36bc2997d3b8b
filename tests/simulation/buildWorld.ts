import type { KeyPurpose } from '@causeway/core/chain'
import { EnvironmentKeys } from '@causeway/core/host'
import type { BalanceCurrency, Chain, Keys } from '@causeway/core/plugin'
import { pino } from 'pino'
import { simTransport, type Way } from './chain/node/simTransport.js'
import { createSimChain, SIM_PRICES } from './chain/simChain.js'
import { simKey } from './chain/simKeys.js'
import { SimLedger } from './chain/simLedger.js'
import { SimUser } from './chain/simUser.js'
import { type Climate, climateOf, limitsOf } from './climate.js'
import { type Query, queryOver } from './database/query.js'
import { putBack, type Snapshot, takeSnapshot } from './database/snapshot.js'
import type { WorldFiles } from './database/worldDatabase.js'
import { focusOf } from './focus.js'
import { BALANCE_WALLETS } from './host/balanceWallets.js'
import { HostPlace } from './host/hostPlace.js'
import { Operator } from './host/operator.js'
import { CALLER, FUNDING_WALLET } from './host/simHost.js'
import { Kernel } from './kernel/kernel.js'
import { seeded } from './kernel/random.js'
import type { SimDatabase } from './kernel/simDatabase.js'
import { currentProcess, SimProcess } from './kernel/simProcess.js'
import { BEGINNING, World } from './world.js'

export interface BuildDeps {
  /** Kept from seed to seed. */
  readonly database: SimDatabase
  readonly databaseUrl: string
  readonly files: WorldFiles
  /** The database as every world finds it. */
  readonly fresh: Snapshot
  /** Where lines of the hosts' logs go; none by default. */
  readonly log?: ((line: string) => void) | undefined
}

/** Between two blocks, milliseconds. */
const BLOCK_MS = 1_500
const SETTLE = 4
const LEASE_MS = 9_000
const USERS = 4
const WEALTH = 10n ** 12n
/** What the key that sends calls has. */
const GAS = 10n ** 9n

/** A world as it begins: two ledgers, two hosts that start, users with money. */
export const buildWorld = async (seed: number, deps: BuildDeps): Promise<World> => {
  const { database, files } = deps
  const query = queryOver(await database.side())
  await putBack(query, deps.fresh)
  await linkFunding(query)
  // Its chances begin anew too, or a world would depend on those before it.
  await query(`select setval('sim.chances', 1, false)`)
  const random = seeded(seed)
  const kernel = new Kernel({
    random: random.fork('order of events'),
    database,
    origin: BEGINNING,
    timeFile: files.time,
  })
  const process = new SimProcess('world', random.fork('world'))
  const climate = climateOf(seed)
  let world: World
  const ledgers = openLedgers(kernel, process, () => world.noteDeposits())
  const users = Array.from({ length: USERS }, (_, at) => new SimUser(String(at + 1)))
  endow(ledgers, users, climate)
  const hostDeps = {
    kernel,
    databaseUrl: deps.databaseUrl,
    openChains: () => openChains(ledgers, kernel, process, climate),
    keys: keysOf(ledgers, climate),
    leaseMs: LEASE_MS,
    addresses: climate.addresses,
    balances: climate.balances ? balanceCurrencyOf(ledgers) : null,
    permits: climate.permits,
    unpaidCapUsd: climate.unpaidCapUsd,
    signersAway: () => world.signersAway,
    priceOf: (symbol: string) => (symbol === 'COIN' ? world.coinPrice : (SIM_PRICES[symbol] ?? '')),
    log: deps.log && ((line: string) => deps.log?.(`${(kernel.time.now / 1000).toFixed(3)} ${line}`)),
  }
  let operators = 0
  world = new World({
    kernel,
    process,
    random,
    ledgers,
    users,
    limits: limitsOf(climate),
    hasAddresses: climate.addresses,
    hasBalances: climate.balances,
    hasPermits: climate.permits,
    focus: focusOf(seed),
    unpaidCapUsd: climate.unpaidCapUsd,
    files,
    places: ['first', 'second'].map(
      (name) =>
        new HostPlace(name, {
          ...hostDeps,
          random: random.fork(name),
          world: process,
          tell: (words) => world.tell(words),
        }),
    ),
    openOperator: () => {
      operators += 1
      const name = `operator.${operators}`
      return new Operator({ ...hostDeps, world: process, process: new SimProcess(name, random.fork(name)) })
    },
  })
  for (const place of world.places) place.start()
  await kernel.run(60_000, () => world.places.every(({ host }) => host !== null))
  await watched(world)
  if (hostDeps.balances !== null) await grant(await world.query(), climate.granted, hostDeps.balances)
  world.beginning = withoutLanes(await takeSnapshot(await world.query()))
  return world
}

/** A dollar that never leaves its chain again. */
const balanceCurrencyOf = ([ledger]: readonly SimLedger[]) =>
  ledger === undefined ? null : { chainId: ledger.chainId, address: ledger.token }

/** Whoever asks hosts pays out of this wallet. */
const linkFunding = async (query: Query): Promise<void> => {
  await query('insert into funding_wallets (integrator_id, wallet, linked_at) values ($1, $2, to_timestamp(0))', [
    CALLER.integratorId,
    FUNDING_WALLET,
  ])
}

/** What wallets have from the beginning, out of fees of the deployment. */
const grant = async (
  query: Query,
  granted: readonly bigint[],
  { chainId, address }: BalanceCurrency,
): Promise<void> => {
  for (const [at, amount] of granted.entries()) {
    const holder = BALANCE_WALLETS[at]?.address
    const money = { chainId, currency: address }
    const entries = [
      { ...money, account: 'fees', amount: amount.toString() },
      { ...money, account: 'app', amount: (-amount).toString(), holder },
    ]
    await query(`select post_ledger($1, 'granted', to_timestamp(0), $2)`, [`grant:${holder}`, JSON.stringify(entries)])
  }
}

/** As where watchers worked before any solver did. */
const withoutLanes = (snapshot: Snapshot): Snapshot => {
  const ofLanes = new Set(['lanes', 'inventory', 'ledger_transactions', 'ledger_entries', 'app_balances'])
  return { ...snapshot, rows: new Map([...snapshot.rows].filter(([table]) => !ofLanes.has(table))) }
}

/** Until somebody watches every ledger: what was paid before a deployment first looked is not its own. */
const watched = async (world: World): Promise<void> => {
  const query = await world.query()
  for (;;) {
    await world.kernel.run(world.kernel.time.now + BLOCK_MS)
    const rows = await query('select from chain_cursors')
    if (rows.length === world.ledgers.length) return
  }
}

const openLedgers = (kernel: Kernel, process: SimProcess, onBlock: () => void): readonly SimLedger[] => {
  const now = () => kernel.time.unix
  const random = kernel.random
  const ledgers = [
    new SimLedger({ chainId: 910_001, slug: 'final', kind: 'final', settle: 0, now, random: random.fork('final') }),
    new SimLedger({
      chainId: 910_002,
      slug: 'reorging',
      kind: 'reorging',
      settle: SETTLE,
      now,
      random: random.fork('reorging'),
    }),
  ]
  for (const [at, ledger] of ledgers.entries()) {
    const mine = () => {
      ledger.mine()
      onBlock()
      kernel.later(process, BLOCK_MS, mine)
    }
    kernel.later(process, (at * BLOCK_MS) / ledgers.length, mine)
  }
  return ledgers
}

const endow = (ledgers: readonly SimLedger[], users: readonly SimUser[], { inventory, permits }: Climate): void => {
  for (const ledger of ledgers) {
    ledger.fund(ledger.keys.payer.address, ledger.coin, inventory.coin)
    ledger.fund(ledger.keys.payer.address, ledger.token, inventory.token)
    if (permits) ledger.fund(ledger.keys.sender.address, ledger.coin, GAS)
    for (const { address } of users) {
      for (const currency of [ledger.coin, ledger.token, ledger.strangeToken]) ledger.fund(address, currency, WEALTH)
    }
  }
}

const openChains = (
  ledgers: readonly SimLedger[],
  kernel: Kernel,
  world: SimProcess,
  { unsettledUsd, addresses, permits }: Climate,
): readonly Chain[] =>
  ledgers.map((ledger) =>
    createSimChain(
      ledger,
      { clock: { now: () => Date.now() }, logger: pino({ level: 'silent' }) },
      simTransport(ledger, () => wayOf(kernel, world)),
      { limits: { perHour: [], unsettledUsd: unsettledUsd.toString() }, pollIntervalMs: BLOCK_MS, addresses, permits },
    ),
  )

/** Requests that are on their way arrive, whatever has become of who sent them. */
const wayOf = (kernel: Kernel, world: SimProcess): Way => {
  const sender = currentProcess() ?? world
  return {
    there: (work) => void kernel.later(world, kernel.random.int(1, 12), work),
    back: (work, delayMs) => {
      const timer = kernel.later(sender, delayMs, work)
      return () => {
        timer.cancelled = true
      }
    },
  }
}

const keysOf = (ledgers: readonly SimLedger[], { balances, permits }: Climate): Keys => {
  const ofLedgers = ledgers.flatMap(({ chainId, keys }): [KeyPurpose, string][] => [
    [`payout.${chainId}`, keys.payer.secret],
    [`allocator.${chainId}`, keys.allocator.secret],
    ...(permits ? [[`origin.${chainId}`, keys.sender.secret] satisfies [KeyPurpose, string]] : []),
  ])
  const ed25519 = new Set(ofLedgers.map(([purpose]) => purpose))
  const own: readonly KeyPurpose[] = balances ? ['order', 'master'] : ['order']
  const ofHosts = own.map((purpose): [KeyPurpose, string] => [purpose, `0x${simKey(purpose).secret}`])
  return new EnvironmentKeys(new Map([...ofHosts, ...ofLedgers]), ed25519)
}
