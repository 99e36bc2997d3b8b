import { ServiceError } from '@causeway/core'
import { type ChainAdapter, type ChainDeps, NONCE_MAPPING_DOMAIN } from '@causeway/core/chain'
import {
  accountChain,
  checkedAddressCodec,
  defineAdapter,
  deploymentCheck,
  keptAnswers,
  prefixedHexId,
} from '@causeway/core/chain-kit'
import {
  MAX_AMOUNT,
  NATIVE,
  normalizeCurrency,
  PLACEHOLDERS,
  payableBy,
  USDC_DECIMALS,
  validateAddress,
} from './address/addresses.js'
import { buildDepositSteps, buildPaymentStep, stepNonces } from './deposit/buildDeposit.js'
import { DepositSource } from './deposit/depositSource.js'
import { WaitingTransfers } from './deposit/waitingTransfers.js'
import { type HypeAddresses, keyAddresses, readDepositKey } from './depositAddress/depositAddresses.js'
import { hypePayments } from './lane/lane.js'
import { HYPERLIQUID_CHAIN_ID, type HypeOptions, type HypeSettings, resolveOptions } from './options.js'
import { hypeFees } from './payout/payoutFees.js'
import { hypeSimulator } from './payout/simulator.js'
import { readBalances } from './read/balances.js'
import { chainDiagnosis } from './read/diagnose.js'
import { type AccountState, accountQuestions } from './read/ownAccounts.js'
import { isOwnerless, readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import { askRole } from './rpc/accounts.js'
import type { ExchangeNode } from './rpc/exchangeNode.js'
import { explorerAt } from './rpc/explorer.js'
import { exchangeProbe, openExchange } from './rpc/probe.js'
import { type Asset, Assets } from './rpc/tokens.js'
import { updatesStream } from './rpc/updatesStream.js'

const CAPABILITIES = {
  tokens: true,
  simulation: 'balance-checks',
  // Two nonces would both be paid: only after the window is over, a payment is made again.
  bump: 'resign-after-expiry',
  depositBinding: 'nonce-map',
  refundToDepositor: true,
  // A transfer is final with its block (chains.md hypevm 4).
  absoluteFinality: true,
} as const

/** The currency of a network whose configuration does not list it. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'USDC', name: 'USD Coin (perps)', decimals: USDC_DECIMALS }

/** Heights are milliseconds. */
const BLOCK_MS = 1
const RANGE = 3_600_000n
/** How rarely the cursor of a quiet account is worth a write. */
const QUIET = { ms: 1000, blocks: 10_000n } as const
/** A role changes rarely, and its question is the dearest of the API. */
const ROLE_MS = 300_000
const MOST_ROLES = 2000

/** One configured network of Hyperliquid: its own facts are here, all else is parts of core's kit. */
export const hypeAdapter = (options: HypeOptions, deps: ChainDeps) => {
  const { config } = deps
  const settings = resolveOptions(options, config.id)
  const { depository } = settings
  const { reader, lane, fees, simulator, deposits, buildDeposit } = hypeParts(settings, deps)
  const decimals = new Map(config.currencies.map((one) => [normalizeCurrency(one.address), one.decimals]))
  return defineAdapter({
    identity: {
      ...{ config, vmType: 'hypevm', native: NATIVE_CURRENCY, nativeDecimals: USDC_DECIMALS },
      ...{ depository, maxAmount: MAX_AMOUNT, capabilities: CAPABILITIES },
      // The bytes of the main network are core's own.
      ...(config.id === HYPERLIQUID_CHAIN_ID
        ? {}
        : { addressCodec: checkedAddressCodec('hyperliquid-vm', 'Hyperliquid', validateEither) }),
      explorerPaths: { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' },
    },
    forms: {
      ...{ validateAddress, normalizeCurrency, checkTransactionId: prefixedHexId, placeholders: PLACEHOLDERS },
      ownerless: isOwnerless,
      payable: payableBy((currency) => decimals.get(currency) ?? null),
    },
    reader,
    payouts: {
      lane,
      estimatePayoutFee: (payout) => fees.payoutFee(payout),
      simulate: (payout) => simulator.simulate(payout),
    },
    deposits: {
      estimateDepositFee: () => fees.transferFee(),
      buildDeposit,
      ...(deposits === null ? {} : { depositAddresses: deposits.addresses }),
    },
  })
}

export type HypeAdapter = ReturnType<typeof hypeAdapter>

/** Accounts and currencies both have bytes in order ids. */
const validateEither = (text: string) => {
  const currency = normalizeCurrency(text)
  return currency === null ? validateAddress(text) : ({ ok: true, canonical: currency } as const)
}

/** Parts over the API servers of one network. */
const hypeParts = (settings: HypeSettings, deps: ChainDeps) => {
  const { config, logger, clock, nonceMappings: mappings = null } = deps
  const { depository, isTestnet, spotUsdc, startTime, explorerUrl, rpcTimeoutMs } = settings
  const pool = openExchange(deps, settings)
  const assets = new Assets({ pool, spotUsdc, logger })
  const roleOf = keptAnswers(ROLE_MS, (account: string) => askRole(pool, account), MOST_ROLES)
  const forms = { depository, pool, assets, roleOf }
  const fees = hypeFees(forms)
  const explorer = explorerUrl === null ? null : explorerAt(explorerUrl, rpcTimeoutMs)
  const chainId = config.id
  const waiting = new WaitingTransfers({ chainId, mappings, waitMs: settings.mappingWaitMs })
  const source = new DepositSource({ ...settings, assets, waiting, findByHash: explorer?.find ?? null })
  const nextNonce = stepNonces(() => clock.now())
  const now = async (): Promise<bigint> => (await chain.reader.tip()).height
  const assetOf = async (currency: string): Promise<Asset> => {
    const asset = await assets.find(currency)
    if (asset !== null) return asset
    throw new ServiceError('UNSUPPORTED_CURRENCY', 'The exchange does not have this currency.')
  }
  const stepTerms = async (currency: string) => ({ asset: await assetOf(currency), nonce: nextNonce(), isTestnet })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  const deposits = addressesOf(settings, {
    ...{ forms, spotUsdc, fees, balances },
    buildPayment: async ({ from, to, money }) =>
      buildPaymentStep({ from, to: to.address, money, ...(await stepTerms(money.currency)) }),
  })
  const paying = { ...forms, sweeps: deposits?.sweeps ?? null }
  const check = deploymentCheck<AccountState, ExchangeNode>({
    ...{ chain: chainDiagnosis(settings), pool, questions: (node) => accountQuestions(node, assets) },
    terms: { config, depository, depositAccount: null, validateAddress },
  })
  const chain = accountChain({
    ...{ config, logger, settings, depository, pool, probe: exchangeProbe(settings), blockMs: BLOCK_MS, range: RANGE },
    ...{ source, quiet: QUIET, stream: updatesStream(depository) },
    payments: hypePayments({ ...paying, chainId, settings, mappings, now }),
    questions: {
      balances: (node, queries) => readBalances(node, queries, assets),
      gainOf: (transfer, account) => source.gainOf(transfer, account),
      recipient: async (node, to, currency) =>
        readRecipient(node, to, { asset: await assets.find(currency), depository, payer: config.solver, roleOf }),
      token: (_, currency) => readTokenFacts(currency, assets),
      verify: check.verify,
    },
    ...(startTime === null ? {} : { startHeight: BigInt(startTime) }),
    ...(deposits === null ? {} : { arrivals: deposits.arrivals }),
  })
  const buildDeposit: ChainAdapter['buildDeposit'] = async ({ from, money, orderId }) =>
    buildDepositSteps({
      ...{ from, to: depository, money, orderId, chainId, slug: config.slug },
      ...{ domainName: mappings?.domainName ?? NONCE_MAPPING_DOMAIN, ...(await stepTerms(money.currency)) },
    })
  const reader = {
    ...chain.reader,
    diagnose: check.diagnose,
    stop: async () => {
      explorer?.close()
      await chain.reader.stop()
    },
  }
  return { reader, lane: chain.lane, fees, simulator: hypeSimulator(paying), deposits, buildDeposit }
}

/** Deposit addresses with keys of their own; null where none are configured. */
const addressesOf = ({ depositKey }: HypeSettings, parts: Parameters<typeof keyAddresses>[1]): HypeAddresses | null =>
  depositKey === null ? null : keyAddresses(readDepositKey(depositKey), parts)
