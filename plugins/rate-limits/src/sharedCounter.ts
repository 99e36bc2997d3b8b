/** At most `points` in any `seconds`. */
export interface Rule {
  readonly points: number
  readonly seconds: number
}

/** A grant that its host no longer uses. */
export interface Settled {
  readonly id: number
  /** Points that were not used. */
  readonly unused: number
  /** Milliseconds by which the last use came before the end of the lease. */
  readonly earlierBy: number
}

export interface TakeRequest {
  readonly points: number
  readonly rule: Rule
  /** Milliseconds for which the points may be used: they leave the window that much later. */
  readonly leaseMs: number
  readonly settled: Settled | null
}

/** What a counter says after points were taken. */
export interface Grant {
  /** Points taken, at most those asked for: as many as the window still had. */
  readonly granted: number
  /** Names the grant among those of its count; unspecified where nothing was granted. */
  readonly id: number
  /** All points of the window, these included. */
  readonly counted: number
  /** Milliseconds until the oldest points leave the window. */
  readonly freeIn: number
}

/** Amount taken in the current window of a count. */
export interface Counted {
  readonly points: number
  /** Milliseconds until the oldest points leave the window. */
  readonly milliseconds: number
}

/** A counter that all hosts share. Its answers may fail or be late; what was taken may then be counted or not. */
export interface SharedCounter {
  take(key: string, request: TakeRequest): Promise<Grant>
  /** Reads the amounts taken in the current windows, by key; absent where that cannot be asked at once. */
  look?(keys: readonly string[]): Promise<ReadonlyMap<string, Counted>>
  close(): Promise<void>
}

/** A counter on a server of its own, which may be away. */
export interface CountStore extends SharedCounter {
  /** Whether it answers now; never rejects. */
  answers(): Promise<boolean>
}

/** Milliseconds for which points of a grant count: those in which they may be used, then the window. */
export const countedMs = ({ rule, leaseMs }: Pick<TakeRequest, 'rule' | 'leaseMs'>): number =>
  rule.seconds * 1_000 + leaseMs
