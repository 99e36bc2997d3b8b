import type { ChainDeps, ProviderView } from '@causeway/core/chain'
import {
  type AdapterDeposits,
  type AdapterForms,
  type AdapterIdentity,
  type AdapterPayouts,
  type AdapterReader,
  askInOrder,
  capitalHexId,
  defineAdapter,
} from '@causeway/core/chain-kit'
import { PLACEHOLDERS, readRecipient } from './account/recipients.js'
import { readTokenFacts } from './account/tokenFacts.js'
import { testAddressCodec } from './address/addressCodec.js'
import { isKeyless, validateAddress } from './address/addresses.js'
import { DROPS_DECIMALS, MAX_AMOUNT, payableAmount } from './currency/amounts.js'
import { normalizeCurrency } from './currency/currencies.js'
import { buildPaymentStep } from './deposit/depositBuilder.js'
import { gainOf } from './ledger/balanceChanges.js'
import { resolveOptions, type XrpOptions, type XrpSettings } from './options.js'
import { diagnose } from './read/diagnose.js'
import { verifyAccounts } from './read/ownAccounts.js'
import { readFound, transactionCall } from './rpc/xrpNode.js'
import { NATIVE_CURRENCY, type XrpHooks, type XrpParts, xrpParts } from './xrpParts.js'

const CAPABILITIES = {
  tokens: true,
  simulation: 'full',
  bump: 'replace',
  depositBinding: 'memo',
  destinationTag: true,
  refundToDepositor: true,
  // What a validated ledger holds stays for ever (chains.md xrpvm 4).
  absoluteFinality: true,
  recipientLeast: true,
  depositoryFloat: true,
} as const

/** One configured XRP Ledger: what is its own is here, all else is parts of core's kit (`xrpParts`). */
export const xrpAdapter = (options: XrpOptions, deps: ChainDeps, hooks: XrpHooks = {}) => {
  const settings = resolveOptions(options, deps.config.id)
  const own: Own = { settings, config: deps.config, parts: xrpParts(settings, deps, hooks) }
  return defineAdapter({
    identity: identityOf(own),
    forms: formsOf(own),
    reader: readerOf(own),
    payouts: payoutsOf(own),
    deposits: depositsOf(own),
  })
}

export type XrpAdapter = ReturnType<typeof xrpAdapter>

interface Own {
  readonly settings: XrpSettings
  readonly config: ChainDeps['config']
  readonly parts: XrpParts
}

const identityOf = ({ settings: { depository, depositAccount, networkId }, config }: Own): AdapterIdentity => ({
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
  explorerPaths: { transaction: '/transactions/{TX_HASH}', address: '/accounts/{ADDRESS}', token: '/token/{ADDRESS}' },
})

const formsOf = ({ settings: { networkId } }: Own) =>
  ({
    validateAddress: (text) => validateAddress(text, networkId),
    normalizeCurrency,
    checkTransactionId: capitalHexId,
    placeholders: PLACEHOLDERS,
    ownerless: isKeyless,
    payable: ({ currency, amount }) => payableAmount(currency, amount),
  }) satisfies AdapterForms

const readerOf = ({ settings, config, parts: { rpc, shell, ledger, balances } }: Own) =>
  ({
    ...shell,
    ...ledger,
    getBalances: balances,
    recipientStatus: (to, currency) => {
      const { depository } = settings
      return askInOrder(rpc, (node) => readRecipient(node, { to, currency }, { depository, solver: config.solver }))
    },
    accountGain: ({ id }, account) => {
      const call = transactionCall(id)
      return askInOrder(rpc, async (node) => {
        const [outcome] = await node.batch([call])
        const found = readFound(outcome, call)
        return found && gainOf(found, account)
      })
    },
    readToken: (currency) => askInOrder(rpc, (node) => readTokenFacts(node, currency)),
    verifyContracts: (expected) => askInOrder(rpc, (node) => verifyAccounts(node, { config, settings }, expected)),
    providerViews: () => ({
      providerCount: rpc.providerCount,
      providers: rpc.providers.map(
        (node): ProviderView => ({
          provider: node.provider,
          readTokens: (currencies) => Promise.all(currencies.map((currency) => readTokenFacts(node, currency))),
          verifyContracts: (expected) => verifyAccounts(node, { config, settings }, expected),
        }),
      ),
    }),
    diagnose: (request) => diagnose(request, { rpc, config, settings }),
  }) satisfies AdapterReader

const payoutsOf = ({ parts: { lane, fees, simulator } }: Own) =>
  ({
    lane,
    estimatePayoutFee: (payout, simulation) => fees.payoutFee(payout, simulation),
    simulate: (payout) => simulator.simulate(payout),
  }) satisfies AdapterPayouts

const depositsOf = ({ settings, config, parts: { rpc, fees, deposits } }: Own) =>
  ({
    estimateDepositFee: () => fees.depositFee(),
    buildDeposit: ({ from, money, orderId }) => {
      const { networkId, depository } = settings
      const to = { address: depository }
      return buildPaymentStep({ from, to, money, orderId }, { rpc, chainId: config.id, networkId })
    },
    ...(deposits === null ? {} : { depositAddresses: deposits.addresses }),
  }) satisfies AdapterDeposits
