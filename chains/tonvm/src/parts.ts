import type { ChainAdapter, ChainDeps } from '@causeway/core/chain'
import { accountChain } from '@causeway/core/chain-kit'
import { NATIVE } from './address/addresses.js'
import { DepositSource } from './deposit/depositSource.js'
import { commentAddresses } from './depositAddress/commentAddresses.js'
import { keyAddresses, type TonAddresses, type TonAddressParts } from './depositAddress/depositAddresses.js'
import { tonPayments } from './lane/lane.js'
import type { TonSettings } from './options.js'
import type { PaymentFormDeps } from './payout/paymentForm.js'
import { TonFees } from './payout/payoutFees.js'
import { PriceSource } from './payout/prices.js'
import { tonSimulator } from './payout/simulator.js'
import { readBalances } from './read/balances.js'
import { JettonWallets } from './read/jettonWallets.js'
import { verifyAccounts } from './read/ownAccounts.js'
import { readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import { tonProbe } from './rpc/probe.js'
import { openNodes } from './rpc/tonPool.js'

/** Time between masterchain blocks until it was seen. */
const BLOCK_MS = 3000
/** Masterchain blocks in one range. */
const RANGE = 100n

/** Parts over the nodes of one network. */
export const tonParts = (settings: TonSettings, deps: ChainDeps) => {
  const { config, logger } = deps
  const { depository, depositAccount, isTestnet, genesisHash, startBlock } = settings
  const pool = openNodes({ endpoints: config.rpc, settings, logger })
  const masters = config.currencies.map(({ address }) => address).filter((address) => address !== NATIVE)
  const wallets = new JettonWallets(masters)
  const forms: PaymentFormDeps = { pool, wallets }
  const fees = new TonFees(new PriceSource(pool))
  const source = new DepositSource({ depository, depositAccount, isTestnet, wallets })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  const deposits = addressesOf(settings, deps, { ...settings, config, forms, fees, source, balances })
  const sweeps = deposits?.sweeps ?? null
  const chain = accountChain({
    ...{
      config,
      logger,
      settings,
      depository,
      pool,
      source,
      probe: tonProbe(genesisHash),
      blockMs: BLOCK_MS,
      range: RANGE,
    },
    payments: tonPayments({ ...forms, fees, settings, sweeps }),
    questions: {
      balances: (node, queries) => readBalances(node, queries, wallets),
      gainOf: (transaction, account) => source.gainOf(transaction, account),
      recipient: (node, to, currency) => readRecipient(node, { to, currency }, { depository, wallets }),
      token: readTokenFacts,
      verify: (node, expected) => verifyAccounts(node, { config, settings, wallets }, expected),
    },
    ...(startBlock === null ? {} : { startHeight: BigInt(startBlock) }),
    ...(deposits === null ? {} : { arrivals: deposits.arrivals }),
  })
  const simulator = tonSimulator({ ...forms, depository, networkId: settings.networkId, fees, sweeps })
  return { pool, wallets, chain, fees, simulator, deposits }
}

/** Deposit addresses with keys of their own, or comments of one wallet; null where neither is configured. */
const addressesOf = (
  settings: TonSettings,
  { logger, keptSums }: ChainDeps,
  parts: TonAddressParts,
): TonAddresses | null => {
  const { depositPoolKey, depositAccount } = settings
  if (depositPoolKey !== null) return keyAddresses(depositPoolKey, parts)
  return depositAccount === null ? null : commentAddresses(depositAccount, { ...parts, settings, logger, keptSums })
}
