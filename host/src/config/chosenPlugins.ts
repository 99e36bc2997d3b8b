import type { ConfigProblem } from './configProblem.js'
import { DEFAULT_PLUGINS } from './schema/defaultPlugins.js'
import type { ConfiguredPlugin } from './schema/schema.js'

/** An entry of `plugins`, with its short form written out and defaults filled in. */
export interface PluginEntry {
  readonly package: string
  readonly options: Readonly<Record<string, unknown>>
  readonly enabled: boolean
}

/** The configuration as it was written. */
interface Written {
  readonly defaultPlugins?: unknown
}

const isDefault = (name: string): boolean => DEFAULT_PLUGINS.some((known) => known === name)

/** The plugins that run: those that come with Causeway, as `plugins` changes them, then what it adds. */
export const chosenPlugins = (
  entries: readonly PluginEntry[],
  { withDefaults }: { readonly withDefaults: boolean },
): readonly ConfiguredPlugin[] => {
  const placed = entries.map((entry, at) => ({ ...entry, path: `plugins[${at}]` }))
  const own = withDefaults ? placed.filter((entry) => !isDefault(entry.package)) : placed
  const defaults = (withDefaults ? DEFAULT_PLUGINS : []).map(
    (name) =>
      placed.find((entry) => entry.package === name) ?? { package: name, options: {}, enabled: true, path: 'plugins' },
  )
  return [...defaults, ...own]
    .filter(({ enabled }) => enabled)
    .map(({ package: name, options, path }) => ({ package: name, options, path }))
}

/** Problems of a list of plugins: one named twice, one taken out that was never in, and a list of the older kind. */
export const pluginProblems = (entries: readonly PluginEntry[], written: Written): readonly ConfigProblem[] => [
  ...namedTwice(entries),
  ...entries.flatMap((entry, at) =>
    entry.enabled || (isDefault(entry.package) && written.defaultPlugins !== false)
      ? []
      : [
          {
            path: `plugins[${at}].enabled`,
            message: `is false for ${entry.package}, which would not run anyway.`,
            remedy: 'Remove the entry.',
          },
        ],
  ),
  ...olderKind(entries, written),
]

const namedTwice = (entries: readonly PluginEntry[]): readonly ConfigProblem[] =>
  entries.flatMap((entry, at) => {
    const first = entries.findIndex((other) => other.package === entry.package)
    if (first === at) return []
    const message = `is "${entry.package}", which plugins[${first}] has already.`
    return [{ path: `plugins[${at}]`, message, remedy: 'List each plugin once.' }]
  })

/**
 * A list once took the place of the default one. One that names plugins of it as they are, and leaves others out, was written
 * for that: it would run more than its author meant, so it is refused until it says which is meant.
 */
const olderKind = (entries: readonly PluginEntry[], written: Written): readonly ConfigProblem[] => {
  if (written.defaultPlugins !== undefined) return []
  const named = entries.filter((entry) => isDefault(entry.package))
  const asTheyAre = named.filter(({ options, enabled }) => enabled && Object.keys(options).length === 0)
  const left = DEFAULT_PLUGINS.filter((name) => !named.some((entry) => entry.package === name))
  if (asTheyAre.length === 0 || left.length === 0) return []
  return [
    {
      path: 'plugins',
      message: `names ${asTheyAre[0]?.package ?? ''}, which runs anyway, and leaves ${left.length} others out, such as ${left[0]}: the list adds to those that come with Causeway.`,
      remedy:
        'Set "defaultPlugins" to false to run these only, or to true to run the others too; "enabled": false takes a single one out.',
    },
  ]
}
