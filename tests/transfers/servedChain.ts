import { type ChainAccess, type ChainReader, loadChainTesting, type TestWallet } from '@causeway/core/testing'

/** A currency of a chain. */
export interface Currency {
  readonly address: string
  readonly symbol: string
  readonly decimals: number
}

/** A chain as its users see it: read at its node, so that no balance is taken on the service's word. */
export interface OpenedChain extends ChainAccess {
  /** Address of the currency that fees are paid in. */
  readonly nativeAddress: string
  readonly reader: ChainReader
  /** The wallet of a key, as the chain's wallets take it in. */
  openWallet(walletKey: string): TestWallet
}

/** A chain that a host serves, with what stands in its configuration. */
export interface ServedChain extends OpenedChain {
  readonly name: string
  readonly depository: string
  readonly currencies: readonly Currency[]
  /** Tokens that the solver does not hold. */
  readonly unlisted: readonly Currency[]
  /**
   * What lay in the depository before anything was deposited, of the native currency, and what it had paid for receiving that: it keeps the
   * account open and pays its fees.
   */
  readonly float: bigint
}

/** The `./testing` entry of a chain package of this workspace. @throws Error when it has none */
export const chainTestingOf = (packageName: string) =>
  loadChainTesting(packageName, (specifier) => import(/* @vite-ignore */ specifier))

/** Opens a chain with the library of its kind. */
export const openChain = async <Known extends ChainAccess>(
  packageName: string,
  known: Known,
): Promise<Known & OpenedChain> => {
  const testing = await chainTestingOf(packageName)
  return {
    ...known,
    nativeAddress: testing.native.address,
    reader: testing.readChain(known),
    openWallet: (walletKey) => testing.openWallet(known, walletKey),
  }
}

/** Opens a chain of a host into which nothing was deposited yet. */
export const openServed = async (
  packageName: string,
  known: ChainAccess & Omit<ServedChain, keyof OpenedChain | 'float'>,
): Promise<ServedChain> => {
  const chain = await openChain(packageName, known)
  const { depository } = known
  const float = await chain.reader.balance(depository, chain.nativeAddress)
  return { ...chain, float: float + (await receivingFees(chain, depository)) }
}

/** As `ChainReader.receivingFees`; 0 where receiving is free. */
export const receivingFees = async ({ reader }: OpenedChain, holder: string): Promise<bigint> =>
  (await reader.receivingFees?.(holder)) ?? 0n

/** @throws Error when the chain has no such currency */
export const currencyOf = (chain: ServedChain, symbol: string): Currency => {
  const found = [...chain.currencies, ...chain.unlisted].find((currency) => currency.symbol === symbol)
  if (found === undefined) throw new Error(`${chain.name} has no ${symbol}`)
  return found
}

/** What the chain's fees are paid in. @throws Error when the host lists no such currency */
export const nativeOf = (chain: ServedChain): Currency => {
  const found = chain.currencies.find(({ address }) => address === chain.nativeAddress)
  if (found === undefined) throw new Error(`${chain.name} has no native currency`)
  return found
}
