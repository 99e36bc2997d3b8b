import { token } from '../container/tokens.js'

/** A call that carries an `Idempotency-Key`. */
export interface IdempotentCall {
  /** 32 bytes that stand for the caller, the operation and the key. */
  readonly id: Uint8Array
  /** 32 bytes that stand for what was asked. */
  readonly body: Uint8Array
}

/** An answer as it is sent again. */
export interface KeptAnswer {
  readonly status: number
  /** Headers that belong to the answer itself, such as `retry-after` of a refusal. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text of the body. */
  readonly text: string
}

/** What ties a handler's writes to the call, so that a crash between the two cannot part them. */
export interface Effect {
  /**
   * A statement for the transaction that holds the effect: it keeps `answer` (status 200) with it, and makes the transaction
   * fail where another run of the same call went before. The handler must answer just that. Null: that it was answered, and
   * not what.
   */
  statement(answer: object | null): { readonly text: string; readonly values: readonly unknown[] }
}

/** The right to run a call, until it is kept, freed, or its lease ends and another takes it over. */
export interface IdempotentRun {
  readonly effect: Effect
  /** Stores the answer for whoever repeats the call; null: that it was answered, and not what. */
  keep(answer: KeptAnswer | null): Promise<void>
  /** Forgets the call, so that it may be tried again. Does nothing once an answer is kept. */
  free(): Promise<void>
}

export type BegunCall =
  | { readonly kind: 'run'; readonly run: IdempotentRun }
  /** `answer` is null where it was not kept. */
  | { readonly kind: 'answered'; readonly answer: KeptAnswer | null }
  | { readonly kind: 'running' }
  | { readonly kind: 'other-body' }

/** Answers longer than this are not kept, bytes. */
export const MAX_KEPT_BYTES = 256 * 1024

/** Remembers for 24 hours which calls were made, over all hosts. */
export interface IdempotentCalls {
  /** Marks the call as running for at most `leaseMs`; a run that outlives it can be taken over by a repeat with the same body. */
  begin(call: IdempotentCall, leaseMs: number): Promise<BegunCall>
}

export const IDEMPOTENT_CALLS = token<IdempotentCalls>('core/IdempotentCalls')
