import {
  jsonRpc,
  type NodeDialect,
  NodeFaults,
  type NodeServer,
  serveNode,
  serveSocketsAt,
} from '@causeway/core/testing'
import type { LocalNode } from '../node/localNode.js'
import { controlMethods } from './controlMethods.js'
import { rpcMethods } from './rpcMethods.js'
import { Subscriptions } from './subscriptions.js'

/** How often another port is tried until the one beside it is free. */
const TRIES = 20

/**
 * Serves a local chain over HTTP (batches too) and websocket on one port of 127.0.0.1, and the websocket beside it too: clients look there
 * by default. Beside a port that was asked for, the next one may be meant for something else.
 */
export const serveSvm = async (node: LocalNode, options: { readonly port: number }): Promise<NodeServer> => {
  const faults = new NodeFaults()
  const subscriptions = new Subscriptions(node)
  const dialect: NodeDialect = {
    ...jsonRpc(rpcMethods(node), (method, call) => faults.run(method, call)),
    socket: (socket) => subscriptions.open(socket),
  }
  const controls = controlMethods(node, faults)
  for (let tries = 1; ; tries += 1) {
    const server = await serveNode({ ...options, dialect, controls })
    if (options.port !== 0) return server
    const beside = await serveSocketsAt(server.port + 1, dialect)
    if (beside === null && tries < TRIES) await server.close()
    else return { port: server.port, close: async () => void (await Promise.all([server.close(), beside?.close()])) }
  }
}
