import { readFileSync } from 'node:fs'
import { coreRange, manifestText, PREPACK } from '../packageTemplates/manifestText.js'
import { GITIGNORE, TSCONFIG } from '../packageTemplates/settingFiles.js'
import { UsageError } from '../plainError.js'
import type { AdapterFacts } from './adapterFacts.js'
import { CONFORMANCE } from './testingSource.js'

/** Written by `host/build/exampleChain.mjs`; at the same distance from sources and build. */
const TEXTS = new URL('../../../dist/exampleChain.json', import.meta.url)

/** After this row of the README stands that of a file which the package alone has. */
const HARNESS_ROW = /^\| `src\/testing\/ledgerHarness\.ts`.*\n/m
const CONFORMANCE_ROW = '| `src/testing/conformance.ts` | runs the conformance kit and lists the failed rules |\n'

const COMMANDS = `
## Commands

\`\`\`
npm install
npm test               # builds, runs the tests, then the conformance kit against the local ledger: 0 failed
npm run conformance    # builds, then the conformance kit alone
\`\`\`

In the folder where \`@causeway/host\` and \`@causeway/sandbox\` are installed:

\`\`\`
npx causeway try-adapter <this folder>    # a transfer to this chain and back, on a live host
\`\`\`

## Make it yours

1. Replace the local ledger (\`src/testing\`) by a node of your chain, and the wallet by its library. Keep \`npm test\` passing from here on.
2. Replace addresses and transactions (\`src/address.ts\`, \`src/transaction.ts\`), then the questions to nodes (\`src/ledgerNode.ts\`).
3. Replace what deposits and payments read of them (\`src/ledgerSource.ts\`, \`src/ledgerPayments.ts\`).
4. Choose \`vmType\` before clients use it: it becomes part of order ids.
`

/** Files of a package that is the whole example of a foreign chain under another name: it passes the conformance kit. @throws UsageError where the host was not built */
export const exampleFiles = ({
  name,
  chain,
  coreVersion,
}: Omit<AdapterFacts, 'family'>): Readonly<Record<string, string>> => {
  const renamed = (text: string): string =>
    text
      .replaceAll('causeway-chain-example', name)
      .replace(`adapter: '${name} 1.0.0'`, `adapter: '${name} 0.1.0'`)
      .replaceAll("'ledgervm'", `'${chain}vm'`)
      .replace("version: '1.0.0'", "version: '0.1.0'")
      .replace("coreRange: '^1.0.0'", `coreRange: '${coreRange(coreVersion)}'`)
  const { 'README.md': readme = '', ...sources } = readTexts()
  return {
    'package.json': manifestText({
      name,
      description: `The chain ${chain} for Causeway`,
      coreVersion,
      entries: { '.': 'index', './testing': 'testing/index' },
      files: ['dist', '!dist/**/*.test.*'],
      scripts: {
        build: 'tsc',
        test: 'tsc && vitest run src && node dist/testing/conformance.js',
        conformance: 'tsc && node dist/testing/conformance.js',
        prepack: PREPACK,
      },
      testedWith: ['vitest'],
    }),
    'tsconfig.json': TSCONFIG,
    '.gitignore': GITIGNORE,
    'README.md': `${renamed(readme).trimEnd().replace(HARNESS_ROW, `$&${CONFORMANCE_ROW}`)}\n${COMMANDS}`,
    ...Object.fromEntries(
      Object.entries(sources).map(([path, text]) => [path.replace('.chain.test.ts', '.test.ts'), renamed(text)]),
    ),
    'src/testing/conformance.ts': CONFORMANCE.trimStart()
      .replace("{ startHarness } from './harness.js'", "{ startLedgerHarness } from './ledgerHarness.js'")
      .replace('await startHarness()', 'await startLedgerHarness()')
      .replace(/^\/\/ A start that fails[^\n]*\n[^\n]*\n/m, ''),
  }
}

const readTexts = (): Readonly<Record<string, string>> => {
  try {
    // CAST: the build writes texts by path.
    return JSON.parse(readFileSync(TEXTS, 'utf8')) as Readonly<Record<string, string>>
  } catch {
    throw new UsageError(
      'The example of a chain is missing from this installation. Run npm run build, or install the host again.',
    )
  }
}
