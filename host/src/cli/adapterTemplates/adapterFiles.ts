import { ADAPTER } from './adapterSource.js'
import { LANE } from './laneSource.js'
import { GITIGNORE, INDEX, manifestText, OPTIONS, README, TO_BE_DONE, TSCONFIG } from './packageFiles.js'
import { CONFORMANCE, HARNESS, LOCAL_CHAIN, TESTING } from './testingSource.js'

export interface AdapterFacts {
  /** Name of the npm package. */
  readonly name: string
  /** Lower-case letters and digits. */
  readonly chain: string
  readonly coreVersion: string
}

/** Files of a new chain package by path. Every method either has a sensible default or says what is to be done. */
export const adapterFiles = (facts: AdapterFacts): Readonly<Record<string, string>> => {
  const fill = (text: string): string =>
    text
      .replaceAll('__PACKAGE__', facts.name)
      .replaceAll('__CHAIN__', facts.chain)
      .replaceAll('__CLASS__', `${facts.chain.charAt(0).toUpperCase()}${facts.chain.slice(1)}`)
      .trimStart()
  return {
    'package.json': manifestText(facts),
    'tsconfig.json': TSCONFIG,
    '.gitignore': GITIGNORE,
    'README.md': fill(README),
    'src/index.ts': fill(INDEX),
    'src/options.ts': fill(OPTIONS),
    'src/adapter.ts': fill(ADAPTER),
    'src/lane.ts': fill(LANE),
    'src/toBeDone.ts': fill(TO_BE_DONE),
    'src/testing/index.ts': fill(TESTING),
    'src/testing/localChain.ts': fill(LOCAL_CHAIN),
    'src/testing/harness.ts': fill(HARNESS),
    'src/testing/conformance.ts': fill(CONFORMANCE),
  }
}
