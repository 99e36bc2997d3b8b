import { Client, type SubmittableTransaction, type TxResponse, Wallet } from 'xrpl'
import { startLocalXrp } from './node/localXrp.js'

export const XRP = 1_000_000n

/** What an HTTP call answers in `result`. */
// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
export type Result = Readonly<Record<string, any>>

/** A local ledger that closes on demand, with an unmodified client at its websocket. */
export const startTestedServer = async (blockMs = 0) => {
  const chain = await startLocalXrp({ networkId: 71_009, blockMs })
  const client = new Client(chain.wsUrl)
  await client.connect()
  return {
    chain,
    client,
    /** A wallet with drops. */
    funded: async (drops = 1000n * XRP) => {
      const wallet = Wallet.generate()
      await chain.fund(wallet.classicAddress, drops)
      return wallet
    },
    /** Signs what the client filled in, submits it, and closes the ledger. */
    include: async (wallet: Wallet, transaction: SubmittableTransaction): Promise<TxResponse['result']> => {
      const { tx_blob, hash } = wallet.sign(await client.autofill(transaction))
      await client.submit(tx_blob)
      await chain.advance()
      return (await client.request({ command: 'tx', transaction: hash })).result
    },
    /** One call over HTTP; whatever it answers. */
    post: async (method: string, params: object = {}): Promise<Result> => {
      const response = await fetch(chain.rpcUrl, { method: 'POST', body: JSON.stringify({ method, params: [params] }) })
      // CAST: tests look at what it is.
      return ((await response.json()) as { result: Result }).result
    },
    close: async () => {
      await client.disconnect()
      await chain.close()
    },
  }
}

export type TestedServer = Awaited<ReturnType<typeof startTestedServer>>
