import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type ContractKeys,
  type ContractReport,
  createEd25519Signer,
  createSecp256k1Signer,
  type Signer,
} from '@causeway/core/chain'
import { KeystoreError, openKeystore } from '@causeway/core/host'
import { UsageError } from '../cli/plainError.js'
import { editChainOptions } from '../config/edit/editConfig.js'
import { requireEndpoints } from '../config/endpointUrls.js'
import { readAddressSeed } from '../config/keys/addressSeed.js'
import {
  ConfiguredKeystore,
  readKeyReference,
  readPassphrase,
  type SecretPlace,
  UnreadableKey,
} from '../config/keys/keySources.js'
import type { LoadedConfig } from '../config/loadConfig.js'
import type { ConfiguredChain, KeyReference } from '../config/schema/schema.js'
import { asChainPackage } from '../plugins/packageShape.js'
import { PackageSource } from '../plugins/packageSource.js'
import { ContractJournal, journalFileOf } from './contractJournal.js'
import { costLines, shortages, stepLines } from './contractText.js'
import { DeployError, type DeployPace, deployContracts } from './deployContracts.js'
import { withDeployLock } from './deployLock.js'

export interface ContractsDeps extends SecretPlace {
  /** Loaded without its keys. */
  readonly loaded: LoadedConfig
  readonly chain?: string | undefined
  readonly timeoutMs: number
  readonly pace: DeployPace
  print(line: string): void
  /** Whether the operator agrees. */
  confirm(question: string): Promise<boolean>
}

/** Where the deployer key is, if not where the configuration says. */
export type DeployerPlace = Pick<KeyReference, 'env' | 'file'>

const chosen = ({ loaded, chain }: ContractsDeps): readonly ConfiguredChain[] => {
  const { chains } = loaded.config
  const found = chain === undefined ? chains : chains.filter(({ slug, id }) => slug === chain || String(id) === chain)
  if (found.length > 0) return found
  const known = chains.map(({ slug }) => slug).join(', ') || 'none'
  throw new UsageError(
    chain === undefined ? 'The configuration has no chains.' : `There is no chain "${chain}". Configured: ${known}.`,
  )
}

/** What `read` gives of a reference; null where this process cannot have it, which `absent` is told. */
const readHere = <T>(
  reference: KeyReference | undefined,
  read: (reference: KeyReference) => T,
  absent: (why: string) => void = () => undefined,
): T | null => {
  if (reference === undefined) return null
  try {
    return read(reference)
  } catch (error) {
    if (!(error instanceof UnreadableKey)) throw error
    absent(error.message)
    return null
  }
}

const signerOf = (scheme: Signer['scheme'], value: string): Signer =>
  scheme === 'ed25519' ? createEd25519Signer(value) : createSecp256k1Signer(value)

interface KeysHere extends ContractKeys {
  /** Why the deployer key is not at hand, and what to do; only who has to pay with it needs it. */
  readonly noDeployer: string
}

const NAME_DEPLOYER =
  'Name one with --deployer-env <variable> or --deployer-file <path>, or as keys.deployer of the configuration; it needs native currency for gas only, and no host may hold it.'

/** Keys of a chain that lie here. */
const keysOf = (
  chain: ConfiguredChain,
  scheme: Signer['scheme'],
  deps: ContractsDeps,
  deployer: DeployerPlace,
): KeysHere => {
  const { keys } = deps.loaded.config
  const keystore = new ConfiguredKeystore(keys.keystore, deps)
  const read = (reference: KeyReference): string => readKeyReference(reference, deps, keystore)
  const named = deployer.env !== undefined || deployer.file !== undefined ? deployer : undefined
  const { keystoreFile, ...configured } = keys.deployer ?? {}
  const readDeployer = (reference: KeyReference): string => {
    const { keystore: name } = reference
    if (name === undefined || keystoreFile === undefined || keys.keystore === undefined) return read(reference)
    const file = resolve(deps.folder, keystoreFile)
    if (!existsSync(file)) throw new UnreadableKey(`is in ${keystoreFile}, which is not there.`, 'Put it back.')
    try {
      return openKeystore(file, readPassphrase(keys.keystore, deps)).read(name)
    } catch (error) {
      if (error instanceof KeystoreError) throw new UnreadableKey(`cannot be had: ${error.message}`, 'Put it right.')
      throw error
    }
  }
  const reference = named ?? (keys.deployer === undefined ? undefined : configured)
  const id = String(chain.id)
  let noDeployer = NAME_DEPLOYER
  const isConfigured = named === undefined && keystoreFile !== undefined
  const absent = (why: string): void => {
    noDeployer = isConfigured
      ? `It ${why} Put ${keystoreFile} back for as long as something has to be paid, or name the key with --deployer-env <variable> or --deployer-file <path>.`
      : `It ${why} ${NAME_DEPLOYER}`
  }
  const deployerSigner = readHere(reference, (named) => signerOf(scheme, readDeployer(named)), absent)
  const readSigner = (named: KeyReference): Signer => signerOf(scheme, read(named))
  return {
    deployer: deployerSigner,
    noDeployer,
    payout: readHere(keys.payout[id], readSigner),
    allocator: readHere(keys.allocators[id] ?? keys.allocator, readSigner),
    seed: readHere(keys.hd, (named) => readAddressSeed(named, deps, keystore)),
  }
}

type Work = (opened: {
  readonly chain: ConfiguredChain
  readonly session: import('@causeway/core/chain').ContractSession
  readonly keys: KeysHere
}) => Promise<void>

const eachChain = async (deps: ContractsDeps, deployer: DeployerPlace, work: Work): Promise<void> => {
  const source = new PackageSource(deps.loaded.folder)
  for (const chain of chosen(deps)) {
    requireEndpoints(chain)
    const chainPackage = asChainPackage(await source.load(chain.package))
    const setup = await chainPackage.setup?.()
    if (setup?.openContracts === undefined) {
      deps.print(
        `${chain.slug}: nothing to deploy; its package (${chainPackage.name}) says in its README what "options" need.`,
      )
      continue
    }
    const keys = keysOf(chain, chainPackage.keyScheme ?? 'secp256k1', deps, deployer)
    const { id, slug, rpc, currencies, options, solver } = chain
    const config = { id, slug, rpc, currencies, options, ...(solver === undefined ? {} : { solver }) }
    const session = setup.openContracts({ config, keys, timeoutMs: deps.timeoutMs })
    try {
      await work({ chain, session, keys })
    } finally {
      session.close()
    }
  }
}

const say = (deps: ContractsDeps, report: ContractReport): void => {
  for (const line of stepLines(report)) deps.print(line)
}

/** `contracts status`: what is there and what is lacking; changes nothing. */
export const contractsStatus = (deps: ContractsDeps, deployer: DeployerPlace = {}): Promise<void> =>
  eachChain(deps, deployer, async ({ session, keys }) => {
    const report = await session.inspect()
    say(deps, report)
    for (const line of costLines(report)) deps.print(line)
    if (lacksDeployer(report, keys))
      deps.print(`No deployer key is here, so what it holds cannot be told. ${keys.noDeployer}`)
  })

/** `contracts verify`: true when all is there, the code is ours, and whoever should rule it does. */
export const verifyContracts = async (deps: ContractsDeps, deployer: DeployerPlace = {}): Promise<boolean> => {
  let sound = true
  await eachChain(deps, deployer, async ({ session }) => {
    const report = await session.inspect()
    say(deps, report)
    sound &&= report.steps.every(({ state }) => state === 'done' || state === 'unknown')
  })
  return sound
}

/**
 * `contracts deploy`: shows what is lacking and what it costs, asks, does it, compares it, and writes the options into the
 * configuration.
 * @throws DeployError, DeployLockedError, UsageError
 */
export const runDeploy = (deps: ContractsDeps, deployer: DeployerPlace = {}): Promise<void> =>
  withDeployLock(journalFileOf(deps.loaded.file), () => deployEach(deps, deployer))

const deployEach = async (deps: ContractsDeps, deployer: DeployerPlace): Promise<void> => {
  const journal = new ContractJournal(deps.loaded.file)
  await eachChain(deps, deployer, async ({ chain, session, keys }) => {
    const before = await session.inspect()
    say(deps, before)
    refuse(before, keys)
    if (before.steps.some(({ state }) => state === 'needed')) {
      for (const line of costLines(before)) deps.print(line)
      const missing = shortages(before)
      if (missing.length > 0) throw new DeployError(missing.join('\n'))
      if (!(await deps.confirm(`Do this on ${chain.slug}?`))) throw new UsageError('Nothing was sent.')
      const after = await deployContracts({ ...deps, chainId: chain.id, session, journal })
      say(deps, after)
      refuse(after, keys)
    }
    const written = await editChainOptions(deps.loaded.file, chain.id, before.options)
    for (const line of written) deps.print(line)
  })
}

const lacksDeployer = ({ steps }: ContractReport, { deployer }: ContractKeys): boolean =>
  deployer === null && steps.some(({ state, payer }) => state === 'needed' && payer === 'deployer')

const refuse = (report: ContractReport, keys: KeysHere): void => {
  const faults = report.steps.filter(({ state }) => state === 'fault')
  if (faults.length > 0)
    throw new DeployError(
      `Put this right first:\n${faults.map(({ title, detail }) => `${title}: ${detail}`).join('\n')}`,
    )
  if (lacksDeployer(report, keys)) throw new UsageError(`No deployer key is here. ${keys.noDeployer}`)
}
