import { expect, it, vi } from 'vitest'
import type { Asked } from './exchangeNode.js'
import { Assets } from './tokens.js'

const USDC = '0x6d1e7cde53ba9467b783cb7c530ce054'
const token = (name: string, tokenId: string, index: number) => ({
  name,
  tokenId,
  index,
  szDecimals: 8,
  weiDecimals: 8,
})

/** Assets of a server whose list may change. */
const assetsOver = (unknownMs: number) => {
  const tokens = [token('USDC', USDC, 0)]
  const rest = { post: async (_: string, __: unknown, read: (answer: unknown) => unknown) => read({ tokens }) }
  // CAST: the one member that is used.
  const pool = {
    ask: (question: (client: unknown, signal: AbortSignal) => unknown) => question(rest, new AbortController().signal),
  } as unknown as Asked
  const warn = vi.fn()
  const named = (text: string) =>
    new Assets({ pool, spotUsdc: USDC, logger: { warn }, unknownMs }).named(text, 'spot', ({ id }) => id)
  return { named, warn, assets: new Assets({ pool, spotUsdc: USDC, logger: { warn }, unknownMs }) }
}

it('a token that is not listed is waited for', async () => {
  const { named, warn } = assetsOver(60_000)
  expect(await named('USDC')).toMatchObject({ tokenId: USDC })
  await expect(named('NEW')).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  expect(warn).not.toHaveBeenCalled()
})

it('and left out after some time, with one warning, so that later transfers are read', async () => {
  const { assets, warn } = assetsOver(0)
  for (const _ of [1, 2]) expect(await assets.named('NEW', 'spot', ({ id }) => id)).toBeNull()
  expect(warn).toHaveBeenCalledTimes(1)
})
