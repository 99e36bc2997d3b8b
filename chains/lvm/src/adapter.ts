import { smaller } from '@causeway/core'
import type { ChainDeps } from '@causeway/core/chain'
import { accountChain, defineAdapter, deploymentCheck, shortHexId } from '@causeway/core/chain-kit'
import { isOwnerless, NATIVE, PLACEHOLDERS, validateAddress } from './address/addresses.js'
import { MAX_AMOUNT, normalizeCurrency, USDC_DECIMALS } from './address/assets.js'
import { buildTransferStep } from './deposit/buildDeposit.js'
import { DepositSource } from './deposit/depositSource.js'
import { readApiKeys } from './lane/apiKeys.js'
import { lighterPayments } from './lane/lane.js'
import { LighterSigner } from './lane/lighterSigner.js'
import { type LighterOptions, type LighterSettings, resolveOptions } from './options.js'
import { TransferFees } from './payout/payoutFees.js'
import { lighterSimulator } from './payout/simulator.js'
import { readBalances } from './read/balances.js'
import { chainDiagnosis } from './read/diagnose.js'
import { accountQuestions } from './read/ownAccounts.js'
import { readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import { gainOf } from './read/transactions.js'
import type { AccountState } from './rpc/accounts.js'
import { AccountTokens } from './rpc/accountTokens.js'
import type { LighterNode } from './rpc/lighterNode.js'
import { lighterProbe, openNodes } from './rpc/probe.js'

const CAPABILITIES = {
  tokens: true,
  simulation: 'balance-checks',
  // Only after its expiry, or once its number is used otherwise, a payment is made again.
  bump: 'resign-after-expiry',
  depositBinding: 'memo',
  refundToDepositor: true,
  // A committed transfer stays (chains.md lvm 4).
  absoluteFinality: true,
  // Its withdrawals pay their fees from it.
  depositoryFloat: true,
} as const

/** The currency of an exchange whose configuration does not list it. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'USDC', name: 'USDC (perps)', decimals: USDC_DECIMALS }

/** Time between blocks until it was seen. */
const BLOCK_MS = 500

/** One configured Lighter exchange: its own facts are here, all else is parts of core's kit. */
export const lighterAdapter = (options: LighterOptions, deps: ChainDeps) => {
  const { config } = deps
  const settings = resolveOptions(options, config.id)
  const { depository } = settings
  const { reader, lane, fees, simulator } = lighterParts(settings, deps)
  return defineAdapter({
    identity: {
      ...{ config, vmType: 'lvm', native: NATIVE_CURRENCY, nativeDecimals: USDC_DECIMALS },
      ...{ depository, maxAmount: MAX_AMOUNT, capabilities: CAPABILITIES },
      explorerPaths: { transaction: '/logs/{TX_HASH}', address: '/accounts/{ADDRESS}', token: '/assets/{ADDRESS}' },
    },
    forms: {
      validateAddress,
      normalizeCurrency,
      checkTransactionId: shortHexId,
      placeholders: PLACEHOLDERS,
      ownerless: isOwnerless,
      payable: ({ amount }) => smaller(amount, MAX_AMOUNT),
    },
    reader,
    payouts: {
      lane,
      estimatePayoutFee: (payout) => fees.payoutFee(payout),
      simulate: (payout) => simulator.simulate(payout),
    },
    deposits: {
      estimateDepositFee: ({ from }) => fees.depositQuote(from),
      buildDeposit: async ({ from, money, orderId }) =>
        buildTransferStep({ from, to: depository, money, orderId, fee: await fees.depositFee(from) }),
    },
  })
}

export type LighterAdapter = ReturnType<typeof lighterAdapter>

/** Parts over the API servers of one exchange. */
const lighterParts = (settings: LighterSettings, { config, logger, clock, environment, accessTokens }: ChainDeps) => {
  const { depository, contractAddress, startBlock } = settings
  const pool = openNodes({ config, logger }, settings)
  const signer = new LighterSigner()
  const keys = readApiKeys(settings, environment)
  /** The clock of this process may be behind that of the exchange. */
  const now = async (): Promise<number> => {
    const { time } = await chain.reader.tip().catch(() => ({ time: 0 }))
    return Math.max(time * 1000, clock.now())
  }
  const tokens = new AccountTokens({ chainId: config.id, now, logger, keys, signer, stored: accessTokens ?? null })
  const fees = new TransferFees({ depository, solver: config.solver, pool, tokens })
  const check = deploymentCheck<AccountState, LighterNode>({
    ...{ chain: chainDiagnosis(settings), pool, questions: (node) => accountQuestions(node, settings) },
    terms: { config, depository, depositAccount: null, validateAddress },
  })
  const chain = accountChain({
    ...{ config, logger, settings, depository, pool, probe: lighterProbe(contractAddress), blockMs: BLOCK_MS },
    source: new DepositSource({ depository, tokens }),
    payments: lighterPayments({ pool, settings, keys, signer, tokens, fees }),
    questions: {
      balances: readBalances,
      gainOf,
      recipient: (node, to) => readRecipient(node, to, { depository }),
      token: readTokenFacts,
      verify: check.verify,
    },
    ...(startBlock === null ? {} : { startHeight: BigInt(startBlock) }),
  })
  const reader = {
    ...chain.reader,
    diagnose: check.diagnose,
    start: async (signal: AbortSignal) => {
      await chain.reader.start(signal)
      const own = settings.accounts.map(({ account }) => account)
      tokens.keep(own, signal)
    },
    stop: async () => {
      tokens.stop()
      await chain.reader.stop()
      await signer.close()
    },
  }
  return { reader, lane: chain.lane, fees, simulator: lighterSimulator({ depository, pool, fees }) }
}
