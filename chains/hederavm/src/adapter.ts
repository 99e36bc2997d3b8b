import { larger } from '@causeway/core'
import type { ChainAdapter, ChainDeps } from '@causeway/core/chain'
import { accountChain, checkedAddressCodec, defineAdapter, deploymentCheck } from '@causeway/core/chain-kit'
import { HBAR_DECIMALS, MAX_AMOUNT, NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { SECOND } from './address/times.js'
import { checkTransactionId } from './address/transactionIds.js'
import { buildPaymentStep } from './deposit/buildDeposit.js'
import { DepositSource } from './deposit/depositSource.js'
import {
  type HederaAddresses,
  type HederaAddressParts,
  keyAddresses,
  readDepositKey,
} from './depositAddress/depositAddresses.js'
import { type MemoAddressParts, memoAddresses } from './depositAddress/memoAddresses.js'
import { ConsensusNodes } from './lane/consensusNodes.js'
import { hederaPayments } from './lane/lane.js'
import { loadSdk } from './lane/sdk.js'
import { HEDERA_CHAIN_ID, type HederaOptions, type HederaSettings, resolveOptions } from './options.js'
import { paymentFacts } from './payout/paymentForm.js'
import { hederaFees } from './payout/payoutFees.js'
import { rateBy } from './payout/prices.js'
import { hederaSimulator } from './payout/simulator.js'
import { readBalances } from './read/balances.js'
import { chainDiagnosis } from './read/diagnose.js'
import { accountQuestions } from './read/ownAccounts.js'
import { isOwnerless, PLACEHOLDERS, readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import { AccountIds, type AccountState } from './rpc/accounts.js'
import type { MirrorNode } from './rpc/mirrorNode.js'
import { mirrorProbe, openMirrors } from './rpc/probe.js'

const CAPABILITIES = {
  tokens: true,
  simulation: 'balance-checks',
  // Two ids would both be paid: only after the window is over, a payment is made again.
  bump: 'resign-after-expiry',
  depositBinding: 'memo',
  refundToDepositor: true,
  // Consensus is final (chains.md hederavm 4).
  absoluteFinality: true,
  // The account begins with HBAR of the operator.
  depositoryFloat: true,
} as const

/** The currency of a network whose configuration does not list it. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'HBAR', name: 'HBAR', decimals: HBAR_DECIMALS }

/** Time between blocks until it was seen. */
const BLOCK_MS = 2000
/** Blocks in one range: about 200 seconds. */
const RANGE = 100n
const MILLISECOND = 1_000_000n

/** One configured Hedera network: its own facts are here, all else is parts of core's kit. */
export const hederaAdapter = (options: HederaOptions, deps: ChainDeps) => {
  const { config } = deps
  const settings = resolveOptions(options, config.id)
  const { depository, depositAccount, ledgerId } = settings
  const { reader, lane, fees, simulator, deposits } = hederaParts(settings, deps)
  const check = (text: string) => validateAddress(text, ledgerId)
  return defineAdapter({
    identity: {
      ...{ config, vmType: 'hederavm', native: NATIVE_CURRENCY, nativeDecimals: HBAR_DECIMALS },
      ...(depositAccount === null ? {} : { moneyAccounts: { depositAccount } }),
      ...{ depository, maxAmount: MAX_AMOUNT, capabilities: CAPABILITIES },
      // The bytes of the main network are core's own.
      ...(config.id === HEDERA_CHAIN_ID ? {} : { addressCodec: checkedAddressCodec('hedera-vm', 'Hedera', check) }),
      explorerPaths: {
        ...{ transaction: '/transaction/{TX_HASH}', address: '/account/{ADDRESS}', token: '/token/{ADDRESS}' },
      },
    },
    forms: {
      validateAddress: check,
      normalizeCurrency: (text) => normalizeCurrency(text, ledgerId),
      checkTransactionId,
      placeholders: PLACEHOLDERS,
      ownerless: isOwnerless,
    },
    reader,
    payouts: {
      lane,
      estimatePayoutFee: (payout) => fees.payoutFee(payout),
      simulate: (payout) => simulator.simulate(payout),
    },
    deposits: {
      estimateDepositFee: ({ money }) => fees.transferFee(money.currency),
      // The bytes of the step need the SDK.
      prefetchDeposit: () => void loadSdk().catch(() => undefined),
      buildDeposit: async ({ from, money, orderId }) => {
        const maxTransactionFee = await fees.transferLimit(money.currency)
        return buildPaymentStep({ from, to: depository, money, orderId, maxTransactionFee, chainId: config.id })
      },
      ...(deposits === null ? {} : { depositAddresses: deposits.addresses }),
    },
  })
}

export type HederaAdapter = ReturnType<typeof hederaAdapter>

/** Parts over the mirror nodes and consensus nodes of one network. */
const hederaParts = (settings: HederaSettings, deps: ChainDeps) => {
  const { config, logger, clock } = deps
  const { depository, genesisHash, startBlock, rpcTimeoutMs: timeoutMs, mirrorLagBlocks } = settings
  const { depositAccount, ledgerId } = settings
  const pool = openMirrors(deps, settings)
  const ids = new AccountIds()
  const [forms, rate] = [paymentFacts({ depository, pool, ids }), rateBy(pool)]
  const fees = hederaFees(forms, rate)
  const nodes = new ConsensusNodes({ mirrors: pool, timeoutMs })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  const source = new DepositSource({ depository, solver: config.solver, depositAccount, ids, mirrorLagBlocks })
  const deposits = addressesOf(settings, deps, { config, forms, fees, balances, source })
  const paying = { ...forms, rate, sweeps: deposits?.sweeps ?? null }
  /** The clock of this process may be behind that of the network. */
  const now = async (): Promise<bigint> => {
    const { time } = await chain.reader.tip()
    return larger(BigInt(time) * SECOND, BigInt(clock.now()) * MILLISECOND)
  }
  const check = deploymentCheck<AccountState, MirrorNode>({
    ...{ chain: chainDiagnosis(settings), pool, questions: (node) => accountQuestions(node, ledgerId) },
    terms: { config, depository, depositAccount, validateAddress: (text) => validateAddress(text, ledgerId) },
  })
  const chain = accountChain({
    ...{ config, logger, settings, depository, pool, probe: mirrorProbe(genesisHash), blockMs: BLOCK_MS, range: RANGE },
    source,
    payments: hederaPayments({ ...paying, nodes, settings, now }),
    questions: {
      balances: readBalances,
      gainOf: (transaction, account) => source.gainOf(transaction, account),
      recipient: (node, to, currency) => readRecipient(node, { to, currency }, { depository, ids }),
      token: readTokenFacts,
      verify: check.verify,
    },
    ...(startBlock === null ? {} : { startHeight: BigInt(startBlock) }),
    ...(deposits === null ? {} : { arrivals: deposits.arrivals }),
  })
  const reader = {
    ...chain.reader,
    diagnose: check.diagnose,
    start: (signal: AbortSignal) => {
      nodes.start()
      return chain.reader.start(signal)
    },
    stop: async () => {
      nodes.close()
      await chain.reader.stop()
    },
  }
  return { reader, lane: chain.lane, fees, simulator: hederaSimulator(paying), deposits }
}

/** Deposit addresses with keys of their own, or memos of one account; null where neither is configured. */
const addressesOf = (
  { depositKey, depositAccount: account, depositHistoryBlocks: history }: HederaSettings,
  { logger, keptSums }: ChainDeps,
  parts: HederaAddressParts & Pick<MemoAddressParts, 'source'>,
): HederaAddresses | null => {
  if (depositKey !== null) return keyAddresses(readDepositKey(depositKey), parts)
  if (account === null) return null
  return memoAddresses({ ...parts, account, history, pool: parts.forms.pool, logger, ...(keptSums && { keptSums }) })
}
