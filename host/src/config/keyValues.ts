import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecp256k1Signer, InvalidKeyError, type KeyPurpose, parsePrivateKey, type Role } from '@causeway/core'
import type { ConfigProblem } from './configProblem.js'
import { KEY_ROLES } from './configRules.js'
import type { HostConfig, KeyReference } from './schema.js'

export interface KeyValues {
  readonly values: ReadonlyMap<KeyPurpose, string>
  readonly problems: readonly ConfigProblem[]
}

export interface KeyValueOptions {
  /** Folder that file names are relative to. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** True when the configuration itself says which roles this process has; then it may name no other role's key. */
  readonly rolesInConfig: boolean
}

interface ConfiguredKey {
  readonly purpose: KeyPurpose
  readonly path: string
  readonly reference: KeyReference
  readonly roles: readonly Role[]
}

class UnreadableKey extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message)
  }
}

const configuredKeys = ({ keys }: HostConfig): readonly ConfiguredKey[] => [
  ...(['order', 'master', 'allocator', 'hd'] as const).flatMap((purpose) => {
    const reference = keys[purpose]
    return reference === undefined ? [] : [{ purpose, path: `keys.${purpose}`, reference, roles: KEY_ROLES[purpose] }]
  }),
  ...Object.entries(keys.payout).map(([chainId, reference]) => ({
    purpose: `payout.${Number(chainId)}` as const,
    path: `keys.payout.${chainId}`,
    reference,
    roles: KEY_ROLES.payout,
  })),
]

const readFile = (file: string, field: string | undefined): string => {
  let text: string
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new UnreadableKey(`is in ${file}, which others can read.`, `Run: chmod 600 ${file}`)
    }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UnreadableKey) throw error
    throw new UnreadableKey(`names ${file}, which cannot be read.`, 'Create it, or correct the name.')
  }
  if (field === undefined) return text.trim()
  let value: unknown
  try {
    value = Reflect.get(Object(JSON.parse(text)), field)
  } catch {
    throw new UnreadableKey(
      `names ${file}, which is not JSON.`,
      'Leave "field" out for a file that holds the key alone.',
    )
  }
  if (typeof value !== 'string') throw new UnreadableKey(`names the field "${field}", which ${file} lacks.`, 'Add it.')
  return value
}

const readReference = (reference: KeyReference, options: KeyValueOptions): string => {
  if ((reference.env === undefined) === (reference.file === undefined)) {
    throw new UnreadableKey('must name exactly one of "env" and "file".', 'Remove one of them.')
  }
  if (reference.file !== undefined) return readFile(resolve(options.folder, reference.file), reference.field)
  const value = options.environment[reference.env ?? '']
  if (value === undefined || value === '') {
    throw new UnreadableKey(`names the environment variable ${reference.env}, which is not set.`, 'Set it.')
  }
  return value
}

const checkKey = (purpose: KeyPurpose, value: string): void => {
  try {
    if (purpose === 'master') parsePrivateKey(value)
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
 * different roles; a key of another role that stands in the environment, or that a configuration of fixed roles names, is
 * a problem (design: keys by purpose). Values never show in a problem.
 */
export const readKeyValues = (config: HostConfig, options: KeyValueOptions): KeyValues => {
  const values = new Map<KeyPurpose, string>()
  const problems: ConfigProblem[] = []
  for (const { purpose, path, reference, roles } of configuredKeys(config)) {
    if (!roles.some((role) => config.roles.includes(role))) {
      const inEnvironment = reference.env !== undefined && Boolean(options.environment[reference.env])
      if (options.rolesInConfig || inEnvironment) problems.push(unneeded(path, config.roles))
      continue
    }
    try {
      const value = readReference(reference, options)
      checkKey(purpose, value)
      values.set(purpose, value)
    } catch (error) {
      if (!(error instanceof UnreadableKey)) throw error
      problems.push({ path, message: error.message, remedy: error.remedy })
    }
  }
  return { values, problems }
}

const unneeded = (path: string, roles: readonly Role[]): ConfigProblem => ({
  path,
  message: `is a key that a process with the role ${roles.map((role) => `"${role}"`).join(', ')} does not need.`,
  remedy: 'Do not give it to this process.',
})
