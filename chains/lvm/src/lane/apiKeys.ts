import { type Environment, ServiceError } from '@causeway/core'
import type { LighterSettings } from '../options.js'
import type { SigningKey } from './lighterSigner.js'

/** The API keys of this process. */
export type ApiKeys = ReturnType<typeof readApiKeys>

const PRIVATE_KEY = /^(?:0x)?([0-9a-fA-F]{80})$/

/**
 * Reads the API keys that the options name.
 * @throws Error in plain words for a variable that holds no key
 */
export const readApiKeys = (
  { accounts, signingChainId: chainId }: Pick<LighterSettings, 'accounts' | 'signingChainId'>,
  environment: Environment,
) => {
  const entries = new Map(accounts.map((entry) => [entry.account, entry]))
  const keys = new Map<string, SigningKey>()
  for (const { account, apiKeyIndex, apiKeyVariable } of accounts) {
    const text = apiKeyVariable === null ? undefined : environment.read(apiKeyVariable)
    if (text === undefined || text === '') continue
    const [, digits] = PRIVATE_KEY.exec(text.trim()) ?? []
    if (digits === undefined)
      throw new Error(`The environment variable ${apiKeyVariable} holds no private API key, which has 80 hex digits.`)
    keys.set(account, { privateKey: `0x${digits.toLowerCase()}`, chainId, apiKeyIndex, accountIndex: Number(account) })
  }
  return {
    /** The entry of an account of the service; null for any other account. */
    entryOf: (account: string) => entries.get(account) ?? null,
    /** The private key of an account; null where this process does not have it. */
    find: (account: string) => keys.get(account) ?? null,
    /** As `find`. @throws ServiceError SERVICE_UNAVAILABLE where this process does not have it */
    require: (account: string): SigningKey => {
      const key = keys.get(account)
      if (key !== undefined) return key
      const variable = entries.get(account)?.apiKeyVariable ?? null
      throw new ServiceError(
        'SERVICE_UNAVAILABLE',
        variable === null
          ? `options.accounts names no "apiKeyVariable" of account ${account}, so this process cannot sign for it.`
          : `The environment variable ${variable} is not set, so this process cannot sign for account ${account}.`,
      )
    },
  }
}
