import type { ChainAdapter, ChainDeps } from '@causeway/core/chain'
import { accountChain } from '@causeway/core/chain-kit'
import { DepositSource } from './deposit/depositSource.js'
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
  const { depository, isTestnet, genesisHash, startBlock } = settings
  const pool = openNodes({ endpoints: config.rpc, settings, logger })
  const wallets = new JettonWallets()
  const forms: PaymentFormDeps = { pool, wallets }
  const fees = new TonFees(new PriceSource(pool))
  const source = new DepositSource({ depository, isTestnet, wallets })
  const sweeps = null
  const chain = accountChain({
    ...{ config, logger, settings, depository, pool, source, probe: tonProbe(genesisHash), blockMs: BLOCK_MS, range: RANGE },
    payments: tonPayments({ ...forms, fees, settings, sweeps }),
    questions: {
      balances: (node, queries) => readBalances(node, queries, wallets),
      gainOf: (transaction, account) => source.gainOf(transaction, account),
      recipient: (node, to, currency) => readRecipient(node, { to, currency }, { depository, wallets }),
      token: readTokenFacts,
      verify: (node, expected) => verifyAccounts(node, { config, settings, wallets }, expected),
    },
    ...(startBlock === null ? {} : { startHeight: BigInt(startBlock) }),
  })
  const simulator = tonSimulator({ ...forms, depository, fees, sweeps })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  return { pool, wallets, chain, fees, simulator, balances, deposits: null }
}
