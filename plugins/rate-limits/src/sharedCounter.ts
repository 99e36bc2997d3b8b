/** At most `points` in `seconds`; a window begins with its first call. */
export interface Rule {
  readonly points: number
  readonly seconds: number
}

/** What a counter says after points were taken. */
export interface Counted {
  /** All points taken in this window, these included; may be more than the rule has. */
  readonly points: number
  /** Until the window ends. */
  readonly milliseconds: number
}

/** A counter that all hosts share. Its answers may fail or be late; what was taken may then be counted or not. */
export interface SharedCounter {
  take(key: string, points: number, seconds: number): Promise<Counted>
  /** What was taken in the windows that are open, by key, taking nothing; absent where that cannot be asked at once. */
  look?(keys: readonly string[]): Promise<ReadonlyMap<string, Counted>>
  close(): Promise<void>
}

/** A counter on a server of its own, which may be away. */
export interface CountStore extends SharedCounter {
  /** Whether it answers now; never rejects. */
  answers(): Promise<boolean>
}
