import { createSecp256k1Signer, type KeyPurpose } from '@causeway/core/chain'
import { InvalidKeyError, parsePrivateKey } from '@causeway/core/host'
import type { Role } from '@causeway/core/plugin'
import type { ConfigProblem } from './configProblem.js'
import { KEY_ROLES } from './configRules.js'
import { ConfiguredKeystore, readKeyReference, type SecretPlace, UnreadableKey } from './keySources.js'
import type { HostConfig, KeyReference } from './schema/schema.js'

export interface KeyValues {
  readonly values: ReadonlyMap<KeyPurpose, string>
  readonly problems: readonly ConfigProblem[]
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
  ...(['order', 'master', 'previousMaster', 'allocator', 'hd'] as const).flatMap((purpose) => {
    const reference = keys[purpose]
    return reference === undefined ? [] : [{ purpose, path: `keys.${purpose}`, reference, roles: KEY_ROLES[purpose] }]
  }),
  ...keysByChain('payout', 'payout', keys.payout),
  ...keysByChain('allocator', 'allocators', keys.allocators),
]

const keysByChain = (
  kind: 'payout' | 'allocator',
  field: string,
  references: Readonly<Record<string, KeyReference>>,
): readonly ConfiguredKey[] =>
  Object.entries(references).map(([chainId, reference]) => ({
    purpose: `${kind}.${Number(chainId)}` as const,
    path: `keys.${field}.${chainId}`,
    reference,
    roles: KEY_ROLES[kind],
  }))

const checkKey = (purpose: KeyPurpose, value: string): void => {
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
 * the environment, lies in the keystore this process opens, or is named by a configuration of fixed roles. Values never
 * show in a problem.
 */
export const readKeyValues = (config: HostConfig, options: KeyValueOptions): KeyValues => {
  const keystore = new ConfiguredKeystore(config.keys.keystore, options)
  const all = configuredKeys(config)
  const isNeeded = ({ roles }: ConfiguredKey): boolean => roles.some((role) => config.roles.includes(role))
  const { values, problems } = readNeeded(all.filter(isNeeded), options, keystore)
  const others = all
    .filter((key) => !isNeeded(key))
    .flatMap((key) => refuseUnneeded(key, config.roles, options, keystore))
  const found = [...problems, ...others, ...refuseDeployer(config, options, keystore), ...refusePassphrase(keystore)]
  return { values, problems: found }
}

const readNeeded = (
  keys: readonly ConfiguredKey[],
  options: KeyValueOptions,
  keystore: ConfiguredKeystore,
): KeyValues => {
  const values = new Map<KeyPurpose, string>()
  const unreadable = new Map<UnreadableKey, ConfigProblem>()
  for (const { purpose, path, reference } of keys) {
    try {
      const value = readKeyReference(reference, options, keystore)
      checkKey(purpose, value)
      values.set(purpose, value)
    } catch (error) {
      if (!(error instanceof UnreadableKey)) throw error
      unreadable.set(error, { path: error.path ?? path, message: error.message, remedy: error.remedy })
    }
  }
  return { values, problems: [...unreadable.values()] }
}

const refuseUnneeded = (
  { path, reference, roles }: ConfiguredKey,
  own: readonly Role[],
  { rolesInConfig, environment }: KeyValueOptions,
  keystore: ConfiguredKeystore,
): readonly ConfigProblem[] => {
  const message = `is a key of the role ${quoted(roles)}; this process is ${quoted(own)} and may not hold it.`
  const { env, keystore: name } = reference
  if (env !== undefined && environment[env]) return [{ path, message, remedy: `Do not give ${env} to this process.` }]
  if (name !== undefined && keystore.held().some((entry) => entry.name === name))
    return [{ path, message, remedy: `Give this process a keystore of its own without "${name}".` }]
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

const refusePassphrase = (keystore: ConfiguredKeystore): readonly ConfigProblem[] =>
  keystore.isGivenForNothing
    ? [
        {
          path: 'keys.keystore.passphrase',
          message: 'is set in the environment of a process that needs no key of the keystore.',
          remedy: 'Do not give it to this process.',
        },
      ]
    : []
