import type { Capabilities, ChainAdapter } from '../../chain/chainAdapter.js'
import type { ChainConfig } from '../../chain/chainPackage.js'
import type { Destination } from '../../chain/chainReferences.js'
import type { Hex } from '../../money/hex.js'
import { nativeCurrency } from './nativeCurrency.js'
import { sameAddressBy } from './sameAddress.js'

/** Members of a port: those that it must have, and those that it may have. */
type Port<Must extends keyof ChainAdapter, May extends keyof ChainAdapter> = Pick<ChainAdapter, Must> &
  Partial<Pick<ChainAdapter, May>>

/** What a chain can do beyond the least. Each member that is absent stands for: it cannot. */
export type DeclaredCapabilities = Pick<Capabilities, 'bump' | 'depositBinding'> &
  Partial<Omit<Capabilities, 'bump' | 'depositBinding'>>

/** Which chain it is, its native currency, and the accounts that money goes through. */
export interface AdapterIdentity
  extends Port<
    'vmType' | 'native' | 'depository' | 'maxAmount',
    'nativeDecimals' | 'moneyAccounts' | 'fillContract' | 'addressCodec'
  > {
  /** Gives id and slug, and the native currency as the operator lists it; `native` is what it is called where nobody lists it. */
  readonly config: Pick<ChainConfig, 'id' | 'slug' | 'currencies'>
  readonly capabilities: DeclaredCapabilities
  /** Paths on a block explorer with `{TX_HASH}` or `{ADDRESS}`. Absent: `/tx/`, `/address/` and `/token/`. */
  readonly explorerPaths?: ReturnType<ChainAdapter['explorerPaths']>
}

/** How addresses, currencies, transaction ids and amounts are written. Pure and synchronous. */
export type AdapterForms = Port<
  'validateAddress' | 'normalizeCurrency',
  | 'sameAddress'
  | 'checkTransactionId'
  | 'shownTransactionId'
  | 'placeholders'
  | 'ownerless'
  | 'orderExtraData'
  | 'payable'
>

/** What is read of the chain. */
export type AdapterReader = Port<
  | 'start'
  | 'stop'
  | 'tip'
  | 'onHead'
  | 'watch'
  | 'recheckDeposits'
  | 'confirmDeposit'
  | 'findTransaction'
  | 'getBalances',
  | 'poke'
  | 'cursorAt'
  | 'endpoints'
  | 'onDisagreement'
  | 'finalHeight'
  | 'recipientStatus'
  | 'accountGain'
  | 'readToken'
  | 'readAllowance'
  | 'verifyContracts'
  | 'providerViews'
  | 'diagnose'
>

/** How money leaves, and what that costs. */
export type AdapterPayouts = Port<'lane' | 'simulate' | 'estimatePayoutFee', 'explainFailure' | 'spenders'>

/** How users bring money in. */
export type AdapterDeposits = Port<
  'estimateDepositFee' | 'buildDeposit',
  'prefetchDeposit' | 'depositAddresses' | 'signedDeposits'
>

/** What few chains have: swaps, transactions that users carry out alone, wallets that are contracts. */
export type AdapterExtras = Port<never, 'swaps' | 'direct' | 'contractWallets'>

/** The parts of an adapter. */
export interface AdapterParts {
  readonly identity: AdapterIdentity
  readonly forms: AdapterForms
  readonly reader: AdapterReader
  readonly payouts: AdapterPayouts
  readonly deposits: AdapterDeposits
  readonly extras?: AdapterExtras
}

const CAPABILITIES: Omit<Capabilities, 'bump' | 'depositBinding'> = {
  tokens: false,
  destinationCalls: false,
  simulation: 'balance-checks',
  mempoolVisibility: false,
  destinationTag: false,
  maxOriginTxBytes: null,
  refundToDepositor: false,
}

const EXPLORER_PATHS = { transaction: '/tx/{TX_HASH}', address: '/address/{ADDRESS}', token: '/token/{ADDRESS}' }

/** An adapter that surely has the members of its parts. */
export type DefinedAdapter<Parts extends AdapterParts> = ChainAdapter &
  Parts['forms'] &
  Parts['reader'] &
  Parts['payouts'] &
  Parts['deposits'] &
  (Parts extends { readonly extras: infer Extras } ? Extras : unknown)

/**
 * Makes an adapter of its parts: a plain object with all defaults filled in. A member that is absent means that the chain cannot, and its
 * doc comment says what the service does then. Members must not depend on `this`.
 */
export const defineAdapter = <Parts extends AdapterParts>(parts: Parts): DefinedAdapter<Parts> => {
  const { identity, forms, reader, payouts, deposits, extras } = parts
  const { config, native, capabilities, explorerPaths = EXPLORER_PATHS, ...own } = identity
  const adapter: ChainAdapter = {
    fillContract: null,
    sameAddress: sameAddressBy((text) => forms.validateAddress(text)),
    orderExtraData: tagBytes,
    recipientStatus: async ({ address }) =>
      address === own.depository
        ? { canReceive: false, why: 'The depository is not a recipient.' }
        : { canReceive: true },
    ...own,
    ...forms,
    ...reader,
    ...payouts,
    ...deposits,
    ...extras,
    chainId: config.id,
    slug: config.slug,
    native: nativeCurrency(config.currencies, native, (text) => forms.normalizeCurrency(text)),
    capabilities: { ...CAPABILITIES, ...capabilities },
    explorerPaths: () => explorerPaths,
  }
  // CAST: TypeScript does not resolve whether `Parts` has extras.
  return adapter as DefinedAdapter<Parts>
}

/** The tag of whom is paid, four bytes; empty without one (chains.md xrpvm 2). */
const tagBytes = ({ tag }: Destination): Hex => (tag === undefined ? '0x' : `0x${tag.toString(16).padStart(8, '0')}`)
