import type { Hex } from '@causeway/core'
import type { ContractRequest } from '@causeway/core/chain'
import { SetupError } from '@causeway/core/chain'
import { getAddress } from 'viem/utils'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { addressOfSigner } from '../lane/laneTransaction.js'
import { CANONICAL_PERMIT2 } from '../options.js'
import {
  type DeployedContract,
  depositAddressFactoryOf,
  depositoryOf,
  FILL_ROUTER,
  permitRouterOf,
  SWAP_ROUTER,
  withoutFormerFactory,
} from './contractAddresses.js'

/** Fee level, wei for one gas. */
export interface Fees {
  readonly legacy: boolean
  readonly max: bigint
  readonly tip: bigint
  readonly expected: bigint
}

/** The transaction of a step. */
export interface CallOfStep {
  readonly to: string
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
}

/** The one step whose transaction is the same on every chain and signed by nobody here. */
export const FACTORY_STEP = 'factory'

/** A contract as it should be: ours at its deterministic address, or where the configuration says. */
export interface WishedContract {
  readonly contract: DeployedContract
  /** Lower case. */
  readonly address: string
  /** The configuration names another address than ours: it is looked at, never deployed. */
  readonly adopted: boolean
}

/** What should be so on a chain, before anything was looked at. */
export interface ContractWishes {
  readonly slug: string
  readonly symbol: string
  readonly contracts: readonly WishedContract[]
  /** Lower case; null: not known here. */
  readonly owner: string | null
  readonly allocator: string | null
  readonly deployer: string | null
  readonly payout: { readonly address: string; readonly canSign: boolean } | null
  readonly tokens: readonly { readonly address: string; readonly symbol: string; readonly resets: boolean }[]
  /** Hashes of code of earlier releases that the configuration accepts, lower case. */
  readonly acceptedCode: ReadonlySet<string>
  readonly options: Readonly<Record<string, unknown>>
}

const textIn = (value: unknown, name: string): string | null => {
  const found: unknown = Reflect.get(Object(value), name)
  return typeof found === 'string' ? found.toLowerCase() : null
}

/** @throws SetupError when it cannot be said where the depository is to be */
export const contractWishes = ({ config, keys }: ContractRequest): ContractWishes => {
  const given = config.options
  const deployer = keys.deployer === null ? null : addressOfSigner(keys.deployer)
  const allocator = keys.allocator === null ? null : addressOfSigner(keys.allocator)
  const owner = textIn(given, 'owner') ?? deployer
  const named = textIn(given, 'depository')
  const depository = depositoryWish({ named, owner, allocator, slug: config.slug })
  const options = withoutFormerFactory(given, depository.address)
  const factory = wishOf(depositAddressFactoryOf(depository.address), textIn(options, 'depositAddressFactory'))
  const fillRouter = wishOf(FILL_ROUTER, textIn(options, 'fillRouter'))
  const swapRouter = wishOf(SWAP_ROUTER, textIn(options.swap, 'router'))
  const permit2 = textIn(options, 'permit2') ?? CANONICAL_PERMIT2
  const permitRouter = wishOf(permitRouterOf(depository.address, permit2), textIn(options, 'permitRouter'))
  const resets = new Set(Array.isArray(options.zeroResetTokens) ? options.zeroResetTokens.map(lower) : [])
  const payout = keys.payout === null ? config.solver?.toLowerCase() : addressOfSigner(keys.payout)
  return {
    slug: config.slug,
    symbol: config.currencies.find(({ address }) => address === ZERO_ADDRESS)?.symbol ?? 'native currency',
    contracts: [depository, factory, fillRouter, swapRouter, permitRouter],
    owner,
    allocator,
    deployer,
    payout: payout === undefined ? null : { address: payout, canSign: keys.payout !== null },
    tokens: config.currencies
      .map(({ address, symbol }) => ({ address: address.toLowerCase(), symbol }))
      .filter(({ address }) => address !== ZERO_ADDRESS)
      .map((token) => ({ ...token, resets: resets.has(token.address) })),
    acceptedCode: new Set(Array.isArray(options.acceptedCodeHashes) ? options.acceptedCodeHashes.map(lower) : []),
    options: {
      ...options,
      ...(owner === null ? {} : { owner: getAddress(owner) }),
      depository: getAddress(depository.address),
      fillRouter: getAddress(fillRouter.address),
      depositAddressFactory: getAddress(factory.address),
      permitRouter: getAddress(permitRouter.address),
      ...(options.swap === undefined
        ? {}
        : { swap: { ...Object(options.swap), router: getAddress(swapRouter.address) } }),
    },
  }
}

const lower = (value: unknown): string => String(value).toLowerCase()

const wishOf = (contract: DeployedContract, named: string | null): WishedContract => ({
  contract,
  address: named ?? contract.address,
  adopted: named !== null && named !== contract.address,
})

const depositoryWish = (known: {
  readonly named: string | null
  readonly owner: string | null
  readonly allocator: string | null
  readonly slug: string
}): WishedContract => {
  const { named, owner, allocator, slug } = known
  if (owner !== null && allocator !== null) return wishOf(depositoryOf(owner, allocator), named)
  if (named === null)
    throw new SetupError(
      `Where the depository of ${slug} is to be follows from its owner and its allocator: set "owner" in the chain's options (or name a deployer key), and run this where the allocator key is.`,
    )
  // Without both, the code can be compared and the address cannot be told to be ours.
  return { contract: depositoryOf(named, named), address: named, adopted: true }
}
