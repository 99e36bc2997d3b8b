import { resolve } from 'node:path'
import type { ContractKeys, Signer } from '@causeway/core/chain'
import { createInKeystore, KeystoreError, listKeystore, openKeystore } from '@causeway/core/host'
import { UsageError } from '../cli/plainError.js'
import { type ConfigEdit, editConfig } from '../config/edit/editConfig.js'
import { requireEndpoints } from '../config/endpointUrls.js'
import {
  ConfiguredKeystore,
  readKeyReference,
  readPassphrase,
  type SecretPlace,
  UnreadableKey,
} from '../config/keys/keySources.js'
import type { LoadedConfig } from '../config/loadConfig.js'
import type { KeyReference } from '../config/schema/schema.js'
import { originKey, ownAllocator, payoutKey, signerOf } from './chainKeys.js'
import {
  describeChain,
  describeToken,
  findChain,
  findSetups,
  loadSetups,
  optionsOf,
  requireListedDecimals,
  type WantedChain,
} from './describeChain.js'
import { payoutAddress } from './payoutAddress.js'
import { type Source, sourceText, textOf } from './source.js'

export interface AddDeps extends SecretPlace {
  /** Loaded without its keys. */
  readonly loaded: LoadedConfig
  readonly timeoutMs: number
  print(line: string): void
}

/** `chains add`: looks at the nodes and tokens, makes the payout key, writes the chain. @throws UsageError, SetupError */
export const addChain = async (
  { rpc, ...asked }: Omit<WantedChain, 'rpc'> & { readonly rpc: readonly Source[] },
  { packages, owner }: { readonly packages: readonly string[]; readonly owner: string | undefined },
  deps: AddDeps,
): Promise<void> => {
  const { loaded, print } = deps
  const { chains, network } = loaded.config
  const wanted: WantedChain = { ...asked, rpc: rpc.map((source) => textOf(source, deps)) }
  const found = findChain(wanted, await findSetups(loaded.folder, packages))
  const { chain } = found
  const same = chains.find(({ id, slug }) => id === chain.id || slug === chain.slug)
  if (same !== undefined) throw new UsageError(`The configuration has ${same.slug} (${same.id}) already.`)
  if (wanted.own === undefined && chain.network !== network)
    throw new UsageError(`${chain.slug} is a chain of ${chain.network}, and the deployment is one of ${network}.`)
  const entry = await describeChain(found, wanted, deps.timeoutMs)
  const owned = owner ?? ownerOf(loaded)
  const edits: ConfigEdit[] = []
  const nameKey = (kind: 'payout' | 'allocators' | 'origin', name: string): Signer | null => {
    const made = makeKey(name, found.scheme, deps)
    const id = String(chain.id)
    if (made === null) print(`Name a key for it: keys.${kind}.${id}.`)
    else {
      print(`${made.name}: ${made.address}`)
      edits.push({ path: ['keys', kind, id], value: { keystore: made.name } })
    }
    return made?.signer ?? null
  }
  const payer = nameKey('payout', payoutKey(chain.slug))
  const sender = found.setup.sendsForUsers === true ? nameKey('origin', originKey(chain.slug)) : null
  const own = ownAllocator(chain.slug, found.scheme)
  if (own !== null) nameKey('allocators', own)
  const reference = own === null ? loaded.config.keys.allocator : { keystore: own }
  const options = optionsOf(found, allocatorKeys(reference, found.scheme, deps), owned)
  const place = { ...entry, options }
  const addressOf = async (signer: Signer | null): Promise<string | null> =>
    signer === null ? null : payoutAddress(found.chainPackage, place, signer, deps.environment)
  const [solver, originSender] = [await addressOf(payer), await addressOf(sender)]
  if (solver === null)
    print(`Where hosts have one role each, state the address of its payout key: chains[${chains.length}].solver.`)
  const accounts = { ...(solver === null ? {} : { solver }), ...(originSender === null ? {} : { originSender }) }
  const value = { ...entry, rpc: rpc.map(sourceText), ...accounts, options }
  if (originSender !== null)
    print(
      `Send native currency to ${originSender}, which pays for the permits and calls of users; nothing else belongs there.`,
    )
  edits.unshift({ path: ['chains', chains.length], value })
  for (const line of await editConfig(loaded.file, edits)) print(line)
  print(
    found.setup.openContracts === undefined
      ? 'Next: causeway doctor, then start the hosts again.'
      : `Next: causeway contracts deploy --chain ${chain.slug}`,
  )
}

/** `currencies add`: looks at the token and writes it. @throws UsageError, SetupError */
export const addCurrency = async (
  slug: string,
  token: string,
  groupId: string | undefined,
  deps: AddDeps,
): Promise<void> => {
  const { loaded, print, timeoutMs } = deps
  const at = loaded.config.chains.findIndex((chain) => chain.slug === slug)
  const chain = loaded.config.chains[at]
  if (chain === undefined)
    throw new UsageError(
      `There is no chain "${slug}". Configured: ${loaded.config.chains.map((item) => item.slug).join(', ')}.`,
    )
  requireEndpoints(chain)
  const [known] = await loadSetups(loaded.folder, [chain.package])
  if (known === undefined) throw new UsageError(`${chain.package} cannot set chains up.`)
  const tokens = known.setup.publicChains.find(({ id }) => id === chain.id)?.tokens ?? []
  const { id, rpc, options } = chain
  const place = { id, rpc, options, timeoutMs }
  const read = await describeToken({ chain: { slug, tokens }, setup: known.setup }, token, place)
  await requireListedDecimals(chain, known.setup, place)
  const same = chain.currencies.find(({ address }) => address.toLowerCase() === read.address.toLowerCase())
  if (same !== undefined) throw new UsageError(`${slug} has ${same.symbol} (${same.address}) already.`)
  const value = groupId === undefined ? read : { ...read, groupId }
  for (const line of await editConfig(loaded.file, [
    { path: ['chains', at, 'currencies', chain.currencies.length], value },
  ]))
    print(line)
  print(`It is taken for the same asset as every "${value.groupId}" on other chains; --group names another one.`)
  print(
    `Next: causeway contracts deploy --chain ${slug} gives the routers their allowances, and hosts are started again.`,
  )
}

/** The owner that the chains have by now. */
const ownerOf = ({ config }: LoadedConfig): string | undefined =>
  config.chains.map(({ options }) => options.owner).find((owner) => typeof owner === 'string')

const allocatorKeys = (reference: KeyReference | undefined, scheme: Signer['scheme'], deps: AddDeps): ContractKeys => {
  const none: ContractKeys = { deployer: null, payout: null, allocator: null }
  if (reference === undefined) return none
  try {
    const key = readKeyReference(reference, deps, new ConfiguredKeystore(deps.loaded.config.keys.keystore, deps))
    return { ...none, allocator: signerOf(key, scheme) }
  } catch (error) {
    if (error instanceof UnreadableKey) return none
    throw error
  }
}

/** A new key, or the one of that name; null where the keystore is not at hand. */
const makeKey = (name: string, scheme: Signer['scheme'], deps: AddDeps) => {
  const settings = deps.loaded.config.keys.keystore
  if (settings === undefined) return null
  const file = resolve(deps.folder, settings.file)
  try {
    const passphrase = readPassphrase(settings, deps)
    const known = listKeystore(file).find((entry) => entry.name === name)
    const { address } = known ?? createInKeystore(file, passphrase, { name, scheme, now: Date.now() })
    return { name, address, signer: signerOf(openKeystore(file, passphrase).read(name), scheme) }
  } catch (error) {
    if (error instanceof UnreadableKey || error instanceof KeystoreError) return null
    throw error
  }
}
