import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endDetachedNode } from '@causeway/core/testing'
import { accountNumber, type BitcoinAccount } from '../accounts.js'
import type { BitcoinFault } from '../api/faults.js'
import { spawnDetached } from './nodeProcess.js'

const ACCOUNTS = 10

export interface DetachedBitcoinOptions {
  /** 0 (default): any free one. */
  readonly port?: number
  /** How often a block with what waits is mined by itself (default 1000); 0: on demand only. */
  readonly blockMs?: number
  readonly logPath?: string
}

/** A local Bitcoin chain that runs somewhere, reached over its port alone. */
export class RunningBitcoin {
  /** Esplora's REST. */
  readonly url: string
  /** Bitcoin Core's JSON-RPC. */
  readonly rpcUrl: string
  /** Its process; null when it runs in this one. */
  readonly pid: number | null
  /** Funded with a bitcoin each; the same on every chain. */
  readonly accounts: readonly BitcoinAccount[] = Array.from({ length: ACCOUNTS }, (_, at) => accountNumber(at))
  readonly #end: () => Promise<void>

  constructor(parts: { readonly port: number; readonly pid: number | null; readonly end: () => Promise<void> }) {
    this.url = `http://127.0.0.1:${parts.port}`
    this.rpcUrl = `${this.url}/rpc`
    this.pid = parts.pid
    this.#end = parts.end
  }

  /** Pays addresses in one transaction, and mines it; satoshis. An address may be named more than once: a coin each. */
  async fund(payments: readonly { readonly address: string; readonly value: bigint }[]): Promise<void> {
    await this.#call('local_fund', [payments.map(({ address, value }) => [address, `${value}`])])
  }

  /** Mines what waits. Returns the hashes. */
  mine(count = 1): Promise<readonly string[]> {
    return this.#call('local_mine', [count])
  }

  /** A branch one block longer takes the place of the newest blocks; what they held waits again, or is gone with `drop`. */
  async reorg(depth: number, { drop = false }: { readonly drop?: boolean } = {}): Promise<void> {
    await this.#call('local_reorg', [depth, drop])
  }

  /** Satoshis per 1,000 virtual bytes that the node recommends. */
  async setFeeRate(rate: bigint): Promise<void> {
    await this.#call('local_setFeeRate', [`${rate}`])
  }

  /** Answers as if it were so many blocks behind; 0 ends it. */
  async lag(blocks: number): Promise<void> {
    await this.#call('local_lag', [blocks])
  }

  /** Drops all but the newest blocks, with what they hold; 0 brings them back. */
  async prune(kept: number): Promise<void> {
    await this.#call('local_prune', [kept])
  }

  async failNext(fault: BitcoinFault): Promise<void> {
    await this.#call('local_fail', [fault])
  }

  height(): Promise<number> {
    return this.#call('getblockcount', [])
  }

  /** Hash of a block; of the first one that was mined it tells which chain this is, for all begin with the same block. */
  blockHash(height: number): Promise<string> {
    return this.#call('getblockhash', [height])
  }

  close(): Promise<void> {
    return this.#end()
  }

  async #call<T>(method: string, params: readonly unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(this.rpcUrl, { method: 'POST', body })
    // CAST: the server is ours.
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error !== undefined) throw new Error(error.message)
    return result
  }
}

/** Starts a local chain in a process of its own, which outlives this one. Needs the built package. */
export const startDetachedBitcoin = async (options: DetachedBitcoinOptions = {}): Promise<RunningBitcoin> => {
  const { port = 0, blockMs = 1000 } = options
  const log = options.logPath ?? join(mkdtempSync(join(tmpdir(), 'causeway-bvm-')), 'node.log')
  return inProcess(await spawnDetached({ port, blockMs }, log))
}

/** Takes on a chain that another process started. @throws Error when it does not answer */
export const adoptLocalBitcoin = async (running: {
  readonly url: string
  readonly pid: number
}): Promise<RunningBitcoin> => {
  const chain = inProcess({ port: Number(new URL(running.url).port), pid: running.pid })
  await chain.blockHash(0)
  return chain
}

const inProcess = ({ port, pid }: { readonly port: number; readonly pid: number }): RunningBitcoin =>
  new RunningBitcoin({ port, pid, end: () => endDetachedNode(pid) })
