import type { Hex } from '@causeway/core'
import type { ChainDeps, ProviderView } from '@causeway/core/chain'
import {
  type AdapterDeposits,
  type AdapterExtras,
  type AdapterForms,
  type AdapterIdentity,
  type AdapterPayouts,
  type AdapterReader,
  defineAdapter,
  nativeCurrency,
  prefixedHexId,
} from '@causeway/core/chain-kit'
import { pad } from 'viem/utils'
import { isOwnerless, normalizeCurrency, PLACEHOLDERS, validateAddress, ZERO_ADDRESS } from './address/addresses.js'
import { recipientStatus } from './address/recipients.js'
import { buildDeposit, depositSize, depositSpending } from './deposit/buildDeposit.js'
import { EvmDirect } from './direct/evmDirect.js'
import { type EvmOptions, type EvmSettings, resolveOptions } from './options.js'
import { type EvmHooks, type EvmParts, evmParts, NATIVE_CURRENCY } from './parts.js'
import { readAccountGain } from './read/accountGain.js'
import { diagnose } from './read/diagnose.js'
import { verifyContracts } from './read/diagnosis/verifyContracts.js'
import { readTokens } from './read/tokenFacts.js'
import { encodeCursor } from './read/watch/cursor.js'
import { cursorFrom, Watcher } from './read/watch/watcher.js'
import { EvmSwaps } from './swap/evmSwaps.js'

/** One configured EVM chain. */
export const evmAdapter = (options: EvmOptions, deps: ChainDeps, hooks: EvmHooks = {}) => {
  const settings = resolveOptions(options, deps.config.id)
  const own: Own = { settings, deps, parts: evmParts(settings, deps, hooks) }
  return defineAdapter({
    identity: identityOf(own),
    forms: formsOf(own),
    reader: readerOf(own),
    payouts: payoutsOf(own),
    deposits: depositsOf(own),
    extras: extrasOf(own),
  })
}

export type EvmAdapter = ReturnType<typeof evmAdapter>

interface Own {
  readonly settings: EvmSettings
  readonly deps: ChainDeps
  readonly parts: EvmParts
}

const identityOf = ({ settings, deps: { config } }: Own): AdapterIdentity => ({
  config,
  vmType: 'evm',
  native: NATIVE_CURRENCY,
  nativeDecimals: NATIVE_CURRENCY.decimals,
  depository: settings.depository,
  moneyAccounts: moneyAccountsOf(settings),
  fillContract: settings.fillRouter,
  maxAmount: 2n ** 256n - 1n,
  capabilities: {
    tokens: true,
    destinationCalls: settings.fillRouter !== null || 'not-configured',
    simulation: 'full',
    bump: 'replace',
    depositBinding: 'contract-arg',
    refundToDepositor: true,
    gasTopup: settings.fillRouter !== null,
    walletSignIn: 'eip-4361',
  },
})

const moneyAccountsOf = ({ depositAddressFactory, permits, swap }: EvmSettings): Readonly<Record<string, string>> => ({
  ...(depositAddressFactory === null ? {} : { depositAddressFactory }),
  ...(permits === null ? {} : { permitRouter: permits.router, permit2: permits.permit2 }),
  ...(swap === null ? {} : { swapRouter: swap.router }),
})

const formsOf = ({ settings: { fillRouter } }: Own) =>
  ({
    validateAddress,
    normalizeCurrency,
    // Other than the default, it accepts wrong checksums.
    sameAddress: (left, right) => left.toLowerCase() === right.toLowerCase(),
    checkTransactionId: prefixedHexId,
    placeholders: PLACEHOLDERS,
    ownerless: isOwnerless,
    // ABI encoding of the fill contract's address (chains.md evm 5).
    orderExtraData: () => pad((fillRouter ?? ZERO_ADDRESS) as Hex, { size: 32 }),
  }) satisfies AdapterForms

const readerOf = ({ settings, deps: { config, logger }, parts }: Own) => {
  const { rpc, contracts, heads, monitor, tokens, tokenFacts, lookup } = parts
  return {
    ...parts.shell,
    ...lookup,
    getBalances: parts.balances,
    recipientStatus: async ({ address }) => recipientStatus(address, contracts),
    accountGain: (tx, account) => readAccountGain(rpc, settings.depository, tx, account),
    readToken: async (currency) => {
      if (currency !== ZERO_ADDRESS) return tokenFacts.read(currency)
      const { symbol, name, decimals } = nativeCurrency(config.currencies, NATIVE_CURRENCY, normalizeCurrency)
      return { symbol, name, decimals }
    },
    readAllowance: (approval) => parts.steps.readAllowance(approval),
    cursorAt: async (height) => encodeCursor(await cursorFrom(height, rpc)),
    watch: (cursor, live, signal) => {
      const watched = { ...contracts, tokens }
      return new Watcher({ live, rpc, heads, watched, monitor, settings, logger }).pages(cursor, signal)
    },
    verifyContracts: (expected) => verifyContracts(rpc, { config, settings }, expected),
    providerViews: () => ({
      providerCount: rpc.providerCount,
      providers: rpc.providers.map(
        (node): ProviderView => ({
          provider: node.provider,
          readTokens: (currencies) => readTokens(currencies, (calls) => node.batch(calls)),
          verifyContracts: (expected) => verifyContracts(node, { config, settings }, expected),
        }),
      ),
    }),
    diagnose: (request) => diagnose(request, { rpc, config, settings }),
  } satisfies AdapterReader
}

const payoutsOf = ({ settings: { fillRouter, swap }, parts: { lane, simulator, failures, payoutFees } }: Own) =>
  ({
    lane,
    simulate: (payout, gas) => simulator.simulate(payout, gas),
    estimatePayoutFee: (payout, simulation) => payoutFees.payoutFee(payout, simulation),
    explainFailure: (payout, simulation) => failures.explain(payout, simulation),
    spenders: [
      ...(fillRouter === null ? [] : [{ name: 'fill-router', address: fillRouter }]),
      ...(swap === null ? [] : [{ name: 'swap-router', address: swap.router }]),
    ],
  }) satisfies AdapterPayouts

const depositsOf = ({ parts: { contracts, steps, payoutFees, depositAddresses, signedDeposits } }: Own) =>
  ({
    estimateDepositFee: (request) => {
      const { gas, bytes } = depositSize(request)
      return payoutFees.quote(gas, bytes)
    },
    prefetchDeposit: (request) => {
      const spending = depositSpending(request, contracts)
      // The build of the deposit reports the failure.
      if (spending !== null) steps.allowance(spending).catch(() => undefined)
    },
    buildDeposit: async (request) => {
      const { context, allowing } = await steps.before(depositSpending(request, contracts))
      return [...allowing, buildDeposit(request, { ...context, contracts })]
    },
    ...(depositAddresses === null ? {} : { depositAddresses }),
    ...(signedDeposits === null ? {} : { signedDeposits }),
  }) satisfies AdapterDeposits

const extrasOf = ({ settings: { swap }, deps, parts: { rpc, users } }: Own) =>
  ({
    direct: new EvmDirect(users),
    contractWallets: users.contractWallets,
    ...(swap === null ? {} : { swaps: new EvmSwaps({ ...deps, chainId: deps.config.id, settings: swap, rpc }) }),
  }) satisfies AdapterExtras
