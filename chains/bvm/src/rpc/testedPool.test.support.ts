import { EndpointMonitor, HeadPace } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { NETWORKS } from '../address/networks.js'
import type { LocalBitcoin } from '../testing/index.js'
import { sourceProbe } from './probe.js'
import { openSourcePool, type SourceMonitor, type SourcePool } from './sourcePool.js'

const logger = pino({ level: 'silent' })

/** Both APIs of a local chain, as two providers. */
export const poolOf = (chain: LocalBitcoin): SourcePool =>
  openSourcePool({
    endpoints: [
      { http: chain.url, provider: 'one' },
      { http: chain.rpcUrl, provider: 'two' },
    ],
    settings: {
      access: ['esplora', 'core'],
      genesisHash: NETWORKS.regtest.genesisHash,
      rpcTimeoutMs: 5000,
      maxAnswerBytes: 9_000_000,
    },
    logger,
  })

/** Compares the nodes of a pool when it is told to. */
export const monitorOf = (pool: SourcePool, settle: bigint): SourceMonitor =>
  new EndpointMonitor({
    pool,
    probe: sourceProbe(NETWORKS.regtest.genesisHash, settle),
    intervalMs: 60_000,
    pace: new HeadPace(600_000),
    headTime: () => null,
    logger,
  })
