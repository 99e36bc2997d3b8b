import type { ChainDeps } from '@causeway/core/chain'
import {
  type AdapterDeposits,
  type AdapterForms,
  type AdapterIdentity,
  type AdapterPayouts,
  type AdapterReader,
  bareHexId,
  defineAdapter,
} from '@causeway/core/chain-kit'
import { bitcoinAddressCodec } from './address/addressCodec.js'
import { isOwnerless, normalizeCurrency, parseAddress, placeholdersOn, validateAddress } from './address/addresses.js'
import { recipientStatus } from './address/recipients.js'
import { buildDeposit } from './deposit/buildDeposit.js'
import { fingerprintOf } from './depositAddress/depositAddress.js'
import { type BvmOptions, type BvmSettings, resolveOptions } from './options.js'
import { type BvmParts, bvmParts, NATIVE_CURRENCY } from './parts.js'
import { depositFeeQuote, payoutFeeQuote } from './payout/payoutFees.js'
import { simulatePayout } from './payout/simulator.js'
import { scriptGain } from './read/accountGain.js'
import { diagnose, diagnoseDepository } from './read/diagnose.js'
import { firstBlock } from './read/watch/commonHeight.js'
import { encodeCursor } from './read/watch/cursor.js'
import { watchPages } from './read/watch/watcher.js'

/** All satoshis that can ever exist. */
const MAX_SATOSHIS = 2_100_000_000_000_000n

/** One configured Bitcoin chain. */
export const bvmAdapter = (options: BvmOptions, deps: ChainDeps) => {
  const settings = resolveOptions(options, deps.config.id)
  const own: Own = { settings, config: deps.config, parts: bvmParts(settings, deps) }
  return defineAdapter({
    identity: identityOf(own),
    forms: formsOf(own),
    reader: readerOf(own),
    payouts: payoutsOf(own),
    deposits: depositsOf(own),
  })
}

export type BvmAdapter = ReturnType<typeof bvmAdapter>

interface Own {
  readonly settings: BvmSettings
  readonly config: ChainDeps['config']
  readonly parts: BvmParts
}

const identityOf = ({ settings: { network, depository, depositAccount: account }, config }: Own): AdapterIdentity => ({
  config,
  vmType: 'bvm',
  native: NATIVE_CURRENCY,
  nativeDecimals: NATIVE_CURRENCY.decimals,
  depository: depository.address,
  ...(account === null ? {} : { moneyAccounts: { depositAccount: fingerprintOf(account) } }),
  maxAmount: MAX_SATOSHIS,
  capabilities: {
    bump: 'replace',
    mempoolVisibility: true,
    depositBinding: 'memo',
    refundToDepositor: true,
    // On average; one block in four hundred takes more than an hour.
    headIntervalSeconds: 600,
  },
  // The bytes of the main network are core's own.
  ...(network.name === 'mainnet' ? {} : { addressCodec: bitcoinAddressCodec(network) }),
  explorerPaths: { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/address/{ADDRESS}' },
})

const formsOf = ({ settings: { network } }: Own) =>
  ({
    validateAddress: (text) => validateAddress(text, network),
    normalizeCurrency,
    checkTransactionId: bareHexId,
    placeholders: placeholdersOn(network),
    ownerless: (address) => isOwnerless(address, network),
  }) satisfies AdapterForms

const readerOf = ({ settings, config, parts: { pool, shell, lookup, watcherOf, balances } }: Own) =>
  ({
    ...shell,
    ...lookup,
    getBalances: balances,
    recipientStatus: async (to, currency) => recipientStatus(to, currency, settings),
    accountGain: async ({ id }, { address }) => {
      const account = parseAddress(address, settings.network)
      const transaction = account.ok ? await pool.ask((source) => source.transaction(id)) : null
      return account.ok && transaction !== null ? scriptGain(transaction, account.script) : null
    },
    cursorAt: async (height) => {
      const block = await pool.ask((source) => firstBlock(source, height))
      return encodeCursor({ blocks: [block], candidates: new Map(), waiting: new Map() })
    },
    watch: (cursor, live, signal) => watchPages(cursor, signal, watcherOf(live)),
    verifyContracts: async (expected) => [diagnoseDepository(expected, { config, settings })],
    diagnose: (request) => diagnose(request, { pool, config, settings }),
  }) satisfies AdapterReader

const payoutsOf = ({ settings, parts: { lane, builder, fees } }: Own) =>
  ({
    lane,
    simulate: (payout) => simulatePayout(payout, builder),
    estimatePayoutFee: async (payout, simulation) => payoutFeeQuote(payout, simulation, await fees.rate(), settings),
  }) satisfies AdapterPayouts

const depositsOf = ({ settings, parts: { pool, fees, depositAddresses } }: Own) =>
  ({
    estimateDepositFee: async ({ from }) => depositFeeQuote(from, await fees.rate(), settings),
    buildDeposit: (request) => {
      const { network, depository } = settings
      return buildDeposit(request, { pool, network, depository, fees })
    },
    ...(depositAddresses === null ? {} : { depositAddresses }),
  }) satisfies AdapterDeposits
