import { fileURLToPath } from 'node:url'
import { startDetachedNode } from '@causeway/core/testing'
import type { OpenNodeOptions } from './openLocalNode.js'

/** Starts a local chain that outlives this process; its output goes to `logPath`. @throws Error with the end of its log */
export const spawnDetached = (
  options: OpenNodeOptions,
  logPath: string,
  main = fileURLToPath(new URL('./localSvmProcess.js', import.meta.url)),
): Promise<{ readonly pid: number; readonly port: number }> => {
  const flags = {
    port: options.port,
    'slot-ms': options.slotMs,
    genesis: options.genesisHash,
    'confirmed-lag': options.confirmedLag,
    'finalized-lag': options.finalizedLag,
  }
  return startDetachedNode({ main, flags, logPath })
}
