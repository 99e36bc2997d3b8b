import { CLOCK, CURRENCIES } from '@causeway/core'
import { PRICES } from '@causeway/core/chain'
import { WALLET_POLICY } from '@causeway/core/money-path'
import {
  CHAINS,
  type Chain,
  type Command,
  DEPLOYMENT,
  definePlugin,
  KEYS,
  managementGateOf,
  POOL,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { addressListCommand, addressShowCommand } from './addresses/addressCommands.js'
import { addressRescanCommand, addressSweepCommand } from './addresses/lookCommands.js'
import { addressRecoverCommand } from './addresses/recoverCommand.js'
import { balancesCommand, statementCommand } from './balances/balancesCommands.js'
import { confirmOnTerminal } from './confirm.js'
import { explainCommand } from './explain/explainCommand.js'
import { haltReleaseCommand, haltsCommand } from './halts/haltCommands.js'
import { correctCommand } from './inventory/correctCommand.js'
import { inventoryCommand } from './inventory/inventoryCommand.js'
import { topupCommand } from './inventory/topupCommand.js'
import { integratorsCommand } from './ledger/integratorsCommand.js'
import { ledgerCheckCommand } from './ledger/ledgerCheckCommand.js'
import { memberRequestRoute } from './member/requestRoute.js'
import type { OperatorDeps } from './operatorDeps.js'
import { parkedListCommand, parkedShowCommand } from './parked/parkedCommands.js'
import { parkedAssignCommand, parkedCloseCommand, parkedRefundCommand, refundCommand } from './parked/refundCommands.js'
import { approveCommand, sendCommand, sweepCommand } from './wallet/walletCommands.js'
import type { WalletDeps } from './wallet/walletDeps.js'
import { walletListCommand } from './wallet/walletListCommand.js'

/** Commands run beside the hosts, whose adapters are others: a chain is started for as long as it is asked. */
const withChain = async <T>({ adapter }: Chain, work: () => Promise<T>): Promise<T> => {
  const stop = new AbortController()
  try {
    await adapter.start(stop.signal)
    return await work()
  } finally {
    await adapter.stop().catch(() => undefined)
    stop.abort()
  }
}

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
]

/** Orders over the payout wallets. */
export const walletCommands = (deps: WalletDeps): readonly Command[] => [
  walletListCommand(deps),
  sendCommand(deps),
  approveCommand(deps),
  sweepCommand(deps),
]

/** What whoever runs the service does by hand, and what owners of requests are told of them. */
export default definePlugin({
  name: '@causeway/plugin-operator',
  version: '1.0.0',
  coreRange: '~1.0.0',
  requires: [POOL, CLOCK, CHAINS, CURRENCIES, PRICES, KEYS, DEPLOYMENT, WALLET_POLICY],
  options: Type.Object({}, { additionalProperties: false }),
  routes: ({ container }) => {
    const gate = managementGateOf(container)
    if (gate === null) return []
    const [pool, clock] = [container.resolve(POOL), container.resolve(CLOCK)]
    const [chains, currencies] = [container.resolve(CHAINS), container.resolve(CURRENCIES)]
    return [memberRequestRoute({ gate, pool, clock, chains, currencies })]
  },
  commands: ({ container }) => {
    const deps: OperatorDeps = {
      pool: container.resolve(POOL),
      clock: container.resolve(CLOCK),
      chains: container.resolve(CHAINS),
      currencies: container.resolve(CURRENCIES),
      prices: container.resolve(PRICES),
      withChain,
      confirm: confirmOnTerminal,
    }
    const wallet = {
      network: container.resolve(DEPLOYMENT).network,
      wallet: container.resolve(WALLET_POLICY),
      keys: container.resolve(KEYS),
    }
    return [...operatorCommands(deps), ...walletCommands({ ...deps, ...wallet })]
  },
})
