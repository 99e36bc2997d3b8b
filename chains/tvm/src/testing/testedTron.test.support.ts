import { randomBytes } from 'node:crypto'
import { TronWeb, type Types } from 'tronweb'
import { startLocalTron } from './node/localTron.js'
import { addressOfSecret } from './wire/addresses.js'

export const TRX = 1_000_000
export const CHAIN_ID = 728_126_428

/** Hex messages of nodes as text. */
export const textOf = (hex: unknown): string => Buffer.from(String(hex ?? ''), 'hex').toString('utf8')

/** A local network with an unmodified `tronweb`, and a funded user. */
export const startTestedTron = async () => {
  const chain = await startLocalTron({ chainId: CHAIN_ID, blockMs: 0 })
  const { http } = chain.endpoint
  const user = async (sun = 10_000n * BigInt(TRX)) => {
    const secret = randomBytes(32).toString('hex')
    const address = addressOfSecret(Buffer.from(secret, 'hex'))
    if (sun > 0n) await chain.fund(address, sun)
    const tronWeb = new TronWeb({ fullHost: http, privateKey: secret })
    return {
      ...{ secret, address, tronWeb },
      /** Signs and broadcasts. */
      submit: async (tx: Types.Transaction) => tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(tx)),
      balance: async () => Number((await tronWeb.trx.getUnconfirmedAccount(address)).balance ?? 0),
    }
  }
  return {
    ...{ chain, user },
    /** Status and JSON of a method. */
    call: async (path: string, body: object = {}, headers: Record<string, string> = {}) => {
      const response = await fetch(`${http}/${path}`, { method: 'POST', body: JSON.stringify(body), headers })
      return { status: response.status, json: Object(await response.json()) }
    },
    get: async (path: string) => Object(await (await fetch(`${http}/${path}`)).json()),
    close: () => chain.close(),
  }
}

export type TestedTron = Awaited<ReturnType<typeof startTestedTron>>
export type TestedUser = Awaited<ReturnType<TestedTron['user']>>
