import type { Command } from 'commander'
import { processVariables } from '../../config/environment.js'
import type { InitAnswers } from '../../init/initDeployment.js'
import { sourceOf } from '../../init/source.js'
import { parseSeconds } from '../configOption.js'
import { UsageError } from '../plainError.js'
import { askLine } from './askLine.js'

interface Flags {
  readonly folder: string
  readonly network?: string
  readonly chain: readonly string[]
  readonly ownChain: readonly string[]
  readonly rpc: readonly string[]
  readonly token: readonly string[]
  readonly database?: string
  readonly owner?: string
  readonly passphraseEnv?: string
  readonly passphraseFile?: string
  readonly price: readonly string[]
  readonly package: readonly string[]
  readonly timeout: number
}

const EXAMPLE = `
Example:
  causeway init --folder deployment --network testnet \\
    --chain sepolia --rpc sepolia=env:SEPOLIA_RPC --token sepolia=USDC \\
    --chain base-sepolia --rpc base-sepolia=env:BASE_SEPOLIA_RPC --token base-sepolia=USDC \\
    --database env:DATABASE_URL --passphrase-env KEYSTORE_PASSPHRASE --owner 0x...

A chain of your own: --own-chain harbor=31337:ETH --rpc harbor=http://127.0.0.1:8545
On a terminal, what no flag says is asked. Nothing is overwritten.`

const more = (text: string, before: readonly string[]): readonly string[] => [...before, text]

/** `a=b`. @throws UsageError */
const pairOf = (text: string, flag: string): readonly [string, string] => {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1) throw new UsageError(`"${text}" is not <name>=<value>, as ${flag} takes it.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

const given = (pairs: readonly string[], flag: string, slug: string): readonly string[] =>
  pairs.map((text) => pairOf(text, flag)).flatMap(([name, value]) => (name === slug ? [value] : []))

const ownOf = (text: string): readonly [string, { readonly id: number; readonly symbol: string }] => {
  const [slug, rest] = pairOf(text, '--own-chain')
  const [, id, symbol] = /^([1-9][0-9]{0,15}):([A-Za-z0-9]{1,12})$/.exec(rest) ?? []
  if (id === undefined || symbol === undefined)
    throw new UsageError(`"${text}" is not <slug>=<chain id>:<symbol of its native currency>.`)
  return [slug, { id: Number(id), symbol }]
}

const chainsOf = async (flags: Flags): Promise<InitAnswers['chains']> => {
  const own = new Map(flags.ownChain.map(ownOf))
  const named = [...flags.chain, ...own.keys()]
  const slugs =
    named.length > 0
      ? named
      : (await askLine('Chains, by slug, separated by blanks:', '--chain <slug>')).split(/\s+/).filter(Boolean)
  const chains: InitAnswers['chains'][number][] = []
  for (const slug of slugs) {
    const urls = given(flags.rpc, '--rpc', slug)
    const rpc =
      urls.length > 0
        ? urls
        : (await askLine(`Endpoints of ${slug} (URLs or env:NAME):`, `--rpc ${slug}=<url>`)).split(/\s+/)
    const settings = own.get(slug)
    chains.push({
      slug,
      rpc: rpc.filter(Boolean).map(sourceOf),
      tokens: given(flags.token, '--token', slug),
      ...(settings === undefined ? {} : { own: settings }),
    })
  }
  return chains
}

const answersOf = async (flags: Flags): Promise<InitAnswers> => {
  const network = flags.network ?? (await askLine('Network, mainnet (real money) or testnet:', '--network'))
  if (network !== 'mainnet' && network !== 'testnet')
    throw new UsageError(`"${network}" is no network: mainnet or testnet.`)
  const chains = await chainsOf(flags)
  const database = flags.database ?? (await askLine('Database (URL, env:NAME or embedded):', '--database'))
  const { passphraseEnv: env, passphraseFile: file } = flags
  if (env !== undefined && file !== undefined)
    throw new UsageError('Give --passphrase-env or --passphrase-file, not both.')
  return {
    folder: flags.folder,
    network,
    chains,
    database: database === 'embedded' ? null : sourceOf(database),
    passphrase: file === undefined ? { env: env ?? 'KEYSTORE_PASSPHRASE' } : { file },
    owner: flags.owner,
    prices: Object.fromEntries(flags.price.map((text) => pairOf(text, '--price'))),
    packages: flags.package,
    timeoutMs: flags.timeout * 1_000,
  }
}

const init = async (flags: Flags): Promise<void> => {
  const { initDeployment } = await import('../../init/initDeployment.js')
  await initDeployment(await answersOf(flags), { environment: processVariables, print: (line) => console.log(line) })
}

/** `init`: from nothing to a configuration that loads. */
export const addInitCommand = (program: Command): void => {
  program
    .command('init')
    .description(
      'Make a deployment: asks or takes flags, looks at nodes, tokens and database, makes keys, writes it down',
    )
    .option('--folder <path>', 'folder of the deployment', '.')
    .option('--network <network>', 'mainnet or testnet')
    .option('--chain <slug>', 'a public chain; may be repeated', more, [])
    .option('--own-chain <slug=id:symbol>', 'a chain that no list has; may be repeated', more, [])
    .option('--rpc <slug=url>', 'an endpoint, or <slug>=env:<variable>; may be repeated', more, [])
    .option('--token <slug=token>', 'a well-known symbol or an address; may be repeated', more, [])
    .option('--database <url>', 'PostgreSQL URL, env:<variable>, or embedded')
    .option('--owner <address>', 'owner of the depositories, best a multisignature account (default: the deployer key)')
    .option(
      '--passphrase-env <variable>',
      'variable with the passphrase of the keystore (default: KEYSTORE_PASSPHRASE)',
    )
    .option('--passphrase-file <path>', 'file with it, mode 0600, in the folder; made where there is none')
    .option(
      '--price <name=dollars>',
      'a price kept in prices.json; may be repeated (default: a price server)',
      more,
      [],
    )
    .option('--package <name>', 'a further chain package; may be repeated', more, [])
    .option('--timeout <seconds>', 'how long a node may take to answer', parseSeconds, 15)
    .addHelpText('after', EXAMPLE)
    .action((flags: Flags) => init(flags))
}
