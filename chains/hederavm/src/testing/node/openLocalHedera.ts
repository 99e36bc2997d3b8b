import {
  type Controls,
  localLedger,
  type NodeFault,
  NodeFaults,
  type NodeServer,
  type OpenLedgerOptions,
  type RunCall,
} from '@causeway/core/testing'
import { proto } from '@hiero-ledger/proto'
import { HederaNetwork } from '../engine/hederaNetwork.js'
import type { LedgerTx } from '../engine/ledgerTx.js'
import type { ExchangeRate } from '../engine/rules/fees.js'
import { startConsensusNode } from '../server/consensusNode.js'
import { mirrorServer } from '../server/mirror/mirrorServer.js'

/** Ids that public ledgers have; a local one has that of its chain. */
const LEDGER_IDS: Readonly<Record<number, string>> = { 295: '00', 296: '01', 297: '02' }

const ledgerIdOf = (chainId: number): Uint8Array =>
  Buffer.from(LEDGER_IDS[chainId] ?? chainId.toString(16).padStart(8, '0'), 'hex')

/** A fault of a consensus node. */
export interface ConsensusFault extends NodeFault {
  /** Account of the node; any node by default. */
  readonly node?: string
}

/** A transaction that a control applied. */
export interface Applied {
  readonly id: string
  /** Ids of what it made. */
  readonly account?: string
  readonly token?: string
}

const appliedOf = ({ id, made: { supply: _, ...made } }: LedgerTx): Applied => ({ id, ...made })

/** Controls of the network; bodies are protobufs in base64. */
const controlsOf = (network: HederaNetwork, faults: NodeFaults<ConsensusFault>): Controls => ({
  apply: (bodies: readonly string[], isWithin: boolean) => {
    const read = bodies.map((base64) => proto.TransactionBody.decode(Buffer.from(base64, 'base64')))
    const done = isWithin ? [network.applyWithin(read)] : read.map((body) => network.apply(body))
    network.close()
    return done.map(appliedOf)
  },
  setRate: (rate: ExchangeRate) => void Object.assign(network.settings.rate, rate),
  setThrottle: (most: number | null) => {
    network.settings.throttle = most ?? Number.POSITIVE_INFINITY
  },
  failConsensus: (fault: ConsensusFault) => faults.add(fault),
  clearConsensusFaults: () => faults.clear(),
  consensusCounts: () => Object.fromEntries(faults.counts),
})

/** Starts a network in this process: consensus nodes over gRPC, and a mirror node at the port. */
export const open = async ({ chainId, ...options }: OpenLedgerOptions): Promise<NodeServer> => {
  const network = new HederaNetwork(['0.0.3', '0.0.4', '0.0.5'], ledgerIdOf(chainId))
  const lose = <T>(call: () => T): T => {
    network.hold()
    try {
      return call()
    } finally {
      network.release(true)
    }
  }
  const faults = new NodeFaults<ConsensusFault>(lose)
  const started = await Promise.all(
    network.nodes.map(async (account) => {
      const run: RunCall = (method, call) => faults.run(method, call, ({ node = account }) => node === account)
      return [account, await startConsensusNode(network, account, run)] as const
    }),
  )
  const nodes = new Map(started)
  const portOf = (account: string) => nodes.get(account)?.port ?? 0
  const controls = controlsOf(network, faults)
  const mirror = await localLedger({ ...options, chainId, engine: network, dialect: mirrorServer(portOf), controls })
  return {
    port: mirror.port,
    close: async () => {
      await Promise.all([mirror, ...nodes.values()].map((server) => server.close()))
    },
  }
}
