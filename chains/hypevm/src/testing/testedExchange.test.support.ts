import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { spotUsdcOf } from './engine/tokens.js'
import { type ExchangeBody, HyperliquidWallet } from './hyperliquidWallet.js'
import { startLocalHyperliquid } from './node/localHyperliquid.js'

const CHAIN_ID = 71_009
/** A unit of USDC. */
export const USDC = 100_000_000n
export const SPOT_USDC = spotUsdcOf(CHAIN_ID)

/** A local exchange whose blocks come on demand. */
export const startTestedExchange = async () => {
  const chain = await startLocalHyperliquid({ chainId: CHAIN_ID, blockMs: 0 })
  const newWallet = () => new HyperliquidWallet(chain, bytesToHex(randomBytes(32)))
  return {
    ...{ chain, newWallet, reader: newWallet().chain },
    /** A new account with USDC on the perps exchange. */
    funded: async (amount = 100n * USDC, currency?: string): Promise<HyperliquidWallet> => {
      const wallet = newWallet()
      await chain.fund(wallet.address, amount, currency)
      return wallet
    },
    /** Posts a body to a path. */
    post: async (path: string, body: string, type = 'application/json') => {
      const headers = { 'content-type': type }
      const response = await fetch(`${chain.endpoint.http}${path}`, { method: 'POST', headers, body })
      return { status: response.status, text: await response.text() }
    },
    close: () => chain.close(),
  }
}

export type TestedExchange = Awaited<ReturnType<typeof startTestedExchange>>

/** Text with which the exchange refuses a body; null if it does not. */
export const refusalOf = async (wallet: HyperliquidWallet, body: ExchangeBody): Promise<string | null> => {
  const { status, response } = await wallet.post(body)
  return status === 'ok' ? null : String(response)
}
