import type { AccessToken, AccessTokens } from '@causeway/core/chain'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import type { SigningKey } from '../lane/lighterSigner.js'
import { AccountTokens } from './accountTokens.js'
import { TokenRefused } from './lighterNode.js'

const KEY: SigningKey = { privateKey: '0x00', chainId: 300, apiKeyIndex: 2, accountIndex: 7 }
const HOUR = 3600_000
const logger = pino({ level: 'silent' })

class Stored implements AccessTokens {
  token: AccessToken | null = null
  load = async () => this.token
  save = async (_chain: number, _account: string, token: AccessToken) => {
    this.token = token
  }
}

const tokensOf = (stored: AccessTokens | null, { hasKey, now }: { hasKey: boolean; now: { ms: number } }) => {
  const authToken = vi.fn(async (_: SigningKey, deadline: number) => `token until ${deadline}`)
  const deps = {
    chainId: 9,
    now: async () => now.ms,
    logger,
    stored,
    signer: { authToken },
    keys: { find: () => (hasKey ? KEY : null) },
  }
  return { tokens: new AccountTokens(deps), authToken }
}

it('the process with the API key stores tokens, and one without it uses them until they expire', async () => {
  const [stored, now] = [new Stored(), { ms: 0 }]
  const solver = tokensOf(stored, { hasKey: true, now })
  const watcher = tokensOf(stored, { hasKey: false, now }).tokens
  await expect(watcher.tokenOf('7')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/role solver/),
  })
  const stop = new AbortController()
  solver.tokens.keep(['7'], stop.signal)
  await vi.waitFor(() => expect(stored.token).not.toBeNull())
  stop.abort()
  expect(await watcher.tokenOf('7')).toBe(await solver.tokens.tokenOf('7'))
  expect(solver.authToken).toHaveBeenCalledTimes(1)
  now.ms = 8 * HOUR
  await expect(watcher.tokenOf('7')).rejects.toMatchObject({ message: expect.stringMatching(/has expired/) })
  expect(await solver.tokens.tokenOf('7')).toBe(`token until ${15 * 3600}`)
  expect(await watcher.tokenOf('7')).toBe(`token until ${15 * 3600}`)
})

it('a token that was refused is made again, once for all callers', async () => {
  const { tokens, authToken } = tokensOf(null, { hasKey: true, now: { ms: 0 } })
  await Promise.all([tokens.tokenOf('7'), tokens.tokenOf('7')])
  const refuse = () => Promise.reject(new TokenRefused())
  await expect(tokens.using('7', refuse)).rejects.toBeInstanceOf(TokenRefused)
  expect(await tokens.using('7', async (token) => token)).toMatch(/^token/)
  expect(authToken).toHaveBeenCalledTimes(2)
})
