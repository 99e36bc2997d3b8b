import type { ChainDeps, ProviderView } from '@causeway/core/chain'
import {
  type AdapterDeposits,
  type AdapterExtras,
  type AdapterForms,
  type AdapterIdentity,
  type AdapterPayouts,
  type AdapterReader,
  base58SignatureId,
  defineAdapter,
  requireExplained,
} from '@causeway/core/chain-kit'
import { isOwnerless, NATIVE, normalizeCurrency, validateAddress } from './address/addresses.js'
import { readTransactions, UNREAD } from './deposit/depositLookup.js'
import { MAX_TRANSACTION_BYTES } from './deposit/measure.js'
import { programAddresses } from './deposit/program/programAddresses.js'
import { SvmDirect } from './direct/svmDirect.js'
import { resolveOptions, type SvmOptions, type SvmSettings } from './options.js'
import { formOf, NATIVE_CURRENCY, type SvmHooks, type SvmParts, svmParts } from './parts.js'
import { estimatePayoutFee } from './payout/payoutFees.js'
import { recipientStatus } from './payout/recipients.js'
import { readAccountGain } from './read/accountGain.js'
import { readBalances, reservedOf } from './read/balances.js'
import { diagnoseAccounts } from './read/diagnose/diagnoseAccounts.js'
import { diagnose } from './read/diagnose.js'
import { AccountReader } from './read/token/accountReader.js'
import { readTokens } from './read/tokenFacts.js'
import { cursorAt, encodeCursor } from './read/watch/cursor.js'
import { Watcher } from './read/watch/watcher.js'

/** Placeholder accounts of Solana and of Eclipse. */
const PLACEHOLDERS = ['CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr', 'CrfbABN2sSvmoZLu9eDDfXpaC2nHg42R7AXbHs9eg4S9']

/** One configured Solana chain. */
export const svmAdapter = (options: SvmOptions, deps: ChainDeps, hooks: SvmHooks = {}) => {
  const settings = resolveOptions(options, deps.config.id, deps.environment)
  requireVault(settings)
  const own: Own = { settings, deps, parts: svmParts(settings, deps, hooks) }
  const direct = directOf(own)
  const { sources } = own.parts
  return defineAdapter({
    identity: identityOf(own),
    forms: FORMS,
    reader: readerOf(own, direct),
    payouts: payoutsOf(own),
    deposits: depositsOf(own),
    extras: { direct, ...(sources === null ? {} : { swaps: sources }) } satisfies AdapterExtras,
  })
}

export type SvmAdapter = ReturnType<typeof svmAdapter>

interface Own {
  readonly settings: SvmSettings
  readonly deps: ChainDeps
  readonly parts: SvmParts
}

const identityOf = ({ settings: { depository, depositoryProgram }, deps: { config } }: Own): AdapterIdentity => ({
  config,
  vmType: 'svm',
  native: NATIVE_CURRENCY,
  nativeDecimals: NATIVE_CURRENCY.decimals,
  depository,
  ...(depositoryProgram === null ? {} : { moneyAccounts: { depositoryProgram } }),
  maxAmount: 2n ** 64n - 1n,
  capabilities: {
    tokens: true,
    simulation: 'full',
    bump: 'resign-after-expiry',
    depositBinding: depositoryProgram === null ? 'memo' : 'contract-arg',
    maxOriginTxBytes: MAX_TRANSACTION_BYTES,
    refundToDepositor: true,
    depositFeePayer: true,
    gasTopup: true,
  },
})

const FORMS = {
  validateAddress,
  normalizeCurrency,
  checkTransactionId: base58SignatureId,
  placeholders: PLACEHOLDERS,
  ownerless: isOwnerless,
} satisfies AdapterForms

const readerOf = ({ settings, deps: { config, logger }, parts }: Own, direct: SvmDirect) => {
  const { rpc, heads, pace, monitor, shell, lookup, watched, mints, accounts, fees } = parts
  const checked = { rpc, config, settings }
  return {
    ...shell,
    recheckDeposits: lookup.recheckDeposits,
    confirmDeposit: lookup.confirmDeposit,
    findTransaction: lookup.findTransaction,
    finalHeight: async () => (await heads.finalized()).slot,
    cursorAt: async (slot) => encodeCursor(cursorAt(slot)),
    watch: (cursor, live, signal) => {
      const { kinds: directKinds } = direct
      const addresses = () => watched()
      return new Watcher({ live, config, directKinds, rpc, heads, addresses, settings, monitor, logger }).pages(
        cursor,
        signal,
      )
    },
    getBalances: async (queries) => {
      const found = await readBalances(queries, { rpc, mints })
      requireExplained(found.height, pace)
      return { ...found, reserved: await reservedOf(queries, found.amounts, { depository: settings.depository, fees }) }
    },
    recipientStatus: statusOf(parts),
    accountGain: (tx, account) => readAccountGain((calls) => rpc.batch(calls), formOf(settings), tx, account),
    readToken: async (currency) => (await readTokens([currency], accounts))[0] ?? null,
    verifyContracts: (expected) => diagnoseAccounts(rpc, checked, expected),
    providerViews: () => ({
      providerCount: rpc.providerCount,
      providers: rpc.providers.map((node): ProviderView => {
        const own = new AccountReader({ rpc: { gather: (calls) => node.batch(calls) } })
        return {
          provider: node.provider,
          readTokens: (currencies) => readTokens(currencies, own),
          verifyContracts: (expected) => diagnoseAccounts(node, checked, expected),
        }
      }),
    }),
    diagnose: (request) => diagnose(request, checked),
  } satisfies AdapterReader
}

const payoutsOf = ({ parts: { lane, simulator, fees, settings, mints } }: Own) =>
  ({
    lane,
    estimatePayoutFee: (payout, simulation) => estimatePayoutFee(payout, simulation, { fees, settings, mints }),
    simulate: (payout) => simulator.simulate(payout),
  }) satisfies AdapterPayouts

const depositsOf = ({ parts: { deposits, depositAddresses, mints } }: Own) =>
  ({
    estimateDepositFee: (request) => deposits.estimate(request),
    buildDeposit: (request) => deposits.build(request),
    prefetchDeposit: ({ money }) => {
      // The builder of the deposit reports a failure.
      if (money.currency !== NATIVE) mints.read(money.currency).catch(() => undefined)
    },
    ...(depositAddresses === null ? {} : { depositAddresses }),
  }) satisfies AdapterDeposits

const statusOf = ({ accounts, mints, fees, settings: { depository } }: SvmParts) =>
  ((to, currency) => recipientStatus(to, currency, { accounts, mints, fees, depository })) satisfies NonNullable<
    AdapterReader['recipientStatus']
  >

const directOf = ({ settings, parts }: Own): SvmDirect => {
  const { rpc, heads, fees, mints, accounts, tables, userSwaps: swaps } = parts
  const status = statusOf(parts)
  return new SvmDirect({
    ...{ rpc, heads, fees, mints, accounts, tables, swaps, settings },
    status: (address, currency) => status({ address }, currency),
    read: async (id) => {
      const { readings } = await readTransactions([id], (calls) => rpc.batch(calls), formOf(settings))
      const { transaction, block } = readings.get(id) ?? UNREAD
      return transaction === null || block === null ? null : { transaction, block }
    },
  })
}

/** @throws Error where the depository is not the vault of its program, to which all deposits go */
const requireVault = ({ depository, depositoryProgram }: SvmSettings): void => {
  const vault = depositoryProgram === null ? depository : programAddresses(depositoryProgram).vault
  if (vault === depository) return
  throw new Error(`options.depository must be the vault of options.depositoryProgram, which is ${vault}.`)
}
