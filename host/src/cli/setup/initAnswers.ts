import type { PublicChain } from '@causeway/core/chain'
import type { InitAnswers } from '../../init/initDeployment.js'
import { sourceOf } from '../../init/source.js'
import { UsageError } from '../plainError.js'

/** What the command line says. */
export interface InitFlags {
  readonly folder: string
  readonly network?: string
  readonly chain: readonly string[]
  readonly ownChain: readonly string[]
  readonly rpc: readonly string[]
  readonly token: readonly string[]
  readonly database?: string
  readonly balances?: string
  readonly owner?: string
  readonly passphraseEnv?: string
  readonly passphraseFile?: string
  readonly price: readonly string[]
  readonly package: readonly string[]
  readonly timeout: number
}

/** How what no flag says is found out. */
export interface Asking {
  /** @throws UsageError naming the flag where nobody can answer */
  ask(question: string, flag: string): Promise<string>
  publicChains(packages: readonly string[]): Promise<readonly Pick<PublicChain, 'slug' | 'network' | 'tokens'>[]>
}

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

const words = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean)

const chainsOf = async (
  flags: InitFlags,
  network: 'mainnet' | 'testnet',
  asking: Asking,
): Promise<InitAnswers['chains']> => {
  const own = new Map(flags.ownChain.map(ownOf))
  const named = [...flags.chain, ...own.keys()]
  const known = named.length > 0 ? [] : await asking.publicChains(flags.package)
  const slugs = named.length > 0 ? named : await askSlugs(known, network, asking)
  const chains: InitAnswers['chains'][number][] = []
  for (const slug of slugs) {
    const urls = given(flags.rpc, '--rpc', slug)
    const rpc =
      urls.length > 0
        ? urls
        : words(await asking.ask(`Endpoints of ${slug} (URLs or env:NAME):`, `--rpc ${slug}=<url>`))
    const flagged = given(flags.token, '--token', slug)
    // Whoever names chains by flags names tokens so too, or wants none.
    const tokens = flagged.length > 0 || named.length > 0 ? flagged : await askTokens(slug, known, asking)
    const settings = own.get(slug)
    chains.push({ slug, rpc: rpc.map(sourceOf), tokens, ...(settings === undefined ? {} : { own: settings }) })
  }
  return chains
}

type KnownChains = Awaited<ReturnType<Asking['publicChains']>>

const askSlugs = async (
  known: KnownChains,
  network: 'mainnet' | 'testnet',
  { ask }: Asking,
): Promise<readonly string[]> => {
  const slugs = known.filter((chain) => chain.network === network).map(({ slug }) => slug)
  return words(await ask(`Chains of ${network}: ${slugs.join(', ')}\nWhich:`, '--chain <slug>'))
}

const askTokens = async (slug: string, known: KnownChains, { ask }: Asking): Promise<readonly string[]> => {
  const symbols = known.find((chain) => chain.slug === slug)?.tokens.map(({ symbol }) => symbol) ?? []
  const choice = [...symbols, 'addresses'].join(', ')
  return words(
    await ask(`Tokens of ${slug} besides its native currency (${choice}; empty: none):`, `--token ${slug}=<token>`),
  )
}

const networkOf = async ({ network: flagged }: InitFlags, { ask }: Asking): Promise<'mainnet' | 'testnet'> => {
  const network = flagged ?? (await ask('Network, mainnet (real money) or testnet:', '--network'))
  if (network === 'mainnet' || network === 'testnet') return network
  throw new UsageError(`"${network}" is no network: mainnet or testnet.`)
}

const ownerOf = async (flags: InitFlags, { ask }: Asking): Promise<string | undefined> => {
  if (flags.owner !== undefined || flags.chain.length + flags.ownChain.length > 0) return flags.owner
  const said = await ask('Owner of the depositories (an address; empty: the deployer key):', '--owner')
  return said === '' ? undefined : said
}

const balancesOf = ({ balances }: InitFlags): Pick<InitAnswers, 'balances'> => {
  if (balances === undefined) return {}
  const [slug, token] = pairOf(balances, '--balances')
  return { balances: { slug, token } }
}

/** The answers for `init`: flags, and what is asked where they are silent. @throws UsageError */
export const initAnswers = async (flags: InitFlags, asking: Asking): Promise<InitAnswers> => {
  const { passphraseEnv: env, passphraseFile: file } = flags
  if (env !== undefined && file !== undefined)
    throw new UsageError('Give --passphrase-env or --passphrase-file, not both.')
  const prices = Object.fromEntries(flags.price.map((text) => pairOf(text, '--price')))
  const network = await networkOf(flags, asking)
  const chains = await chainsOf(flags, network, asking)
  const database = flags.database ?? (await asking.ask('Database (URL, env:NAME or embedded):', '--database'))
  return {
    folder: flags.folder,
    network,
    chains,
    database: database === 'embedded' ? null : sourceOf(database),
    passphrase: file === undefined ? { env: env ?? 'KEYSTORE_PASSPHRASE' } : { file },
    owner: await ownerOf(flags, asking),
    ...balancesOf(flags),
    prices,
    packages: flags.package,
    timeoutMs: flags.timeout * 1_000,
  }
}
