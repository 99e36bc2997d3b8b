import type { Plugin } from '@causeway/core/plugin'
import type { InjectionToken } from 'tsyringe'
import type { ConfigProblem } from '../config/configProblem.js'

/** A plugin with its place in the configuration. */
export interface PlacedPlugin {
  readonly plugin: Plugin
  readonly path: string
}

const textOf = (token: InjectionToken): string => {
  const name = typeof token === 'symbol' ? (token.description ?? 'unnamed') : String(token)
  return name.replace(/^@causeway\//, '')
}

export interface OrderInput<P extends PlacedPlugin> {
  readonly plugins: readonly P[]
  /** What the host itself registers. */
  readonly given: ReadonlySet<InjectionToken>
  /** Tokens that several plugins may add to. */
  readonly shared: ReadonlySet<InjectionToken>
}

export interface Ordered<P extends PlacedPlugin> {
  readonly ordered: readonly P[]
  readonly problems: readonly ConfigProblem[]
}

/**
 * Puts every plugin after those that provide what it requires, else in the order of the configuration. Reports tokens that
 * nobody provides, that two provide, and every cycle with its path.
 */
export const orderPlugins = <P extends PlacedPlugin>({ plugins, given, shared }: OrderInput<P>): Ordered<P> => {
  const problems: ConfigProblem[] = []
  const providers = new Map<InjectionToken, P[]>()
  for (const placed of plugins) {
    for (const token of placed.plugin.provides ?? []) {
      const others = providers.get(token) ?? []
      providers.set(token, [...others, placed])
      const before = given.has(token) && !shared.has(token) ? 'the host' : others[0]?.plugin.name
      if (before !== undefined && !shared.has(token)) problems.push(providedTwice(placed, token, before))
    }
  }
  const ordered: P[] = []
  const state = new Map<P, 'visiting' | 'done'>()
  const trail: { readonly placed: P; readonly token: InjectionToken }[] = []

  const visit = (placed: P): void => {
    if (state.get(placed) === 'done') return
    if (state.get(placed) === 'visiting') {
      problems.push(cycleOf(placed, trail))
      return
    }
    state.set(placed, 'visiting')
    for (const token of placed.plugin.requires ?? []) {
      const sources = (providers.get(token) ?? []).filter((source) => source !== placed)
      if (sources.length === 0 && !given.has(token)) problems.push(missing(placed, token))
      trail.push({ placed, token })
      for (const source of sources) visit(source)
      trail.pop()
    }
    state.set(placed, 'done')
    ordered.push(placed)
  }
  for (const placed of plugins) visit(placed)
  return { ordered, problems }
}

const missing = ({ plugin, path }: PlacedPlugin, token: InjectionToken): ConfigProblem => ({
  path,
  message: `${plugin.name} requires ${textOf(token)}, which nothing here provides.`,
  remedy: 'Add the plugin that provides it to "plugins".',
})

const providedTwice = ({ plugin, path }: PlacedPlugin, token: InjectionToken, before: string): ConfigProblem => ({
  path,
  message: `${plugin.name} provides ${textOf(token)}, which ${before} provides already.`,
  remedy: 'Remove one of the two.',
})

const cycleOf = <P extends PlacedPlugin>(
  start: P,
  trail: readonly { readonly placed: P; readonly token: InjectionToken }[],
): ConfigProblem => {
  const steps = trail.slice(trail.findIndex(({ placed }) => placed === start))
  const words = steps.map(({ placed, token }) => `${placed.plugin.name} requires ${textOf(token)} of`)
  return {
    path: start.path,
    message: `is in a cycle: ${words.join(' ')} ${start.plugin.name}.`,
    remedy: 'Remove one of them; their authors must break the circle.',
  }
}
