import { CallError } from '@causeway/core/testing'
import type { BitcoinAccount } from './accounts.js'
import { type LocalBitcoin, type LocalBitcoinOptions, startLocalBitcoin } from './node/localBitcoin.js'

/** A chain for one test file, with short ways to ask it. */
export interface TestedNode {
  readonly chain: LocalBitcoin
  account(at: number): BitcoinAccount
  /** A call of JSON-RPC: the whole answer. */
  rpc<T = unknown>(method: string, ...params: readonly unknown[]): Promise<RpcAnswer<T>>
  /** What Esplora answers. */
  get(path: string): Promise<{ readonly status: number; readonly text: string; json<T>(): T }>
}

/** An answer of JSON-RPC with its HTTP status. */
export interface RpcAnswer<T> {
  readonly status: number
  /** As it was sent, for amounts. */
  readonly text: string
  readonly result: T
  readonly error: { readonly code: number; readonly message: string } | null
}

/** Starts a chain whose coinbases mature at once, unless told otherwise. */
export const startTestedNode = async (options: LocalBitcoinOptions = {}): Promise<TestedNode> => {
  const chain = await startLocalBitcoin({ ...options, policy: { coinbaseMaturity: 1, ...options.policy } })
  return {
    chain,
    account: (at) => {
      const found = chain.accounts[at]
      if (found === undefined) throw new Error(`there is no account ${at}`)
      return found
    },
    rpc: async (method, ...params) => {
      const response = await post(chain.rpcUrl, JSON.stringify({ id: 1, method, params }))
      const text = await response.text()
      return { status: response.status, text, ...JSON.parse(text) }
    },
    get: async (path) => {
      const response = await fetch(`${chain.url}${path}`)
      const text = await response.text()
      return { status: response.status, text, json: () => JSON.parse(text) }
    },
  }
}

/** Posts a body. */
export const post = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', body })

/** What a transaction is refused with: Core's code and text; null when it is taken. */
export const refusalOf = async (sending: Promise<unknown>): Promise<string | null> => {
  try {
    await sending
    return null
  } catch (error) {
    if (error instanceof CallError) return `${error.code} ${error.message}`
    throw error
  }
}
