import { createSecp256k1Signer, type KeyPurpose } from '@causeway/core/chain'
import { InvalidKeyError, parsePrivateKey } from '@causeway/core/host'
import type { Role } from '@causeway/core/plugin'
import type { ConfigProblem } from '../configProblem.js'
import { KEY_ROLES } from '../configRules.js'
import type { HostConfig, KeyReference } from '../schema/schema.js'
import { ConfiguredKeystore, readKeyReference, type SecretPlace, UnreadableKey } from './keySources.js'

export interface KeyValues {
  readonly values: ReadonlyMap<KeyPurpose, string>
  readonly problems: readonly ConfigProblem[]
}

/** What a process that may hold any key found of them. */
export interface FoundKeys extends KeyValues {
  /** Keys that are not here: of another process, as far as this one can tell. */
  readonly absent: readonly ConfigProblem[]
}

/** Reads the keys that are here, whatever their role; only what is here and wrong is a problem. */
export const findKeyValues = (config: HostConfig, place: SecretPlace): FoundKeys => {
  const { values, unreadable } = readEach(
    configuredKeys(config),
    place,
    new ConfiguredKeystore(config.keys.keystore, place),
  )
  const problems = [...unreadable].filter(([{ absent }]) => !absent).map(([, problem]) => problem)
  const absent = [...unreadable].filter(([error]) => error.absent).map(([, problem]) => problem)
  return { values, problems, absent }
}

export interface KeyValueOptions extends SecretPlace {
  /** True when the configuration itself says which roles this process has; then it may name no other role's key. */
  readonly rolesInConfig: boolean
}

/** A key the configuration names, and who needs it. */
export interface ConfiguredKey {
  readonly purpose: KeyPurpose
  readonly path: string
  readonly reference: KeyReference
  readonly roles: readonly Role[]
}

/** Every key the configuration names. */
export const configuredKeys = ({ keys }: HostConfig): readonly ConfiguredKey[] => [
  ...(['order', 'master', 'previousMaster', 'allocator', 'hd', 'operator'] as const).flatMap((purpose) => {
    const reference = keys[purpose]
    return reference === undefined ? [] : [{ purpose, path: `keys.${purpose}`, reference, roles: KEY_ROLES[purpose] }]
  }),
  ...keysByChain('payout', 'payout', keys.payout),
  ...keysByChain('allocator', 'allocators', keys.allocators),
  ...keysByChain('origin', 'origin', keys.origin),
]

const keysByChain = (
  kind: 'payout' | 'allocator' | 'origin',
  field: string,
  references: Readonly<Record<string, KeyReference>>,
): readonly ConfiguredKey[] =>
  Object.entries(references).map(([chainId, reference]) => ({
    purpose: `${kind}.${Number(chainId)}` as const,
    path: `keys.${field}.${chainId}`,
    reference,
    roles: KEY_ROLES[kind],
  }))

/** @throws UnreadableKey */
export const checkKey = (purpose: KeyPurpose, value: string): void => {
  try {
    // What kind of key a chain signs with is known once its package is loaded.
    if (purpose === 'master' || purpose === 'previousMaster' || purpose.includes('.')) parsePrivateKey(value)
    else createSecp256k1Signer(value)
  } catch (error) {
    if (error instanceof InvalidKeyError) {
      throw new UnreadableKey(`holds no key. ${error.message}`, 'Make one with `openssl rand -hex 32`.')
    }
    throw error
  }
}

/**
 * Reads the keys this process's roles need. Files of other keys are not opened, so one configuration serves processes of
 * different roles. A key of another role is refused (architecture.md 4) where this process could use it: it stands in
 * the environment, lies in the keystore this process opens, or is named by a configuration of fixed roles. A keystore of which it needs
 * nothing stays shut, whatever else the environment has. Values never show in a problem.
 */
export const readKeyValues = (config: HostConfig, options: KeyValueOptions): KeyValues => {
  const keystore = new ConfiguredKeystore(config.keys.keystore, options)
  const all = configuredKeys(config)
  const isNeeded = ({ roles }: ConfiguredKey): boolean => roles.some((role) => config.roles.includes(role))
  const { values, problems } = readNeeded(all.filter(isNeeded), options, keystore)
  const others = all
    .filter((key) => !isNeeded(key))
    .flatMap((key) => refuseUnneeded(key, config.roles, options, keystore))
  const found = [...problems, ...others, ...refuseDeployer(config, options, keystore)]
  return { values, problems: found }
}

const readNeeded = (keys: readonly ConfiguredKey[], place: SecretPlace, keystore: ConfiguredKeystore): KeyValues => {
  const { values, unreadable } = readEach(keys, place, keystore)
  return { values, problems: [...unreadable.values()] }
}

/** What is wrong with the keystore is one error, however many keys are in it. */
const readEach = (keys: readonly ConfiguredKey[], place: SecretPlace, keystore: ConfiguredKeystore) => {
  const values = new Map<KeyPurpose, string>()
  const unreadable = new Map<UnreadableKey, ConfigProblem>()
  for (const { purpose, path, reference } of keys) {
    try {
      const value = readKeyReference(reference, place, keystore)
      checkKey(purpose, value)
      values.set(purpose, value)
    } catch (error) {
      if (!(error instanceof UnreadableKey)) throw error
      unreadable.set(error, { path: error.path ?? path, message: error.message, remedy: error.remedy })
    }
  }
  return { values, unreadable }
}

const refuseUnneeded = (
  { path, reference, roles }: ConfiguredKey,
  own: readonly Role[],
  { rolesInConfig, environment }: KeyValueOptions,
  keystore: ConfiguredKeystore,
): readonly ConfigProblem[] => {
  const whose = roles.length === 0 ? 'of operators, for their commands' : `of the role ${quoted(roles)}`
  const message = `is a key ${whose}; this process is ${quoted(own)} and may not hold it.`
  const { env, keystore: name } = reference
  if (env !== undefined && environment[env]) return [{ path, message, remedy: `Do not give ${env} to this process.` }]
  if (name !== undefined && keystore.held().some((entry) => entry.name === name))
    return [
      {
        path,
        message,
        remedy: `Give this process a keystore of its own without "${name}": "causeway keys split" makes one for each role.`,
      },
    ]
  return rolesInConfig ? [{ path, message, remedy: 'Remove it from the configuration of this process.' }] : []
}

/** No host pays for contracts: where one could use the key, it is refused like that of another role. */
const refuseDeployer = (
  { keys: { deployer } }: HostConfig,
  { environment }: KeyValueOptions,
  keystore: ConfiguredKeystore,
): readonly ConfigProblem[] => {
  if (deployer === undefined) return []
  const { env, keystore: name, keystoreFile } = deployer
  const problem = { path: 'keys.deployer', message: 'is at hand, and no host may hold it.' }
  if (env !== undefined && environment[env]) return [{ ...problem, remedy: `Do not give ${env} to this process.` }]
  if (name !== undefined && keystoreFile === undefined && keystore.held().some((entry) => entry.name === name))
    return [{ ...problem, remedy: 'Keep it in a keystore of its own: "keystoreFile".' }]
  return []
}

const quoted = (roles: readonly Role[]): string => roles.map((role) => `"${role}"`).join(', ')
