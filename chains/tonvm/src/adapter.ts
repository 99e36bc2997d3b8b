import type { ChainAdapter, ChainDeps } from '@causeway/core/chain'
import { accountChain, bareHexId, checkedAddressCodec, defineAdapter, deploymentCheck } from '@causeway/core/chain-kit'
import { NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { buildDepositStep } from './deposit/buildDeposit.js'
import { DepositSource } from './deposit/depositSource.js'
import { commentAddresses } from './depositAddress/commentAddresses.js'
import { keyAddresses, type TonAddresses, type TonAddressParts } from './depositAddress/depositAddresses.js'
import { tonPayments } from './lane/lane.js'
import { resolveOptions, type TonOptions, type TonSettings } from './options.js'
import { hasEmulator } from './payout/emulation/emulator.js'
import { TonFees } from './payout/payoutFees.js'
import { tonSimulator } from './payout/simulator.js'
import { readBalances } from './read/balances.js'
import { accountQuestions, chainDiagnosis } from './read/diagnose.js'
import { JettonWallets } from './read/jettonWallets.js'
import { isOwnerless, PLACEHOLDERS, readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import { openNodes, tonProbe } from './rpc/probe.js'
import type { AccountState, TonNode } from './rpc/tonApi.js'

const CAPABILITIES = {
  tokens: true,
  // A wallet takes one request for each number, and there is no fee by which to outbid another.
  bump: 'resign-after-expiry',
  depositBinding: 'memo',
  refundToDepositor: true,
  // A block that the masterchain committed is final (chains.md tonvm 4).
  absoluteFinality: true,
  // The depository is a wallet, which pays its own fees.
  depositoryFloat: true,
} as const

const TON_DECIMALS = 9
/** Amounts of messages have 120 bits. */
const MAX_AMOUNT = 2n ** 120n - 1n
/** Time between masterchain blocks until it was seen. */
const BLOCK_MS = 3000
/** Masterchain blocks in one range. */
const RANGE = 100n

/** The currency of a network whose configuration does not list it. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'TON', name: 'Toncoin', decimals: TON_DECIMALS }

/** One configured TON network: its own facts are here, all else is parts of core's kit. */
export const tonAdapter = (options: TonOptions, deps: ChainDeps) => {
  const { config } = deps
  const settings = resolveOptions(options, config.id)
  const { depository, depositAccount, isTestnet } = settings
  const { reader, lane, forms, fees, simulator, deposits } = tonParts(settings, deps)
  const check = (text: string) => validateAddress(text, settings)
  return defineAdapter({
    identity: {
      ...{ config, vmType: 'tonvm', native: NATIVE_CURRENCY, nativeDecimals: TON_DECIMALS },
      ...(depositAccount === null ? {} : { moneyAccounts: { depositAccount } }),
      ...{ depository, maxAmount: MAX_AMOUNT },
      // The virtual machine is an optional peer.
      capabilities: { ...CAPABILITIES, simulation: hasEmulator() ? 'full' : 'balance-checks' },
      // The bytes of the main network are core's own.
      ...(isTestnet ? { addressCodec: checkedAddressCodec('ton-vm', 'TON', check) } : {}),
      explorerPaths: { transaction: '/transaction/{TX_HASH}', address: '/{ADDRESS}', token: '/{ADDRESS}' },
    },
    forms: {
      validateAddress: check,
      normalizeCurrency: (text) => normalizeCurrency(text, settings),
      checkTransactionId: bareHexId,
      placeholders: PLACEHOLDERS,
      ownerless: isOwnerless,
    },
    reader,
    payouts: {
      lane,
      estimatePayoutFee: (payout, simulation) => fees.payoutFee(payout, simulation),
      simulate: (payout) => simulator.simulate(payout),
    },
    deposits: {
      estimateDepositFee: ({ money }) => fees.depositFee(money.currency),
      buildDeposit: ({ from, money, orderId }) => buildDepositStep({ from, depository, money, orderId }, forms),
      ...(deposits === null ? {} : { depositAddresses: deposits.addresses }),
    },
  })
}

export type TonAdapter = ReturnType<typeof tonAdapter>

/** Parts over the nodes of one network. */
const tonParts = (settings: TonSettings, deps: ChainDeps) => {
  const { config, logger } = deps
  const { depository, genesisHash, startBlock } = settings
  const pool = openNodes({ endpoints: config.rpc, settings, logger })
  const wallets = new JettonWallets(config.currencies.flatMap(({ address }) => (address === NATIVE ? [] : address)))
  const forms = { pool, wallets }
  const fees = new TonFees(pool)
  const source = new DepositSource({ ...settings, wallets })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  const deposits = addressesOf(settings, deps, { ...settings, config, forms, fees, source, balances })
  const paying = { ...forms, ...settings, fees, sweeps: deposits?.sweeps ?? null }
  const check = deploymentCheck<AccountState, TonNode>({
    ...{ chain: chainDiagnosis(settings), pool, questions: (node) => accountQuestions(node, settings, wallets) },
    terms: { ...settings, config, validateAddress: (text) => validateAddress(text, settings) },
  })
  const chain = accountChain({
    ...{ config, logger, settings, depository, pool, probe: tonProbe(genesisHash), blockMs: BLOCK_MS, range: RANGE },
    source,
    payments: tonPayments(paying),
    questions: {
      balances: (node, queries) => readBalances(node, queries, wallets),
      gainOf: (transaction, account) => source.gainOf(transaction, account),
      recipient: (node, to, currency) => readRecipient(node, { to, currency }, { depository, wallets }),
      token: readTokenFacts,
      verify: check.verify,
    },
    ...(startBlock === null ? {} : { startHeight: BigInt(startBlock) }),
    ...(deposits === null ? {} : { arrivals: deposits.arrivals }),
  })
  const reader = { ...chain.reader, diagnose: check.diagnose }
  return { reader, lane: chain.lane, forms, fees, simulator: tonSimulator(paying), deposits }
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
