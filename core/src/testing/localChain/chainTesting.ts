import type { CurrencyConfig } from '../../chain/chainPackage.js'
import type { LocalChain, LocalChainOptions, RunningChain } from './localChain.js'
import type { SandboxChain } from './sandboxChain.js'
import type { ChainAccess, ChainReader, TestKey, TestWallet } from './testWallet.js'

/**
 * What the `./testing` entry of every chain package exports under the name `chainTesting`: a local chain, a user's wallet, and
 * what a sandbox needs to run a deployment on it. `loadChainTesting` finds it by the name of the package.
 */
export interface ChainTesting {
  /** That of its adapter. */
  readonly vmType: string
  /** What fees are paid in, as a configuration lists it. */
  readonly native: CurrencyConfig
  /** The account of 32 secret bytes; of random ones it is one that nobody used before. */
  keyOf(secret: Uint8Array): TestKey
  /** Starts a local chain on 127.0.0.1. @throws Error with the end of its log when it does not start */
  startLocalChain(options: LocalChainOptions): Promise<LocalChain>
  /** Handle of a chain that already runs, for example one that outlived its starter. @throws Error when it does not answer, or is another one */
  adoptLocalChain(running: RunningChain): Promise<LocalChain>
  /** The chain at its node, by the ecosystem's own library. */
  readChain(access: ChainAccess): ChainReader
  /** The wallet of a key, as `TestKey.walletKey` spells it. @throws Error when it is none */
  openWallet(access: ChainAccess, walletKey: string): TestWallet
  readonly sandbox: SandboxChain
}

/** Whether a module exports the contract; a package made for an older core may not. */
const hasTesting = (module: unknown): module is { readonly chainTesting: ChainTesting } =>
  typeof Reflect.get(Object(Reflect.get(Object(module), 'chainTesting')), 'startLocalChain') === 'function'

/**
 * The local chain of an installed chain package.
 * @param load imports a module by its name, from where the package is installed
 * @throws Error when the package exports no such thing
 */
export const loadChainTesting = async (
  name: string,
  load: (specifier: string) => Promise<unknown>,
): Promise<ChainTesting> => {
  const module = await load(`${name}/testing`)
  if (hasTesting(module)) return module.chainTesting
  throw new Error(
    `${name}/testing exports no chainTesting: the package has no local chain of this contract (core/docs/kit/local-chain.md).`,
  )
}
