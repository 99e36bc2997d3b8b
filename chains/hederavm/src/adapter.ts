import type { ChainDeps } from '@causeway/core/chain'
import { checkedAddressCodec, defineAdapter } from '@causeway/core/chain-kit'
import { HBAR_DECIMALS, MAX_AMOUNT, NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { checkTransactionId } from './address/transactionIds.js'
import { buildPaymentStep } from './deposit/buildDeposit.js'
import { loadSdk } from './lane/sdk.js'
import { HEDERA_CHAIN_ID, type HederaOptions, resolveOptions } from './options.js'
import { hederaParts } from './parts.js'
import { isOwnerless, PLACEHOLDERS } from './read/recipients.js'

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
