import { AccountId, Client, PrivateKey, type Status, type Transaction } from '@hashgraph/sdk'
import { HederaReader } from './hederaReader.js'
import { startLocalHedera } from './node/localHedera.js'

/** Tinybars of an HBAR. */
export const HBAR = 100_000_000n

/** A local network whose blocks come on demand, with an unmodified SDK. */
export const startTestedNetwork = async () => {
  const chain = await startLocalHedera({ chainId: 71_010, blockMs: 0 })
  const reader = new HederaReader(chain)
  const clients: Client[] = []
  /** A client whose operator is a new account with HBAR. */
  const operator = async (key = PrivateKey.generateECDSA(), tinybars = 1000n * HBAR) => {
    const alias = `0x${key.publicKey.toEvmAddress()}`
    await chain.fund(alias, tinybars)
    const id = AccountId.fromString(await reader.accountId(alias))
    const client = Client.forNetwork(await reader.nodes()).setOperator(id, key)
    client.setMaxAttempts(3).setMinBackoff(1).setMaxBackoff(2).setNodeMinBackoff(1).setNodeMaxBackoff(2)
    clients.push(client)
    return { id, key, alias, client }
  }
  return {
    ...{ chain, reader, operator },
    /** Json of a path of the mirror node. */
    mirror: async (path: string) => {
      const response = await fetch(`${chain.endpoint.http}/api/v1${path}`)
      return { status: response.status, json: await response.json() }
    },
    close: async () => {
      for (const client of clients) client.close()
      await chain.close()
    },
  }
}

/** Status with which a call of the SDK fails, also after its last attempt; `SUCCESS` if it does not. */
export const statusOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call
    return 'SUCCESS'
  } catch (error) {
    // CAST: errors of the SDK have a status or a message.
    const { status, message = '' } = error as { readonly status?: Status; readonly message?: string }
    return String(status ?? /last error being: (.*)$/.exec(message)?.[1] ?? error)
  }
}

/** Signs a transaction, submits it, and waits for its receipt. */
export const executed = async (transaction: Transaction, client: Client, ...keys: readonly PrivateKey[]) => {
  transaction.freezeWith(client)
  for (const key of keys) await transaction.sign(key)
  const response = await transaction.execute(client)
  return { response, receipt: await response.getReceipt(client) }
}
