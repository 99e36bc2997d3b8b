import { XrpLedger } from '../engine/xrpLedger.js'
import { serveXrp } from '../server/xrpServer.js'

export interface OpenXrpOptions {
  readonly port: number
  /** 0: ledgers close on demand only. */
  readonly blockMs: number
  readonly networkId: number
}

/** Starts a local ledger in this process and serves it. */
export const openLocalXrp = async (
  options: OpenXrpOptions,
): Promise<{ readonly port: number; close(): Promise<void> }> => {
  const ledger = new XrpLedger(options.networkId)
  const server = await serveXrp(ledger, { port: options.port })
  const clock = options.blockMs > 0 ? setInterval(() => ledger.close(), options.blockMs) : undefined
  return {
    port: server.port,
    close: async () => {
      clearInterval(clock)
      await server.close()
    },
  }
}
