import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endDetachedNode, type NodeFault } from '@causeway/core/testing'
import type { FeeSettings, UnsignedTx } from '../server/commands/controlCommands.js'
import {
  type AccountSettings,
  blackholeTransactions,
  freezeTransaction,
  settingTransactions,
} from './accountSettings.js'
import { callNode } from './callNode.js'
import { fundingTransactions, trustTransaction } from './funding.js'
import { spawnDetached } from './nodeProcess.js'
import { openLocalXrp } from './openLocalXrp.js'

const BLOCK_MS = 1000

/** How a local ledger is to be. */
export interface LocalXrpOptions {
  /** Above 1024, transactions must name it; at most that, they must not. */
  readonly networkId: number
  /** How often a ledger closes by itself (default 1000); 0: on demand only. */
  readonly blockMs?: number
  readonly port?: number
  /** It lives in a process of its own, which outlives this one; `close` still ends it. Needs the built package. */
  readonly detached?: boolean
  readonly logPath?: string
}

/** What a server asks of transactions. */
export interface LocalFees extends Omit<FeeSettings, 'openLedgerFee' | 'medianFee'> {
  /** Drops; what pays less waits in the queue until it is at most that. */
  readonly openLedgerFee?: bigint
  readonly medianFee?: bigint
}

/** A local XRP Ledger, to which an unmodified `xrpl` client talks, and what tests can make it do. */
export class LocalXrpLedger {
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly networkId: number
  /** Its process; null when it runs in this one, or who started it is not known. */
  readonly pid: number | null
  readonly #end: () => Promise<void>

  constructor(parts: { port: number; networkId: number; pid: number | null; end: () => Promise<void> }) {
    this.rpcUrl = `http://127.0.0.1:${parts.port}`
    this.wsUrl = `ws://127.0.0.1:${parts.port}`
    this.networkId = parts.networkId
    this.pid = parts.pid
    this.#end = parts.end
  }

  /** Hash of the first ledger, which no other chain has. */
  genesisHash(): Promise<string> {
    return this.#control('genesis')
  }

  /** Of the newest ledger that the server shows. */
  async height(): Promise<number> {
    const { ledger_index } = await callNode<{ ledger_index: number }>(this.rpcUrl, 'ledger_closed', [{}])
    return ledger_index
  }

  /** Drops of XRP, or an issued currency (`<CURRENCY>.<issuer>`, in units of 15 decimals) that the account is made to trust; in a ledger of its own. */
  async fund(address: string, amount: bigint, currency?: string): Promise<void> {
    await this.apply(...fundingTransactions(address, amount, currency))
  }

  /** Applies transactions for their accounts, without keys and free of fees, and closes the ledger. Returns their hashes. @throws Error with the result of one that fails */
  apply(...transactions: readonly UnsignedTx[]): Promise<readonly string[]> {
    return this.#control('apply', transactions)
  }

  /** Has an account trust an issued currency. */
  async trust(address: string, currency: string): Promise<void> {
    await this.apply(trustTransaction(address, currency))
  }

  /** The issuer freezes what a holder has of a currency, or all of it (no holder), or lets go of it again. */
  async freeze(currency: string, holder: string | null, frozen = true): Promise<void> {
    await this.apply(freezeTransaction(currency, holder, frozen))
  }

  /** Sets or clears settings of an account. */
  async configure(address: string, settings: AccountSettings): Promise<void> {
    await this.apply(...settingTransactions(address, settings))
  }

  /** Takes an account's keys away for good. */
  async blackhole(address: string): Promise<void> {
    await this.apply(...blackholeTransactions(address))
  }

  /** Sets numbers of an account aside. */
  async createTickets(address: string, count: number): Promise<void> {
    await this.apply({ TransactionType: 'TicketCreate', Account: address, TicketCount: count })
  }

  /** Closes ledgers (default one), the first with what is pending. */
  advance(count = 1): Promise<void> {
    return this.#control('advance', count)
  }

  /** Closes a ledger at a time; none closes before its parent. */
  closeAt(time: Date): Promise<void> {
    return this.#control('closeAt', time.getTime())
  }

  /** Answers as if it were so many ledgers behind; 0 ends it. */
  lag(ledgers: number): Promise<void> {
    return this.#control('lag', ledgers)
  }

  /** Loses all ledgers so far but the given ones, spelt as in `complete_ledgers` (`100-200,205-300`); null: finds them again. */
  cutHistory(ranges: string | null): Promise<void> {
    return this.#control('cut', ranges)
  }

  /** Loses all but the newest ledgers; 0 brings them back. */
  async forget(kept: number): Promise<void> {
    const newest = await this.height()
    await this.cutHistory(kept === 0 ? null : `${Math.max(1, newest - kept + 1)}-${newest}`)
  }

  /** Takes transactions and says so, but brings none of them into a ledger until `release`; what was taken before is not held. */
  holdTransactions(): Promise<void> {
    return this.#control('hold')
  }

  /** What was held comes into the next ledger. */
  releaseTransactions(): Promise<void> {
    return this.#control('release', false)
  }

  /** What was held is forgotten, as by a server that was started anew. */
  dropTransactions(): Promise<void> {
    return this.#control('release', true)
  }

  /** What is left out stays as it is. */
  setFee({ openLedgerFee, medianFee, ...rest }: LocalFees): Promise<void> {
    return this.#control('setFee', {
      ...rest,
      ...(openLedgerFee === undefined ? {} : { openLedgerFee: `${openLedgerFee}` }),
      ...(medianFee === undefined ? {} : { medianFee: `${medianFee}` }),
    })
  }

  /** Whether the server knows a command; an old one has no `simulate`, for example. */
  refuse(method: string, refused = true): Promise<void> {
    return this.#control('refuse', method, refused)
  }

  failNext(fault: NodeFault): Promise<void> {
    return this.#control('fail', fault)
  }

  clearFaults(): Promise<void> {
    return this.#control('clearFaults')
  }

  /** How often each command was called. */
  counts(): Promise<Readonly<Record<string, number>>> {
    return this.#control('counts')
  }

  close(): Promise<void> {
    return this.#end()
  }

  async #control<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const { value } = await callNode<{ value: T }>(this.rpcUrl, `local_${method}`, params)
    return value
  }
}

/** Starts a local ledger on 127.0.0.1. @throws Error with the end of its log when it does not start */
export const startLocalXrp = async (options: LocalXrpOptions): Promise<LocalXrpLedger> => {
  const { networkId, blockMs = BLOCK_MS, port = 0, detached = false } = options
  if (!detached) {
    const running = await openLocalXrp({ port, blockMs, networkId })
    return new LocalXrpLedger({ port: running.port, networkId, pid: null, end: () => running.close() })
  }
  const logPath = options.logPath ?? join(mkdtempSync(join(tmpdir(), 'causeway-xrpvm-')), 'node.log')
  const { pid, port: own } = await spawnDetached({ port, blockMs, networkId }, logPath)
  return new LocalXrpLedger({ port: own, networkId, pid, end: () => endDetachedNode(pid) })
}

/** Takes on a ledger that runs somewhere. @throws Error when it does not answer, or is of another network */
export const adoptLocalXrp = async (running: {
  readonly rpcUrl: string
  readonly pid: number | null
}): Promise<LocalXrpLedger> => {
  const { value: networkId } = await callNode<{ value: number }>(running.rpcUrl, 'local_network', [])
  const { pid } = running
  const end = async () => {
    if (pid !== null) await endDetachedNode(pid)
  }
  return new LocalXrpLedger({ port: Number(new URL(running.rpcUrl).port), networkId, pid, end })
}
