import type { ChainAdapter, ChainDeps } from '@causeway/core/chain'
import { accountChain, taggedArrivals } from '@causeway/core/chain-kit'
import { NATIVE } from './address/addresses.js'
import { DepositSource } from './deposit/depositSource.js'
import { addressArrivals } from './depositAddress/arrivals.js'
import {
  type HederaAddresses,
  type HederaAddressParts,
  keyAddresses,
  readDepositKey,
} from './depositAddress/depositAddresses.js'
import { memoAccount, memoAddresses } from './depositAddress/memoAddresses.js'
import { ConsensusNodes } from './lane/consensusNodes.js'
import { hederaPayments } from './lane/lane.js'
import { loadSdk } from './lane/sdk.js'
import type { HederaSettings } from './options.js'
import type { PaymentFormDeps } from './payout/paymentForm.js'
import { HederaFees } from './payout/payoutFees.js'
import { RateSource } from './payout/prices.js'
import { hederaSimulator } from './payout/simulator.js'
import { TokenSource } from './payout/tokenSource.js'
import { readBalances } from './read/balances.js'
import { verifyAccounts } from './read/ownAccounts.js'
import { readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import { AccountIds } from './rpc/accounts.js'
import { openMirrors } from './rpc/mirrorPool.js'
import { mirrorProbe } from './rpc/probe.js'

/** Time between blocks until it was seen. */
const BLOCK_MS = 2000
/** Blocks in one range: about 200 seconds. */
const RANGE = 100n
const MILLISECOND = 1_000_000n

/** Parts over the mirror nodes and consensus nodes of one network. */
export const hederaParts = (settings: HederaSettings, deps: ChainDeps) => {
  const { config, logger, clock } = deps
  const { depository, genesisHash, startBlock, rpcTimeoutMs: timeoutMs, mirrorLagBlocks: lagBlocks } = settings
  const { solver } = config
  const { depositAccount } = settings
  const currencies = new Set([NATIVE, ...config.currencies.map(({ address }) => address)])
  const pool = openMirrors({ endpoints: config.rpc, timeoutMs, genesisHash, logger })
  const ids = new AccountIds()
  const forms: PaymentFormDeps = { depository, pool, ids, tokens: new TokenSource(pool) }
  const rates = new RateSource(pool)
  const fees = new HederaFees({ ...forms, rates })
  const nodes = new ConsensusNodes({ mirrors: pool, timeoutMs })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  const source = new DepositSource({ depository, solver, depositAccount, ids, lagBlocks })
  const deposits = addressesOf(settings, deps, { config, forms, fees, balances, source })
  const sweeps = deposits?.sweeps ?? null
  const isDepositAddress = (address: string): boolean => deposits?.isOwn(address) === true
  /** The clock of this process may be behind that of the network. */
  const now = async (): Promise<bigint> => {
    const { time } = await chain.reader.tip()
    const here = BigInt(clock.now()) * MILLISECOND
    const newest = BigInt(time) * 1000n * MILLISECOND
    return newest > here ? newest : here
  }
  const chain = accountChain({
    ...{ config, logger, settings, depository, pool, probe: mirrorProbe(genesisHash), blockMs: BLOCK_MS, range: RANGE },
    source,
    payments: hederaPayments({ ...forms, rates, nodes, settings, sweeps, now }),
    questions: {
      balances: readBalances,
      gainOf: (transaction, account) => source.gainOf(transaction, account),
      recipient: (node, to, currency) => readRecipient(node, { to, currency }, { depository, ids, isDepositAddress }),
      token: readTokenFacts,
      verify: (node, expected) => verifyAccounts(node, { config, settings }, expected),
    },
    ...(startBlock === null ? {} : { startHeight: BigInt(startBlock) }),
    ...(deposits === null
      ? {}
      : {
          arrivals:
            depositAccount === null
              ? addressArrivals()
              : taggedArrivals(memoAccount(depositAccount), source, currencies),
        }),
  })
  const reader = {
    ...chain.reader,
    start: async (signal: AbortSignal) => {
      nodes.start()
      await Promise.all([chain.reader.start(signal), loadSdk()])
    },
    stop: async () => {
      nodes.close()
      await chain.reader.stop()
    },
  }
  const simulator = hederaSimulator({ ...forms, rates, sweeps })
  return { pool, reader, lane: chain.lane, fees, simulator, deposits }
}

interface AddressParts extends HederaAddressParts {
  readonly source: DepositSource
}

/** Deposit addresses with keys of their own, or memos of one account; null where neither is configured. */
const addressesOf = (
  { depositKey, depositAccount: account, depositHistoryBlocks: history }: HederaSettings,
  { logger, keptSums }: ChainDeps,
  { source, ...parts }: AddressParts,
): HederaAddresses | null => {
  if (depositKey !== null) return keyAddresses(readDepositKey(depositKey), parts)
  if (account === null) return null
  const { pool } = parts.forms
  return memoAddresses({ ...parts, ...{ account, history, source, pool, logger }, ...(keptSums && { keptSums }) })
}
