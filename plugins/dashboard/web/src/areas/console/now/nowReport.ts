/** What is read of `causeway now --json`. */
export interface NowReport {
  readonly at: string
  readonly obstacles: readonly Obstacle[]
  readonly minutes: readonly Minute[]
  readonly hour: {
    readonly begun: number
    readonly succeeded: number
    readonly refunded: number
    readonly failed: number
    readonly usd: string
    readonly successBps: number | null
    readonly fillMs: { readonly p50: number; readonly p99: number; readonly count: number } | null
  }
  readonly open: number
  readonly stuck: readonly Stuck[]
  readonly stuckCount: number
}

/** A problem that keeps every transfer of a chain waiting. */
export interface Obstacle {
  readonly kind: 'lane' | 'halt' | 'role' | 'chain'
  readonly chain: string
  readonly signer: string | null
  readonly text: string
}

export interface Minute {
  readonly at: string
  readonly begun: number
  readonly succeeded: number
  readonly refunded: number
  readonly failed: number
  readonly usd: string
}

export interface Stuck {
  readonly kind: 'request' | 'payout'
  readonly id: string
  readonly chainId: number
  readonly action: string
  readonly dueAt: string
  readonly lateSeconds: number
  readonly why: string | null
}
