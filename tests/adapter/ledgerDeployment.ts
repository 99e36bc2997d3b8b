import { environmentOf, systemClock } from '@causeway/core'
import type { ChainConfig } from '@causeway/core/chain'
import { coreMigrations } from '@causeway/core/host'
import type { Chain } from '@causeway/core/plugin'
import { type Alteration, createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { type Logger, pino } from 'pino'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type LocalNetwork, startLocalNetwork } from '../harness/localNetwork.js'
import {
  NATIVE as COIN,
  freshAddress,
  LedgerWallet,
  type LocalLedger,
  ledgerAdapter,
  startLocalLedger,
} from './ledgerChain/src/testing/index.js'

export { COIN, freshAddress, LedgerWallet }

export const LEDGER_ID = 770_003
export const SETTLE = 3

/** A deployment with a ledger beside its EVM chains, whose coin is worth a dollar. */
export interface LedgerDeployment extends Deployment {
  readonly network: LocalNetwork
  readonly database: TestDatabase
  readonly ledger: LocalLedger
  close(): Promise<void>
}

const createLedger = (ledger: LocalLedger, solver: LedgerWallet, alter: Alteration): Chain => {
  const config: ChainConfig = {
    id: LEDGER_ID,
    slug: 'ledger',
    name: 'ledger',
    package: 'causeway-chain-example',
    rpc: [ledger.endpoint],
    currencies: [{ address: COIN, symbol: 'USDC', name: 'Ledger coin', decimals: 6, groupId: 'ldg' }],
    confirmations: { fill: 1, success: 1, settle: SETTLE, settleSeconds: 0 },
    solver: solver.address,
    enabled: true,
    limits: { perHour: [] },
    options: {},
  }
  const adapter = ledgerAdapter(
    { network: 'local', depository: freshAddress(), pollIntervalMs: 25, rpcTimeoutMs: 2_500 },
    { config, clock: systemClock, logger: pino({ level: 'silent' }), environment: environmentOf({}) },
  )
  return { config, adapter: alter(adapter) }
}

/** Starts one; `alter` changes the ledger's adapter. */
export const startLedgerDeployment = async ({
  alter = (real) => real,
  log,
}: {
  readonly alter?: Alteration
  readonly log?: Logger
} = {}): Promise<LedgerDeployment> => {
  const [network, database, ledger] = await Promise.all([
    startLocalNetwork(),
    createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] }),
    startLocalLedger(),
  ])
  const solver = new LedgerWallet(ledger.engine)
  ledger.engine.fund(solver.address, 10n ** 15n, COIN)
  const deployment = await startDeployment({
    network,
    databaseUrl: database.url,
    ...(log === undefined ? {} : { log }),
    moreChains: [{ chain: createLedger(ledger, solver, alter), payer: solver.signer }],
  })
  return {
    ...deployment,
    network,
    database,
    ledger,
    close: async () => {
      await deployment.kill()
      await database.drop()
      await Promise.all([network.close(), ledger.close()])
    },
  }
}
