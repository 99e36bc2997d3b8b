import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import { WALLET_POLICY } from '@causeway/core/money-path'
import {
  CHAIN_USE,
  CHAINS,
  type Command,
  DEPLOYMENT,
  DEPOSIT_HINTS,
  definePlugin,
  KEYS,
  managementGateOf,
  OPERATOR_COMMANDS,
  type PluginContext,
  POOL,
  type Route,
  token,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { addressListCommand, addressShowCommand } from './addresses/addressCommands.js'
import { addressRescanCommand, addressSweepCommand } from './addresses/lookCommands.js'
import { addressRecoverCommand } from './addresses/recoverCommand.js'
import { auditListCommand } from './audit/auditCommand.js'
import { balancesCommand, statementCommand } from './balances/balancesCommands.js'
import { chainsStatusCommand } from './chains/chainsCommand.js'
import type { ChainsStatusDeps } from './chains/chainsReport.js'
import { Heads } from './chains/heads.js'
import { confirmOnTerminal } from './confirm.js'
import { consoleRoutes } from './console/consoleRoutes.js'
import { rescanCommand } from './deposits/rescanCommand.js'
import { explainCommand } from './explain/explainCommand.js'
import { haltReleaseCommand, haltsCommand } from './halts/haltCommands.js'
import { correctCommand } from './inventory/correctCommand.js'
import { keepPaidInWeek } from './inventory/cover.js'
import { inventoryCommand } from './inventory/inventoryCommand.js'
import { topupCommand } from './inventory/topupCommand.js'
import { integratorsCommand } from './ledger/integratorsCommand.js'
import { ledgerCheckCommand } from './ledger/ledgerCheckCommand.js'
import { memberRequestRoute } from './member/requestRoute.js'
import { nowCommand } from './now/nowCommand.js'
import type { OperatorDeps } from './operatorDeps.js'
import { parkedCloseCommand } from './parked/closeCommand.js'
import { parkedListCommand, parkedShowCommand } from './parked/parkedCommands.js'
import { parkedAssignCommand, parkedRefundCommand, refundCommand } from './parked/refundCommands.js'
import { approveCommand, sendCommand, sweepCommand } from './wallet/walletCommands.js'
import type { WalletDeps } from './wallet/walletDeps.js'
import { walletListCommand } from './wallet/walletListCommand.js'

export { chainsStatusCommand } from './chains/chainsCommand.js'
export { Heads } from './chains/heads.js'
export { type Finding, runBookChecks } from './ledger/runBookChecks.js'

/** Every command, in the order the help shows them. */
export const operatorCommands = (deps: OperatorDeps): readonly Command[] => [
  explainCommand(deps),
  inventoryCommand(deps),
  topupCommand(deps),
  correctCommand(deps),
  ledgerCheckCommand(deps),
  integratorsCommand(deps),
  balancesCommand(deps),
  statementCommand(deps),
  parkedListCommand(deps),
  parkedShowCommand(deps),
  parkedRefundCommand(deps),
  parkedAssignCommand(deps),
  parkedCloseCommand(deps),
  refundCommand(deps),
  addressListCommand(deps),
  addressShowCommand(deps),
  addressSweepCommand(deps),
  addressRescanCommand(deps),
  addressRecoverCommand(deps),
  haltsCommand(deps),
  haltReleaseCommand(deps),
  nowCommand(deps),
  auditListCommand(deps),
]

/** Orders over the payout wallets. */
export const walletCommands = (deps: WalletDeps): readonly Command[] => [
  walletListCommand(deps),
  sendCommand(deps),
  approveCommand(deps),
  sweepCommand(deps),
]

const HEADS = token<Heads>('plugin-operator/Heads')

type Container = PluginContext<unknown>['container']

const depsOf = (container: Container): ChainsStatusDeps => {
  const use = container.resolve(CHAIN_USE)
  const database = { pool: container.resolve(POOL), clock: container.resolve(CLOCK) }
  return {
    ...database,
    paidInWeek: keepPaidInWeek(database, () => performance.now()),
    chains: container.resolve(CHAINS),
    currencies: container.resolve(CURRENCIES),
    prices: container.resolve(PRICES),
    withChain: (chain, work) => use.withChain(chain, work),
    confirm: confirmOnTerminal,
    heads: container.resolve(HEADS),
    isServing: use.isServing,
  }
}

const routesOf = (container: Container): readonly Route[] => {
  // A deployment without keys has no sessions, and so no console.
  const gate = managementGateOf(container)
  if (gate === null) return []
  const [pool, clock] = [container.resolve(POOL), container.resolve(CLOCK)]
  const [chains, currencies] = [container.resolve(CHAINS), container.resolve(CURRENCIES)]
  return [
    memberRequestRoute({ gate, pool, clock, chains, currencies }),
    ...consoleRoutes({ gate, commands: container.resolve(OPERATOR_COMMANDS), now: () => performance.now() }),
  ]
}

/** What whoever runs the service does by hand: the commands, the console that runs them in a host, and what owners of requests are told. It has no jobs. */
export default definePlugin({
  name: '@causeway/plugin-operator',
  version: '1.0.0',
  coreRange: '~1.0.0',
  requires: [
    ...[POOL, CLOCK, CHAINS, CURRENCIES, PRICES, KEYS, DEPLOYMENT, WALLET_POLICY],
    ...[CHAIN_USE, OPERATOR_COMMANDS, DEPOSIT_HINTS],
  ],
  options: Type.Object({}, { additionalProperties: false }),
  register: ({ container }) => {
    container.registerInstance(HEADS, new Heads())
  },
  commands: ({ container }) => {
    const deps = depsOf(container)
    const wallet = {
      network: container.resolve(DEPLOYMENT).network,
      wallet: container.resolve(WALLET_POLICY),
      keys: container.resolve(KEYS),
    }
    return [
      ...operatorCommands(deps),
      rescanCommand({ ...deps, hints: container.resolve(DEPOSIT_HINTS) }),
      chainsStatusCommand(deps),
      ...walletCommands({ ...deps, ...wallet }),
    ]
  },
  routes: ({ container }) => routesOf(container),
  start: async ({ container }) => container.resolve(HEADS).follow(container.resolve(CHAINS)),
  stop: async ({ container }) => container.resolve(HEADS).stop(),
})
