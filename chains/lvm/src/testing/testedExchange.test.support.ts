import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { LighterWallet } from './lighterWallet.js'
import { startLocalLighter } from './node/localLighter.js'

export const CHAIN_ID = 71_010
export const DOLLAR = 1_000_000n
export const ORDER_ID = `0x${'ab'.repeat(32)}`

/** The step of a quote that pays an account in USDC of perps. */
export const stepTo = (account: string, amount: bigint, memo = ORDER_ID) => ({
  action: {
    type: 'transfer',
    parameters: {
      ...{ toAccountIndex: Number(account), assetIndex: 3, fromRouteType: 0, toRouteType: 0 },
      ...{ amount: Number(amount), usdcFee: 3_000_000, memo },
    },
  },
})

/** JSON of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
export type Json = Readonly<Record<string, any>>

/** Status and JSON of an answer. */
const answered = async (asked: Promise<Response>): Promise<{ readonly status: number; readonly json: Json }> => {
  const response = await asked
  // CAST: tests look at what it is.
  return { status: response.status, json: (await response.json()) as Json }
}

/** A local exchange whose blocks come on demand, with wallets of users. */
export const startTestedExchange = async () => {
  const chain = await startLocalLighter({ chainId: CHAIN_ID, blockMs: 0 })
  return {
    chain,
    /** A wallet with USDC of perps, and its key. */
    funded: async (amount = 100n * DOLLAR) => {
      const key = bytesToHex(randomBytes(32))
      const wallet = new LighterWallet(chain, key)
      await chain.fund(wallet.address, amount)
      return { wallet, key }
    },
    get: (call: string, headers: Readonly<Record<string, string>> = {}) =>
      answered(fetch(`${chain.endpoint.http}/api/v1/${call}`, { headers })),
    post: (type: number, info: string) => {
      const body = new URLSearchParams({ tx_type: `${type}`, tx_info: info })
      return answered(fetch(`${chain.endpoint.http}/api/v1/sendTx`, { method: 'POST', body }))
    },
  }
}

export type TestedExchange = Awaited<ReturnType<typeof startTestedExchange>>
