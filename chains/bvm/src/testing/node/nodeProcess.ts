import { fileURLToPath } from 'node:url'
import { startDetachedNode } from '@causeway/core/testing'

/** Starts a local chain that outlives this process; its output goes to `logPath`. @throws Error with the end of its log */
export const spawnDetached = (
  { port, blockMs }: { readonly port: number; readonly blockMs: number },
  logPath: string,
  main = fileURLToPath(new URL('./localBitcoinProcess.js', import.meta.url)),
): Promise<{ readonly pid: number; readonly port: number }> =>
  startDetachedNode({ main, flags: { port, 'block-ms': blockMs }, logPath })
