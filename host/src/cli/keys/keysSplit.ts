import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { divideKeystore, type KeystorePart, listKeystore, type OpenKeystore, syncFolder } from '@causeway/core/host'
import { editConfig } from '../../config/edit/editConfig.js'
import { readVariable } from '../../config/keys/keySources.js'
import { configuredKeys } from '../../config/keys/keyValues.js'
import { KEYSTORE_HOLDERS, type KeystoreHolder, splitFolder } from '../../config/keys/splitKeystores.js'
import type { ConfiguredChain } from '../../config/schema/schema.js'
import { signerOf } from '../../init/chainKeys.js'
import { payoutAddress } from '../../init/payoutAddress.js'
import { asChainPackage } from '../../plugins/packageShape.js'
import { PackageError, PackageSource } from '../../plugins/packageSource.js'
import { UsageError } from '../plainError.js'
import { currentPassphrase, type KeysDeps, type Place, placeOf, said } from './keysActions.js'

export interface SplitTo {
  /** Folder that is made. */
  readonly out?: string
  /** `<holder>=<variable>` for those that get a passphrase of their own. */
  readonly newEnv: readonly string[]
}

/**
 * `keys split`: from the keystore of all keys to one for each role and one for commands, in a new folder that is there whole or not at
 * all; the keystore stays as it is. Writes the addresses that the roles without payout keys need into the configuration.
 */
export const splitKeys = async (deps: KeysDeps, { out, newEnv }: SplitTo): Promise<void> => {
  const { loaded, streams, print } = deps
  const place = placeOf(deps)
  const folder = out === undefined ? splitFolder(place.file) : resolve(out)
  if (existsSync(folder))
    throw new UsageError(`${folder} is there already, and is not written over. Name another --out.`)
  const ownVariables = variablesOf(newEnv)
  const own = passphrasesOf(ownVariables, place)
  const namesByHolder = namesOf(deps, place)
  const passphrase = await currentPassphrase(place, streams)
  const parts = [...namesByHolder].map(([holder, names]) => ({
    file: `${holder}.json`,
    passphrase: own.get(holder) ?? passphrase,
    names,
  }))
  const opened = writeFolder(folder, (draft) => {
    const inDraft = (part: KeystorePart): KeystorePart => ({ ...part, file: join(draft, part.file) })
    return divideKeystore({ file: place.file, passphrase }, parts.map(inDraft))
  })
  const shown = relative(loaded.folder, folder) || folder
  for (const { file, names } of parts) print(`${join(shown, file).padEnd(shown.length + 15)} ${names.join(', ')}`)
  const left = listKeystore(place.file).filter(({ name }) => !parts.some(({ names }) => names.includes(name)))
  if (left.length > 0) print(`In ${place.settings.file} alone: ${left.map(({ name }) => name).join(', ')}`)
  for (const line of await stateSolvers(deps, opened)) print(line)
  for (const line of howToStart(deps, { shown, parts: [...namesByHolder.keys()], own: ownVariables })) print(line)
  print(`Role watcher needs none. Take ${place.settings.file} away from this machine once they run: it has all keys.`)
}

/** The variables of those that get a passphrase of their own. */
const variablesOf = (pairs: readonly string[]): ReadonlyMap<KeystoreHolder, string> =>
  new Map(
    pairs.map((text) => {
      const [, name, variable = ''] = /^([a-z]+)=([A-Za-z_][A-Za-z0-9_]*)$/.exec(text) ?? []
      const holder = KEYSTORE_HOLDERS.find((known) => known === name)
      if (holder === undefined)
        throw new UsageError(
          `"${text}" is not <role>=<variable>, as --new-env takes it: ${KEYSTORE_HOLDERS.join(', ')}.`,
        )
      return [holder, variable] as const
    }),
  )

const passphrasesOf = (
  variables: ReadonlyMap<KeystoreHolder, string>,
  place: Place,
): ReadonlyMap<KeystoreHolder, string> =>
  new Map([...variables].map(([holder, name]) => [holder, said('--new-env', () => readVariable(name, place))]))

/** How each keystore is named to its process, and a passphrase of its own where it has one. */
const howToStart = (
  { loaded }: KeysDeps,
  made: {
    readonly shown: string
    readonly parts: readonly KeystoreHolder[]
    readonly own: ReadonlyMap<KeystoreHolder, string>
  },
): readonly string[] => {
  const { env, file } = loaded.config.keys.keystore?.passphrase ?? {}
  const { shown, parts, own } = made
  const lines = parts.map((holder) => {
    const variable = own.get(holder)
    const passphrase = variable === undefined || env === undefined ? '' : `${env}="$${variable}" `
    const command = holder === 'operator' ? 'causeway api-keys list' : `causeway start --role ${holder}`
    return `  ${passphrase}KEYSTORE_FILE=${join(shown, `${holder}.json`)} ${command}`
  })
  const where = own.size > 0 && env === undefined ? [`Put each passphrase in ${file} of its own machine.`] : []
  return ['Name its keystore to each process:', ...lines, ...where]
}

/** Names of the keys that each holder needs; none twice, and nobody who needs none. */
const namesOf = ({ loaded }: KeysDeps, { file }: Place): ReadonlyMap<KeystoreHolder, readonly string[]> => {
  const held = listKeystore(file)
  const needed = configuredKeys(loaded.config).flatMap(({ purpose, reference: { keystore: name }, roles }) => {
    // The key of operators may lie in a keystore of their own.
    if (name === undefined || (purpose === 'operator' && !held.some((entry) => entry.name === name))) return []
    const isForCommands = purpose === 'operator' || purpose === 'master' || purpose === 'previousMaster'
    return [{ name, holders: [...roles, ...(isForCommands ? ['operator'] : [])] }]
  })
  const all = KEYSTORE_HOLDERS.map((holder) => {
    const names = needed.filter(({ holders }) => holders.includes(holder)).map(({ name }) => name)
    return [holder, [...new Set(names)]] as const
  })
  const lacking = needed.find(({ name }) => !held.some((entry) => entry.name === name))
  if (lacking !== undefined)
    throw new UsageError(
      `${file} has no key "${lacking.name}", which the configuration names: nothing was written. Make it with causeway keys new, or put the file back that has it. Where the keys were split before, each keystore is kept up by itself: causeway keys copy and keys new, with KEYSTORE_FILE.`,
    )
  const some = all.filter(([, names]) => names.length > 0)
  if (some.length === 0)
    throw new UsageError('The configuration names no key of the keystore: there is nothing to split.')
  return new Map(some)
}

/** The folder is there when all in it is; its files are on the disk by then. */
const writeFolder = <T>(folder: string, write: (draft: string) => T): T => {
  const draft = `${folder}.new`
  try {
    mkdirSync(draft, { mode: 0o700 })
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'EEXIST')
      throw new UsageError(
        `${draft} is there: another command splits the keys, or one was interrupted. Then remove it.`,
      )
    throw new UsageError(`${draft} cannot be made. Check that its folder is there and may be written.`)
  }
  try {
    const made = write(draft)
    renameSync(draft, folder)
    // Before anybody takes the old keystore away.
    syncFolder(dirname(folder))
    return made
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

/** Only the solver can derive the addresses it pays and sends from; the other roles read them in the configuration. */
const stateSolvers = async ({ loaded, environment }: KeysDeps, keystore: OpenKeystore): Promise<readonly string[]> => {
  const { chains, keys } = loaded.config
  const silent = chains.flatMap((chain, at) => {
    const name = keys.payout[String(chain.id)]?.keystore
    return chain.solver === undefined ? [{ chain, at, name }] : []
  })
  const source = new PackageSource(loaded.folder)
  const solverOf = async (chain: ConfiguredChain, key: string): Promise<string | null> => {
    try {
      const chainPackage = asChainPackage(await source.load(chain.package))
      const signer = signerOf(key, chainPackage.keyScheme ?? 'secp256k1')
      return await payoutAddress(chainPackage, chain, signer, environment)
    } catch (error) {
      if (error instanceof PackageError) return null
      throw error
    }
  }
  const edits = []
  const unknown: string[] = []
  for (const { chain, at, name } of silent) {
    const solver = name === undefined ? null : await solverOf(chain, keystore.read(name))
    if (solver === null)
      unknown.push(`State the address of the payout key of ${chain.slug}: chains[${at}].solver; the roles need it.`)
    else edits.push({ path: ['chains', at, 'solver'], value: solver })
  }
  const senders = chains.flatMap((chain, at) => {
    const name = keys.origin[String(chain.id)]?.keystore
    return chain.originSender === undefined && name !== undefined ? [{ chain, at, name }] : []
  })
  for (const { chain, at, name } of senders) {
    const value = await solverOf(chain, keystore.read(name))
    if (value !== null) edits.push({ path: ['chains', at, 'originSender'], value })
  }
  return [...(edits.length === 0 ? [] : await editConfig(loaded.file, edits)), ...unknown]
}
