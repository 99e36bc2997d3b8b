import type { RpcEndpoint } from '../../chain/endpoint/rpcEndpoint.js'

/** How a local chain is to be. */
export interface LocalChainOptions {
  /** Id in the configuration; nodes that know it themselves answer with it. */
  readonly chainId: number
  /** 0 (default): any free one. */
  readonly port?: number
  /** How often a block comes by itself; 0: on demand only. Absent: as the chain does where people try it out. */
  readonly blockMs?: number
  /** The chain lives in a process of its own, which outlives this one; `close` still ends it. Needs the built package. */
  readonly detached?: boolean
  /** Where a detached chain's output goes; absent: to a temporary folder. */
  readonly logPath?: string
}

/** Where a local chain runs. */
export interface RunningChain {
  readonly chainId: number
  readonly endpoint: RpcEndpoint
  /** Its process; null when it runs in this one. */
  readonly pid: number | null
}

/** One misbehaviour of a node: the first calls it fits suffer it. */
export interface NodeFault {
  /** As the node's own interface names it; any call but those that control the chain, when left out. */
  readonly method?: string
  /** How many calls (default 1). */
  readonly times?: number
  readonly error?: { readonly code: number; readonly message: string }
  /** HTTP status in place of an answer. */
  readonly status?: number
  /** Never answers. */
  readonly hang?: boolean
  /** Text in place of JSON. */
  readonly garbage?: string
  /** The call is served and its answer then lost: what a node that took a transaction and said otherwise does. */
  readonly afterAccepting?: boolean
  /** Milliseconds before the answer. */
  readonly delayMs?: number
  /** The call is served and answered; no block ever includes the transaction it brought. */
  readonly lost?: boolean
}

/**
 * The common control surface of every local chain. What a chain or its node has no such thing for is null, so that whoever needs
 * it finds out before it is called.
 */
export interface LocalChain extends RunningChain {
  /** What tells this chain from every other one, also of the same kind and id: the hash of its first block of its own. */
  genesisHash(): Promise<string>
  /** Of the newest block that the node shows. */
  height(): Promise<number>
  /** Adds an amount in the smallest unit, in a block; of the native currency where none is named. The currency must have been made here. */
  fund(address: string, amount: bigint, currency?: string): Promise<void>
  /** Includes what is pending and adds blocks (default one). */
  advance(blocks?: number): Promise<void>
  /** Drops the newest blocks with what they held, and puts others in their place. Null: what is in a block stays (chains.md). */
  readonly reorg: ((depth: number) => Promise<void>) | null
  /**
   * The node answers as if it were so many blocks behind, of blocks and transactions at least; an engine may know balances of now alone.
   * 0 ends it. Null: it cannot.
   */
  readonly lag: ((blocks: number) => Promise<void>) | null
  /**
   * The node drops all but its newest blocks (at least one), with what they held, and answers about them as one that prunes; 0 brings
   * them back. Null: it cannot.
   */
  readonly forget: ((kept: number) => Promise<void>) | null
  /** Null: the node cannot; a proxy in front of it can. */
  readonly failNext: ((fault: NodeFault) => Promise<void>) | null
  /** Ends the chain, also one in a process of its own, and waits until it is gone. */
  close(): Promise<void>
}
