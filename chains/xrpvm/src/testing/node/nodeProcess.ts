import { fileURLToPath } from 'node:url'
import { startDetachedNode } from '@causeway/core/testing'
import type { OpenXrpOptions } from './openLocalXrp.js'

/** Starts a local ledger that outlives this process; its output goes to `logPath`. @throws Error with the end of its log */
export const spawnDetached = (
  { port, blockMs, networkId }: OpenXrpOptions,
  logPath: string,
  main = fileURLToPath(new URL('./localXrpProcess.js', import.meta.url)),
): Promise<{ readonly pid: number; readonly port: number }> =>
  startDetachedNode({ main, flags: { port, 'block-ms': blockMs, 'network-id': networkId }, logPath })
