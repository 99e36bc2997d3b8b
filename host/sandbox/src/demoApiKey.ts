import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { EnvironmentVariables } from '@causeway/core'
import { SandboxError } from './sandboxError.js'
import type { SandboxPaths } from './state/sandboxPaths.js'

const VARIABLE = 'CAUSEWAY_SANDBOX_API_KEY'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 43

/** A key in the format of the service; its letters need not be evenly spread in a sandbox. */
const newApiKey = (): string => {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return `cct_test_${letters.join('')}`
}

/** Migrates the database and makes the demo key, through the same command an operator uses. @throws SandboxError with what it said */
export const createDemoApiKey = async (
  paths: SandboxPaths,
  {
    program,
    variables,
    signal,
  }: { readonly program: string; readonly variables: EnvironmentVariables; readonly signal: AbortSignal },
): Promise<string> => {
  const apiKey = newApiKey()
  const words = ['api-keys', 'import', '--integrator', 'demo', '--label', 'sandbox', '--from-env', VARIABLE]
  const options = { cwd: paths.home, env: { ...variables, [VARIABLE]: apiKey }, signal }
  try {
    await promisify(execFile)(process.execPath, [program, ...words, '--config', paths.config], options)
  } catch (error) {
    throw new SandboxError(`The demo API key could not be made: ${Reflect.get(Object(error), 'stderr')}`)
  }
  return apiKey
}
