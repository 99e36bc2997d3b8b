import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hexToBytes } from '@causeway/core'
import { createSecp256k1Signer, type Signer } from '@causeway/core/chain'
import { createKeystore, requireEmbeddedPostgres } from '@causeway/core/host'
import { UsageError } from '../cli/plainError.js'
import type { ChainInput } from '../config/defineConfig.js'
import { readPassphrase, type SecretPlace, UnreadableKey } from '../config/keys/keySources.js'
import { findConfigFile, loadConfig } from '../config/loadConfig.js'
import { originKey, ownAllocator, payoutKey, signerOf } from './chainKeys.js'
import { checkDatabase } from './checkDatabase.js'
import { configText } from './configText.js'
import { describeChain, type FoundChain, findChain, findSetups, optionsOf, type WantedChain } from './describeChain.js'
import { payoutAddress } from './payoutAddress.js'
import { type Source, textOf } from './source.js'

/** What is asked of an operator, or given by flags. */
export interface InitAnswers {
  readonly folder: string
  readonly network: 'mainnet' | 'testnet'
  readonly chains: readonly (Omit<WantedChain, 'rpc'> & { readonly rpc: readonly Source[] })[]
  /** Null: the embedded one. */
  readonly database: Source | null
  readonly passphrase: { readonly env: string } | { readonly file: string }
  /** Owner of the depositories; absent: the deployer key. */
  readonly owner?: string | undefined
  /** A token of a chain in which balances of wallets are kept; absent: none are. */
  readonly balances?: { readonly slug: string; readonly token: string }
  /** Dollars by group or symbol, kept in a file; none: a price server. */
  readonly prices: Readonly<Record<string, string>>
  readonly packages: readonly string[]
  readonly timeoutMs: number
}

/** Coins of price servers by group. */
const COINS: Readonly<Record<string, string>> = {
  eth: 'ethereum',
  usdc: 'usd-coin',
  usdt: 'tether',
  bnb: 'binancecoin',
  pol: 'polygon-ecosystem-token',
  avax: 'avalanche-2',
  sol: 'solana',
  btc: 'bitcoin',
  xrp: 'ripple',
  hbar: 'hedera-hashgraph',
  ton: 'the-open-network',
  trx: 'tron',
}

export interface InitDeps {
  readonly environment: SecretPlace['environment']
  print(line: string): void
}

/**
 * `causeway init`: looks at nodes, tokens and database, makes the keys, writes the configuration. Whatever is wrong is told before
 * anything is written; nothing is ever overwritten.
 * @throws UsageError, SetupError, PostgresUnavailableError
 */
export const initDeployment = async (answers: InitAnswers, deps: InitDeps): Promise<string> => {
  const folder = resolve(answers.folder)
  refuseExisting(folder)
  if (answers.chains.length < 1) throw new UsageError('Name at least one chain: --chain <slug>.')
  const packages = await findSetups(folder, answers.packages)
  const described = []
  for (const { rpc, ...wanted } of answers.chains) {
    const urls = rpc.map((source) => textOf(source, deps))
    const found = findChain({ ...wanted, rpc: urls }, packages)
    if (wanted.own === undefined && found.chain.network !== answers.network)
      throw new UsageError(
        `${wanted.slug} is a chain of ${found.chain.network}, and this is to be a deployment of ${answers.network}.`,
      )
    deps.print(`${wanted.slug}: asking ${urls.length} endpoint${urls.length === 1 ? '' : 's'}`)
    const entry = await describeChain(found, { ...wanted, rpc: urls }, answers.timeoutMs)
    for (const { symbol, decimals, address } of entry.currencies ?? [])
      deps.print(`  ${symbol}: ${decimals} decimals, ${address}`)
    const origin = found.setup.sendsForUsers === true ? originKey(wanted.slug) : null
    described.push({ found, entry, rpc, payout: payoutKey(wanted.slug), origin })
  }
  const balances = balancesIn(
    answers,
    described.map(({ entry }) => entry),
  )
  if (answers.database === null) requireEmbeddedPostgres()
  else await checkDatabase(textOf(answers.database, deps), deps.print)
  mkdirSync(folder, { recursive: true })
  const signers = makeKeys(folder, answers, described, deps)
  const chains = []
  for (const { found, entry, rpc, payout, origin } of described) {
    const own = ownAllocator(found.chain.slug, found.scheme)
    const keys = {
      deployer: signers.deployer,
      allocator: signers.signer(own ?? 'allocator', found.scheme),
      payout: null,
    }
    const stated = optionsOf(found, keys, answers.owner)
    const options = { ...stated, ...found.chainPackage.addressOptions?.(signers.seed, stated, found.chain.id) }
    const addressOf = (name: string): Promise<string | null> => {
      const signer = signers.signer(name, found.scheme)
      return payoutAddress(found.chainPackage, { ...entry, options }, signer, deps.environment)
    }
    const solver = await addressOf(payout)
    const originSender = origin === null ? null : await addressOf(origin)
    const accounts = { ...(solver === null ? {} : { solver }), ...(originSender === null ? {} : { originSender }) }
    chains.push({ entry: { ...entry, options, ...accounts }, rpc, payout, origin, allocator: own })
  }
  const file = join(folder, 'causeway.config.ts')
  const priceFile = Object.keys(answers.prices).length > 0
  if (priceFile) writePrivate(join(folder, 'prices.json'), `${JSON.stringify(answers.prices, null, 2)}\n`)
  const groups = new Set(chains.flatMap(({ entry }) => (entry.currencies ?? []).map(({ groupId }) => groupId)))
  const coinIds = Object.fromEntries(Object.entries(COINS).filter(([group]) => groups.has(group)))
  const { network, database, passphrase } = answers
  writePrivate(file, configText({ network, database, passphrase, chains, priceFile, balances, coinIds }))
  await loadConfig(file, { environment: deps.environment })
  for (const line of nextSteps(file, answers, signers.deployerAddress)) deps.print(line)
  return file
}

/** The currency of balances among those that were found. @throws UsageError */
const balancesIn = (
  { balances }: InitAnswers,
  chains: readonly ChainInput[],
): { readonly chainId: number; readonly currency: string } | null => {
  if (balances === undefined) return null
  const { slug, token } = balances
  const chain = chains.find((item) => item.slug === slug)
  const found = chain?.currencies?.find(
    ({ symbol, address }) => symbol === token || address.toLowerCase() === token.toLowerCase(),
  )
  if (chain === undefined || found === undefined)
    throw new UsageError(
      `--balances names ${token} of ${slug}, which is no currency of a named chain: add --token ${slug}=${token}.`,
    )
  return { chainId: chain.id, currency: found.address }
}

const refuseExisting = (folder: string): void => {
  const config = findConfigFile(folder)
  const taken = [config, ...['keys.json', 'deployer.json', 'prices.json'].map((name) => join(folder, name))]
  const found = taken.find((file) => file !== undefined && existsSync(file))
  if (found !== undefined)
    throw new UsageError(`${found} is there already, and nothing is overwritten. Choose another --folder.`)
}

const writePrivate = (file: string, text: string): void => writeFileSync(file, text, { mode: 0o600, flag: 'wx' })

const makeKeys = (
  folder: string,
  { passphrase: where }: InitAnswers,
  chains: readonly { readonly payout: string; readonly origin: string | null; readonly found: FoundChain }[],
  { environment, print }: InitDeps,
) => {
  if ('file' in where && !existsSync(resolve(folder, where.file))) {
    writePrivate(resolve(folder, where.file), `${randomBytes(24).toString('base64url')}\n`)
    print(`Made a passphrase in ${where.file}.`)
  }
  const passphrase = passphraseFrom({ file: 'keys.json', passphrase: where }, { folder, environment })
  const [file, deployerFile] = [join(folder, 'keys.json'), join(folder, 'deployer.json')]
  const make = (keystore: string, made: readonly { readonly name: string; readonly scheme: Signer['scheme'] }[]) => {
    const { entries, opened } = createKeystore(keystore, passphrase, made, Date.now())
    for (const { name, address } of entries) print(`  ${name}: ${address}`)
    return { entries, opened }
  }
  print('Making keys:')
  const shared = ['orders', 'master', 'allocator', 'hd'].map((name) => ({ name, scheme: 'secp256k1' as const }))
  const own = chains.flatMap(({ found: { chain, scheme } }) => {
    const name = ownAllocator(chain.slug, scheme)
    return name === null ? [] : [{ name, scheme }]
  })
  const paying = chains.flatMap(({ payout, origin, found: { scheme } }) =>
    [payout, ...(origin === null ? [] : [origin])].map((name) => ({ name, scheme })),
  )
  const { opened } = make(file, [...shared, ...paying, ...own])
  const signer = (name: string, scheme: Signer['scheme']): Signer => signerOf(opened.read(name), scheme)
  const alone = make(deployerFile, [{ name: 'deployer', scheme: 'secp256k1' }])
  const deployer = createSecp256k1Signer(alone.opened.read('deployer'))
  const seed = hexToBytes(`0x${opened.read('hd').replace(/^0x/, '')}`, 'hd', 32)
  return { signer, seed, deployer, deployerAddress: alone.entries[0]?.address ?? '' }
}

const passphraseFrom = (settings: Parameters<typeof readPassphrase>[0], place: SecretPlace): string => {
  try {
    return readPassphrase(settings, place)
  } catch (error) {
    if (error instanceof UnreadableKey)
      throw new UsageError(`The passphrase of the keystore ${error.message} ${error.remedy}`)
    throw error
  }
}

const nextSteps = (file: string, { owner }: InitAnswers, deployer: string): readonly string[] => [
  '',
  `Written: ${file}`,
  ...(owner === undefined
    ? [`The deployer key owns the depositories: whoever has it can take all deposits. For real money give --owner.`]
    : []),
  'Next:',
  `  1. Send native currency of each chain to the deployer ${deployer}, what is to be paid out to the payout accounts, and gas to the origin accounts, which send permits and calls for users.`,
  `  2. causeway contracts deploy --config ${file}`,
  `  3. causeway doctor --config ${file}`,
  `  4. causeway start --config ${file}; for a process of each role with its own keys, first: causeway keys split`,
]
