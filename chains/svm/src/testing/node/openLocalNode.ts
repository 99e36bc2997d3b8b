import type { NodeServer } from '@causeway/core/testing'
import { serveSvm } from '../rpc/svmServer.js'
import type { LocalNodeOptions } from './localNode.js'

export interface OpenNodeOptions extends LocalNodeOptions {
  readonly port: number
  /** 0: slots move on demand only. */
  readonly slotMs: number
}

/** Starts a local chain in this process and serves it. */
export const open = async (options: OpenNodeOptions): Promise<NodeServer> => {
  // Only here: the engine is a native package, which whoever starts or adopts a chain elsewhere need not have.
  const { LocalNode } = await import('./localNode.js')
  const node = new LocalNode(options)
  const server = await serveSvm(node, { port: options.port })
  const clock = options.slotMs > 0 ? setInterval(() => node.paused || node.advance(1), options.slotMs) : undefined
  return {
    port: server.port,
    close: async () => {
      clearInterval(clock)
      await server.close()
    },
  }
}
