import type { ChainPackage } from '@causeway/core/chain'
import type { InjectionToken } from 'tsyringe'
import type { ConfigProblem } from '../config/configProblem.js'
import type { LoadedConfig } from '../config/loadConfig.js'
import type { ConfiguredChain } from '../config/schema/schema.js'
import { schemaProblems } from '../config/schema/schemaProblems.js'
import { orderPlugins, type PlacedPlugin } from './orderPlugins.js'
import { asChainPackage, asPlugin } from './packageShape.js'
import { PackageError, PackageSource } from './packageSource.js'

/** A plugin with its checked options, defaults filled in. */
export interface LoadedPlugin extends PlacedPlugin {
  readonly options: Readonly<Record<string, unknown>>
}

export interface LoadedChain {
  readonly chain: ConfiguredChain
  readonly package: ChainPackage
}

export interface LoadedPackages {
  /** In the order in which they are set up. */
  readonly plugins: readonly LoadedPlugin[]
  readonly chains: readonly LoadedChain[]
}

export interface ContainerTokens {
  /** What the host registers. */
  readonly given: ReadonlySet<InjectionToken>
  /** Extension points: several plugins may add to them. */
  readonly shared: ReadonlySet<InjectionToken>
}

type Attempt<T> = { readonly value: T } | { readonly problem: ConfigProblem }

const attempt = async <T>(path: string, name: string, load: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { value: await load() }
  } catch (error) {
    if (!(error instanceof PackageError)) throw error
    return { problem: { path, message: `${name} ${error.message}`, remedy: error.remedy } }
  }
}

/**
 * Loads the packages a configuration names, and only those, and checks them before anything is started: each bad package
 * gives one clear problem, all at once (architecture.md 2).
 * @throws ConfigError
 */
export const loadPackages = async (loaded: LoadedConfig, tokens: ContainerTokens): Promise<LoadedPackages> => {
  const { config } = loaded
  const source = new PackageSource(loaded.folder)
  const [plugins, chains] = await Promise.all([
    Promise.all(
      config.plugins.map(({ package: name, path }) =>
        attempt(path, name, async () => asPlugin(await source.load(name))),
      ),
    ),
    Promise.all(
      config.chains.map(({ package: name }, at) =>
        attempt(`chains[${at}].package`, name, async () => asChainPackage(await source.load(name))),
      ),
    ),
  ])
  const problems: ConfigProblem[] = []
  const placed: LoadedPlugin[] = []
  plugins.forEach((result, at) => {
    if ('problem' in result) {
      problems.push(result.problem)
      return
    }
    const { options = {}, path = '' } = config.plugins[at] ?? {}
    problems.push(...schemaProblems(result.value.options, options, `${path}.options`))
    placed.push({ plugin: result.value, path, options })
  })
  const loadedChains: LoadedChain[] = []
  config.chains.forEach((chain, at) => {
    const result = chains[at]
    if (result === undefined) return
    if ('problem' in result) {
      problems.push(result.problem)
      return
    }
    problems.push(...schemaProblems(result.value.options, chain.options, `chains[${at}].options`))
    loadedChains.push({ chain, package: result.value })
  })
  // With plugins missing, what the others require would be reported a second time.
  const order = orderPlugins({ plugins: placed, ...tokens })
  if (placed.length === config.plugins.length) problems.push(...order.problems)
  if (problems.length > 0) throw loaded.fail(problems)
  return { plugins: order.ordered, chains: loadedChains }
}
