/** One thing that was looked at, for a person who asks what is wrong. Holds no URL, key or password. */
export interface Diagnosis {
  /** What kind of thing, for example `rpc head`. */
  readonly check: string
  /** Which one, for example `base / provider-one`. */
  readonly subject: string
  /** `unchecked`: it could not be looked at from here, and the message says why; nothing is known to be wrong. */
  readonly state: 'ok' | 'warning' | 'fault' | 'unchecked'
  readonly message: string
  /** What to do about it; one sentence. Always there but where all is well. */
  readonly remedy?: string
}

/** What a chain needs to know to look at itself. */
export interface DiagnosisRequest {
  /** Most milliseconds to wait for one answer. */
  readonly timeoutMs: number
  /** Address that the operator's own allocator key signs for; null where the key is not at hand. */
  readonly allocator: string | null
}
