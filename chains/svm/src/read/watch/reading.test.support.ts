import { environmentOf, type Json } from '@causeway/core'
import { type DepositEvent, NOTHING_LIVE, type RpcEndpoint, type WatchPage } from '@causeway/core/chain'
import { EndpointMonitor, HeadPace, JsonRpcClient } from '@causeway/core/chain-kit'
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { pino } from 'pino'
import { svmDepositLookup } from '../../deposit/depositLookup.js'
import { resolveOptions, type SvmOptions } from '../../options.js'
import { HeadSource } from '../../rpc/head/headSource.js'
import { svmProbe } from '../../rpc/probe.js'
import { svmProtocol } from '../../rpc/protocol.js'
import { transferChecked } from '../token/program/tokenInstructions.js'
import { associatedAddress } from '../token/program/tokenPrograms.js'
import { Watcher } from './watcher.js'

const logger = pino({ level: 'silent' })
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

export interface ReaderSetup {
  readonly genesisHash: string
  readonly endpoints: readonly RpcEndpoint[]
  readonly depository: string
  /** Token accounts of the depository. */
  readonly accounts: readonly string[]
  readonly options?: Partial<SvmOptions>
}

/** The reading side of an adapter over given nodes. */
export const createReader = ({ genesisHash, endpoints, depository, accounts, options }: ReaderSetup) => {
  const settings = resolveOptions({ depository, genesisHash, pollIntervalMs: 50, ...options }, 1, environmentOf({}))
  const { rpcTimeoutMs: timeoutMs, pollIntervalMs, maxHeadAgeSeconds, endpointCheckMs: intervalMs } = settings
  const rpc = new JsonRpcClient({ protocol: svmProtocol(genesisHash), endpoints, timeoutMs, logger })
  const pace = new HeadPace(400)
  const heads = new HeadSource({ rpc, endpoints, pollIntervalMs, maxHeadAgeSeconds, pace, logger })
  const headTime = () => heads.latest?.time ?? null
  const monitor = new EndpointMonitor({
    pool: rpc.pool,
    probe: svmProbe(genesisHash),
    intervalMs,
    pace,
    headTime,
    logger,
  })
  const addresses = async () => [depository, ...accounts]
  heads.start([depository, ...accounts])
  monitor.start()
  return {
    rpc,
    heads,
    monitor,
    lookup: svmDepositLookup({ rpc, monitor, settle: 32, depository, program: settings.depositoryProgram }),
    watch: (cursor: Json, signal: AbortSignal) =>
      new Watcher({
        ...{ rpc, heads, addresses, settings, monitor, logger, live: NOTHING_LIVE },
        ...{ config: { currencies: [] }, directKinds: [] },
      }).pages(cursor, signal),
    close: () => {
      monitor.stop()
      heads.stop()
      rpc.close()
    },
  }
}

export type Reader = ReturnType<typeof createReader>

export interface Following {
  readonly pages: WatchPage[]
  readonly deposits: DepositEvent[]
  cursor(): Json
  stop(): Promise<void>
}

/** Follows a watcher in the background. */
export const follow = (reader: Reader, cursor: Json): Following => {
  const control = new AbortController()
  const pages: WatchPage[] = []
  const deposits: DepositEvent[] = []
  const run = (async () => {
    for await (const page of reader.watch(cursor, control.signal)) {
      pages.push(page)
      deposits.push(...page.deposits)
    }
  })()
  return {
    pages,
    deposits,
    cursor: () => JSON.parse(JSON.stringify(pages.at(-1)?.cursor ?? cursor)),
    stop: async () => {
      control.abort()
      await run
    },
  }
}

export const memo = (text: string): TransactionInstruction =>
  new TransactionInstruction({ keys: [], programId: MEMO, data: Buffer.from(text) })

export const transferNative = (from: string, to: string, lamports: bigint): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports })

export const tokenAccount = (owner: string, mint: string, program: PublicKey): string =>
  associatedAddress(new PublicKey(mint), new PublicKey(owner), program).toBase58()

/** Between associated token accounts of tokens with six decimals. */
export const transferToken = (
  from: string,
  to: string,
  { mint, program, amount }: { readonly mint: string; readonly program: PublicKey; readonly amount: bigint },
): TransactionInstruction =>
  transferChecked({
    source: new PublicKey(tokenAccount(from, mint, program)),
    mint: new PublicKey(mint),
    destination: new PublicKey(tokenAccount(to, mint, program)),
    owner: new PublicKey(from),
    amount,
    decimals: 6,
    program,
  })
