import type { ChainAdapter, ChainDeps } from '@causeway/core/chain'
import {
  accountChain,
  capitalHexId,
  defineAdapter,
  deploymentCheck,
  JsonRpcClient,
  type JsonRpcEndpoint,
  taggedArrivals,
} from '@causeway/core/chain-kit'
import { testAddressCodec } from './address/addressCodec.js'
import { isKeyless, NATIVE, validateAddress } from './address/addresses.js'
import { DROPS_DECIMALS, MAX_AMOUNT, payableAmount } from './address/amounts.js'
import { normalizeCurrency } from './address/currencies.js'
import { buildPaymentStep } from './deposit/buildDeposit.js'
import { DepositSource } from './deposit/depositSource.js'
import { xrpDepositAddresses } from './depositAddress/depositAddresses.js'
import { taggedAccount } from './depositAddress/taggedAccount.js'
import { xrpPayments } from './lane/lane.js'
import { resolveOptions, type XrpOptions, type XrpSettings } from './options.js'
import { FeeSource } from './payout/feeLevels.js'
import { XrpFees } from './payout/payoutFees.js'
import { xrpSimulator } from './payout/simulator.js'
import { TransferRates } from './payout/transferRates.js'
import { gainOf } from './read/balanceChanges.js'
import { readBalances } from './read/balances.js'
import { chainDiagnosis } from './read/diagnose.js'
import { accountQuestions } from './read/ownAccounts.js'
import { PLACEHOLDERS, readRecipient } from './read/recipients.js'
import { readTokenFacts } from './read/tokenFacts.js'
import type { AccountState } from './rpc/accountState.js'
import { xrpProbe } from './rpc/probe.js'
import { xrpStream } from './rpc/xrpDialect.js'
import { xrpProtocol } from './rpc/xrpProtocol.js'

const CAPABILITIES = {
  tokens: true,
  simulation: 'full',
  bump: 'replace',
  depositBinding: 'memo',
  destinationTag: true,
  refundToDepositor: true,
  // A validated ledger stays (chains.md xrpvm 4).
  absoluteFinality: true,
  recipientLeast: true,
  depositoryFloat: true,
} as const

/** Time between ledgers until it was seen. */
const LEDGER_MS = 4000

/** The currency of a network whose configuration does not list it. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'XRP', name: 'XRP', decimals: DROPS_DECIMALS }

/** For tests and metrics. */
export interface XrpHooks {
  /** Called once for each request that goes out over HTTP. */
  readonly onRpcCall?: (method: string) => void
}

/** One configured XRP Ledger: its own facts are here, all else is parts of core's kit. */
export const xrpAdapter = (options: XrpOptions, deps: ChainDeps, hooks: XrpHooks = {}) => {
  const settings = resolveOptions(options, deps.config.id)
  const { config } = deps
  const { depository, depositAccount, networkId } = settings
  const { rpc, chain, check, simulator, fees, deposits } = xrpParts(settings, deps, hooks)
  return defineAdapter({
    identity: {
      config,
      vmType: 'xrpvm',
      native: NATIVE_CURRENCY,
      nativeDecimals: DROPS_DECIMALS,
      depository,
      ...(depositAccount === null ? {} : { moneyAccounts: { depositAccount } }),
      maxAmount: MAX_AMOUNT,
      capabilities: CAPABILITIES,
      // The bytes of the main network are core's own.
      ...(networkId === 0 ? {} : { addressCodec: testAddressCodec(networkId) }),
      explorerPaths: {
        ...{ transaction: '/transactions/{TX_HASH}', address: '/accounts/{ADDRESS}', token: '/token/{ADDRESS}' },
      },
    },
    forms: {
      validateAddress: (text) => validateAddress(text, networkId),
      normalizeCurrency,
      checkTransactionId: capitalHexId,
      placeholders: PLACEHOLDERS,
      ownerless: isKeyless,
      payable: ({ currency, amount }) => payableAmount(currency, amount),
    },
    reader: { ...chain.reader, diagnose: check.diagnose },
    payouts: {
      lane: chain.lane,
      estimatePayoutFee: (payout) => fees.payoutFee(payout),
      simulate: (payout) => simulator.simulate(payout),
    },
    deposits: {
      estimateDepositFee: () => fees.depositFee(),
      buildDeposit: (request) =>
        buildPaymentStep({ ...request, to: { address: depository } }, { rpc, chainId: config.id, networkId }),
      ...(deposits === null ? {} : { depositAddresses: deposits.addresses }),
    },
  })
}

export type XrpAdapter = ReturnType<typeof xrpAdapter>

/** Parts over the nodes of one network. */
const xrpParts = (settings: XrpSettings, { config, keptSums, logger }: ChainDeps, { onRpcCall }: XrpHooks) => {
  const { depository, depositAccount: account, networkId, startLedger } = settings
  const rpc = new JsonRpcClient({
    ...{ protocol: xrpProtocol(networkId), endpoints: config.rpc, timeoutMs: settings.rpcTimeoutMs, logger, onRpcCall },
  })
  const source = new DepositSource({ depository, startLedger })
  const [levels, rates] = [new FeeSource(rpc), new TransferRates(rpc)]
  const fees = new XrpFees({ fees: levels, rates, settings })
  const balances: ChainAdapter['getBalances'] = (queries) => chain.reader.getBalances(queries)
  const deposits =
    account === null
      ? null
      : xrpDepositAddresses({
          ...{ rpc, settings, config, logger, keptSums, account, source, balances, fee: () => fees.fee() },
        })
  const paying = { rpc, settings, fees: levels, rates, sweeps: deposits?.sweeps ?? null }
  const currencies = new Set([NATIVE, ...config.currencies.map(({ address }) => address)])
  const check = deploymentCheck<AccountState, JsonRpcEndpoint>({
    ...{ chain: chainDiagnosis(settings), pool: rpc, questions: accountQuestions },
    terms: {
      ...{ config, depository, depositAccount: account },
      validateAddress: (text) => validateAddress(text, networkId),
    },
  })
  const chain = accountChain({
    ...{ config, logger, settings, depository, source, pool: rpc, probe: xrpProbe(networkId), blockMs: LEDGER_MS },
    payments: xrpPayments(paying),
    stream: xrpStream(account === null ? [depository] : [depository, account]),
    questions: {
      balances: readBalances,
      gainOf,
      recipient: (node, to, currency) => readRecipient(node, { to, currency }, { depository, solver: config.solver }),
      token: readTokenFacts,
      verify: check.verify,
    },
    ...(startLedger === null ? {} : { startHeight: BigInt(startLedger) }),
    ...(account === null
      ? {}
      : { arrivals: taggedArrivals(taggedAccount({ account, networkId }), source, currencies) }),
  })
  return { rpc, chain, check, deposits, fees, simulator: xrpSimulator(paying) }
}
