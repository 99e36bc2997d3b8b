import { ROLES, type Role } from '@causeway/core/plugin'
import { findConfigFile, type LoadConfigOptions, type LoadedConfig, loadConfig } from '../config/loadConfig.js'
import { nearestName } from '../config/nearestName.js'
import { UsageError } from './plainError.js'

/** The configuration named with --config, else the one in this folder, else undefined. */
export const chooseConfig = (named: string | undefined): string | undefined => named ?? findConfigFile(process.cwd())

/** The file of the configuration a command needs. @throws UsageError when there is none */
export const requireConfigPath = (named: string | undefined): string => {
  const file = chooseConfig(named)
  if (file !== undefined) return file
  throw new UsageError(
    'There is no causeway.config.ts or causeway.config.json in this folder. Name one with --config <path>; for the sandbox it is .causeway/sandbox.config.json.',
  )
}

/** Loads the configuration a command needs. @throws UsageError when there is none */
export const requireConfig = async (
  named: string | undefined,
  options: LoadConfigOptions = {},
): Promise<LoadedConfig> => loadConfig(requireConfigPath(named), options)

/** Reads `--role`, given once for each or separated by commas. @throws UsageError */
export const parseRole = (text: string, previous: readonly (Role | 'all')[] = []): readonly (Role | 'all')[] => {
  const known = [...ROLES, 'all'] as const
  const roles = text.split(',').map((name) => {
    const role = known.find((candidate) => candidate === name.trim())
    if (role !== undefined) return role
    const near = nearestName(name, known)
    throw new UsageError(
      `There is no role "${name}". Known: ${known.join(', ')}.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    )
  })
  return [...previous, ...roles]
}

/** Reads `--port`. @throws UsageError */
export const parsePort = (text: string): number => {
  const port = Number(text)
  if (!/^[0-9]+$/.test(text) || port > 65_535)
    throw new UsageError(`"${text}" is no port; give a number from 0 to 65535.`)
  return port
}

/** Reads a number of seconds, 1 to 600. @throws UsageError */
export const parseSeconds = (text: string): number => {
  const seconds = Number(text)
  if (!/^[0-9]+$/.test(text) || seconds < 1 || seconds > 600)
    throw new UsageError(`"${text}" is no time; give a number of seconds from 1 to 600.`)
  return seconds
}
