import type { ChainDeps } from '@causeway/core/chain'
import { bareHexId, defineAdapter } from '@causeway/core/chain-kit'
import { testAddressCodec } from './address/addressCodec.js'
import { NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { buildDepositStep } from './deposit/buildDeposit.js'
import { resolveOptions, type TonOptions } from './options.js'
import { tonParts } from './parts.js'
import { hasEmulator } from './payout/emulation/emulator.js'
import { diagnose } from './read/diagnose.js'
import { isOwnerless, PLACEHOLDERS } from './read/recipients.js'

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

/** The currency of a network whose configuration does not list it. */
const NATIVE_CURRENCY = { address: NATIVE, symbol: 'TON', name: 'Toncoin', decimals: TON_DECIMALS }

/** One configured TON network: its own facts are here, all else is parts of core's kit. */
export const tonAdapter = (options: TonOptions, deps: ChainDeps) => {
  const { config } = deps
  const settings = resolveOptions(options, config.id)
  const { depository, depositAccount, isTestnet } = settings
  const { pool, wallets, chain, fees, simulator, deposits } = tonParts(settings, deps)
  return defineAdapter({
    identity: {
      ...{ config, vmType: 'tonvm', native: NATIVE_CURRENCY, nativeDecimals: TON_DECIMALS },
      ...(depositAccount === null ? {} : { moneyAccounts: { depositAccount } }),
      ...{ depository, maxAmount: MAX_AMOUNT },
      // The virtual machine is an optional peer.
      capabilities: { ...CAPABILITIES, simulation: hasEmulator() ? 'full' : 'balance-checks' },
      // The bytes of the main network are core's own.
      ...(isTestnet ? { addressCodec: testAddressCodec() } : {}),
      explorerPaths: { transaction: '/transaction/{TX_HASH}', address: '/{ADDRESS}', token: '/{ADDRESS}' },
    },
    forms: {
      validateAddress: (text) => validateAddress(text, { isTestnet }),
      normalizeCurrency: (text) => normalizeCurrency(text, { isTestnet }),
      checkTransactionId: bareHexId,
      placeholders: PLACEHOLDERS,
      ownerless: isOwnerless,
    },
    reader: { ...chain.reader, diagnose: (request) => diagnose(request, { pool, config, settings, wallets }) },
    payouts: {
      lane: chain.lane,
      estimatePayoutFee: (payout, simulation) => fees.payoutFee(payout, simulation),
      simulate: (payout) => simulator.simulate(payout),
    },
    deposits: {
      estimateDepositFee: ({ money }) => fees.depositFee(money.currency),
      buildDeposit: ({ from, money, orderId }) =>
        buildDepositStep({ from, depository, money, orderId }, { pool, wallets }),
      ...(deposits === null ? {} : { depositAddresses: deposits.addresses }),
    },
  })
}

export type TonAdapter = ReturnType<typeof tonAdapter>
