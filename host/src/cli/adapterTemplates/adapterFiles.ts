import { fillTemplate } from '../packageTemplates/fillTemplate.js'
import { coreRange, manifestText, PREPACK } from '../packageTemplates/manifestText.js'
import { GITIGNORE, TSCONFIG } from '../packageTemplates/settingFiles.js'
import { ACCOUNT_DEPOSITS, ACCOUNT_PARTS, ACCOUNT_PAYMENTS } from './accountFamilySource.js'
import type { AdapterFacts, ChainFamily } from './adapterFacts.js'
import { ADAPTER } from './adapterSource.js'
import { BLOCK_DEPOSITS, BLOCK_PARTS } from './blockFamilySource.js'
import { ADDRESS, FAMILY_ADAPTER, NODES } from './familyAdapterSource.js'
import { LANE } from './laneSource.js'
import { INDEX, OPTIONS, README, TO_BE_DONE } from './packageFiles.js'
import { CHAIN_TESTING, CONFORMANCE, HARNESS, LOCAL_CHAIN, TESTING } from './testingSource.js'

const WIRED = { 'src/adapter.ts': FAMILY_ADAPTER, 'src/address.ts': ADDRESS, 'src/nodes.ts': NODES }
const BLOCKS = { ...WIRED, 'src/parts.ts': BLOCK_PARTS, 'src/deposits.ts': BLOCK_DEPOSITS, 'src/lane.ts': LANE }

/** What is a family's own. */
const OWN_FILES: Record<ChainFamily, Readonly<Record<string, string>>> = {
  account: {
    ...WIRED,
    'src/parts.ts': ACCOUNT_PARTS,
    'src/deposits.ts': ACCOUNT_DEPOSITS,
    'src/payments.ts': ACCOUNT_PAYMENTS,
  },
  utxo: BLOCKS,
  contract: BLOCKS,
}

/** What the places of those files are filled in with. */
const OWN_WORDS: Record<ChainFamily, Readonly<Record<string, string>>> = {
  account: { BUMP: 'resign-after-expiry', BINDING: 'memo' },
  utxo: { BUMP: 'replace', BINDING: 'memo', DEPOSITS: 'the outputs of blocks that pay the depository' },
  contract: { BUMP: 'replace', BINDING: 'contract-arg', DEPOSITS: 'the events of the depository contract' },
}

/** Step of the README that names the files of forms and reading. */
const CONTRACT_READING =
  '`src/adapter.ts`: addresses and currencies first; they need no chain. Then heads, balances, deposits, the watcher.'
const FAMILY_READING = `\`src/address.ts\`: addresses and currencies, which need no chain, and \`addressCodec\` in \`src/adapter.ts\`. Then
   \`src/nodes.ts\` (heads), \`src/parts.ts\` (balances), \`src/deposits.ts\` (deposits, the watcher).`

/** Files of a new chain package by path. Every method either has a sensible default or says what is to be done. */
export const adapterFiles = ({ name, chain, coreVersion, family }: AdapterFacts): Readonly<Record<string, string>> => {
  const fill = (text: string): string =>
    fillTemplate(text, {
      PACKAGE: name,
      CHAIN: chain,
      CLASS: `${chain.charAt(0).toUpperCase()}${chain.slice(1)}`,
      RANGE: coreRange(coreVersion),
      PAYMENTS: family === 'account' ? 'payments' : 'lane',
      READING: family === null ? CONTRACT_READING : FAMILY_READING,
      ...(family === null ? {} : OWN_WORDS[family]),
    })
  const own = family === null ? { 'src/adapter.ts': ADAPTER, 'src/lane.ts': LANE } : OWN_FILES[family]
  return {
    'package.json': manifestText({
      name,
      description: `The chain ${chain} for Causeway`,
      coreVersion,
      entries: { '.': 'index', './testing': 'testing/index' },
      files: ['dist'],
      scripts: {
        build: 'tsc',
        test: 'npm run conformance',
        conformance: 'tsc && node dist/testing/conformance.js',
        prepack: PREPACK,
      },
    }),
    'tsconfig.json': TSCONFIG,
    '.gitignore': GITIGNORE,
    'README.md': fill(README),
    'src/index.ts': fill(INDEX),
    'src/options.ts': fill(OPTIONS),
    ...Object.fromEntries(Object.entries(own).map(([path, text]) => [path, fill(text)])),
    'src/toBeDone.ts': fill(TO_BE_DONE),
    'src/testing/index.ts': fill(TESTING),
    'src/testing/localChain.ts': fill(LOCAL_CHAIN),
    'src/testing/chainTesting.ts': fill(CHAIN_TESTING),
    'src/testing/harness.ts': fill(HARNESS),
    'src/testing/conformance.ts': fill(CONFORMANCE),
  }
}
