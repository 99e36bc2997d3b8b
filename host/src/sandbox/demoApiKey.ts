import { randomBytes } from 'node:crypto'
import { commandsOf, withOpenHost } from '../cli/pluginCommands.js'
import { loadConfig } from '../config/loadConfig.js'
import { SandboxError } from './sandboxError.js'
import type { SandboxPaths } from './sandboxPaths.js'

const VARIABLE = 'CAUSEWAY_SANDBOX_API_KEY'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 43

/** A key in the format of the service; its letters need not be evenly spread in a sandbox. */
const newApiKey = (): string => {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return `cct_test_${letters.join('')}`
}

/** Migrates the database and makes the demo key, through the same command an operator uses. */
export const createDemoApiKey = async (paths: SandboxPaths): Promise<string> => {
  const loaded = await loadConfig(paths.config)
  const apiKey = newApiKey()
  await withOpenHost(loaded, async (host) => {
    const command = commandsOf(host).find(({ name }) => name === 'api-keys import')
    if (command === undefined) throw new SandboxError('No plugin of the sandbox makes API keys.')
    process.env[VARIABLE] = apiKey
    try {
      const options = { integrator: 'demo', label: 'sandbox', fromEnv: VARIABLE }
      await command.run({ arguments: [], options, print: () => undefined })
    } finally {
      delete process.env[VARIABLE]
    }
  })
  return apiKey
}
