import type { ChainInput } from '../config/defineConfig.js'
import { type Source, sourceText } from './source.js'

export interface ConfigParts {
  readonly network: 'mainnet' | 'testnet'
  readonly database: Source | null
  readonly passphrase: { readonly env: string } | { readonly file: string }
  readonly chains: readonly {
    readonly entry: ChainInput
    readonly rpc: readonly Source[]
    readonly payout: string
    /** Its key that sends for users; null: it sends nothing for them. */
    readonly origin: string | null
    /** Its own allocator key; null: that of all chains. */
    readonly allocator: string | null
  }[]
  /** Absent: the prices of a server are asked for. */
  readonly priceFile: boolean
  /** Null: no balances are kept. */
  readonly balances: { readonly chainId: number; readonly currency: string } | null
  readonly coinIds: Readonly<Record<string, string>>
}

const urlText = (source: Source): string =>
  'text' in source ? JSON.stringify(source.text) : `process.env.${source.env} ?? ''`

const indented = (value: unknown, depth: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(depth)}`)

const chainText = ({ entry, rpc }: ConfigParts['chains'][number]): string => {
  const {
    id,
    slug,
    name,
    package: packageName,
    currencies,
    confirmations,
    explorerUrl,
    solver,
    originSender,
    options,
  } = entry
  return `    {
      id: ${id},
      slug: ${JSON.stringify(slug)},
      name: ${JSON.stringify(name)},
      package: ${JSON.stringify(packageName)},
      // Endpoints of three providers let them check each other; one is enough to begin with.
      rpc: ${JSON.stringify(rpc.map(sourceText))},
      // What the solver holds here. Decimals and symbols are as the chain says.
      currencies: ${indented(currencies, 6)},
      // Blocks before a deposit is paid for, before a fill is told, and before money counts as final.
      confirmations: ${indented(confirmations, 6)},${explorerUrl === undefined ? '' : `\n      explorerUrl: ${JSON.stringify(explorerUrl)},`}
${solver === undefined ? '' : `      // Address of the payout key, for processes that do not hold it.\n      solver: ${JSON.stringify(solver)},\n`}${originSender === undefined ? '' : `      // Address of the origin key, for the same.\n      originSender: ${JSON.stringify(originSender)},\n`}      // Addresses follow from owner and allocator, on every chain alike; "causeway contracts deploy" puts code there.
      options: ${indented(options, 6)},
      // Most that may leave in an hour, by currency: limits: { perHour: [{ currency: '0x...', amount: '25000' }] },
    },`
}

const allocatorsText = (chains: ConfigParts['chains']): string => {
  const own = chains.filter(({ allocator }) => allocator !== null)
  if (own.length === 0) return ''
  const lines = own.map(({ entry, allocator }) => `      '${entry.id}': { keystore: ${JSON.stringify(allocator)} },`)
  return `\n    // Chains that sign with another kind of key.\n    allocators: {\n${lines.join('\n')}\n    },`
}

const originsText = (chains: ConfigParts['chains']): string => {
  const own = chains.filter(({ origin }) => origin !== null)
  if (own.length === 0) return ''
  const lines = own.map(({ entry, origin }) => `      '${entry.id}': { keystore: ${JSON.stringify(origin)} },`)
  return `    // Sends permits and calls for users without gas; its account holds gas and nothing else. Without it a chain offers none.\n    origin: {\n${lines.join('\n')}\n    },\n`
}

/** A configuration with comments, ready to be loaded. */
export const configText = (parts: ConfigParts): string => `import { defineConfig } from '@causeway/host'

// Every setting with its meaning and default: the table in the README of @causeway/host.
export default defineConfig({
  network: ${JSON.stringify(parts.network)},
  // ${parts.database === null ? 'Without a URL an embedded PostgreSQL is started, with its data in .causeway/data. DATABASE_URL takes its place.' : 'PostgreSQL 15 or newer.'}
  ${parts.database === null ? 'database: {}' : `database: { url: ${urlText(parts.database)} }`},
  chains: [
${parts.chains.map(chainText).join('\n')}
  ],
  // Keys lie sealed in keys.json: back it up, and its passphrase apart from it.
  keys: {
    keystore: { file: 'keys.json', passphrase: ${JSON.stringify(parts.passphrase)} },
    order: { keystore: 'orders' },
    master: { keystore: 'master' },
    // Secret of deposit addresses: what lies at those that have keys is moved by it alone. Options of chains name what is public of it.
    hd: { keystore: 'hd' },
    // Releases deposits from the depositories.
    allocator: { keystore: 'allocator' },${allocatorsText(parts.chains)}
    payout: {
${parts.chains.map(({ entry, payout }) => `      '${entry.id}': { keystore: ${JSON.stringify(payout)} },`).join('\n')}
    },
${originsText(parts.chains)}    // Pays for contracts and nothing else. No host reads it: take its file away once they are deployed.
    deployer: { keystore: 'deployer', keystoreFile: 'deployer.json' },
  },
  // ${parts.priceFile ? 'Prices that you keep yourself, read again when the file changes.' : 'Configure two or three sources: see "Prices" in the README.'}
  prices: ${parts.priceFile ? "{ file: 'prices.json' }" : indented({ coingecko: [{ ids: parts.coinIds }] }, 2)},
  // What wallets earn by app fees, pay for others and have set aside for fast fills is kept in this currency.
  ${parts.balances === null ? "// balances: { chainId: 1, currency: '0x...' }," : `balances: ${indented(parts.balances, 2)},`}
})
`
