import type { PluginContext, Provide } from '@causeway/core/plugin'
import { type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe'
import type { LoadedPlugin } from './loadPackages.js'

/** A plugin with its own container: what its hooks are called with. */
export interface ActivePlugin extends LoadedPlugin {
  readonly context: PluginContext<unknown>
}

type Factory = (container: DependencyContainer) => unknown

/** What several plugins add to: `resolve` gives one list, the host's own entries first. */
class SharedLists {
  readonly #root: DependencyContainer
  readonly #added = new Map<InjectionToken, (() => unknown)[]>()

  constructor(root: DependencyContainer) {
    this.#root = root
  }

  add(token: InjectionToken, make: () => unknown): void {
    const known = this.#added.get(token)
    if (known !== undefined) {
      known.push(make)
      return
    }
    const makers = [make]
    this.#added.set(token, makers)
    const own: unknown = this.#root.resolve(token)
    // The last registration of a token is the one that counts.
    this.#root.register(token, {
      useFactory: instanceCachingFactory(() => [own, ...makers.map((maker) => maker())].flat()),
    })
  }
}

/**
 * Gives each plugin a container of its own, below the root, and lets it register. What it provides goes into the root and is
 * made on first use; anything else stays its own.
 */
export const setUpPlugins = async (
  root: DependencyContainer,
  plugins: readonly LoadedPlugin[],
  shared: ReadonlySet<InjectionToken>,
): Promise<readonly ActivePlugin[]> => {
  const lists = new SharedLists(root)
  const active: ActivePlugin[] = []
  for (const loaded of plugins) {
    const container = root.createChildContainer()
    const declared = new Set(loaded.plugin.provides ?? [])
    const provide = (token: InjectionToken, factory: Factory) => {
      if (!declared.has(token)) {
        throw new Error(`${loaded.plugin.name} registers ${String(token)}, which its "provides" does not list.`)
      }
      if (shared.has(token)) lists.add(token, () => factory(container))
      else root.register(token, { useFactory: instanceCachingFactory(() => factory(container)) })
    }
    const context = { container, options: loaded.options }
    // CAST: `provide` is generic in what a token stands for, which has no meaning here.
    await loaded.plugin.register?.({ ...context, provide: provide as Provide['provide'] })
    active.push({ ...loaded, context })
  }
  return active
}
