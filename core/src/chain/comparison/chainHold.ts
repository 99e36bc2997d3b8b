/** Why a configured chain takes no new business and decides nothing in this process. */
export interface ChainHold {
  /** `unchecked`: no node has answered the comparison yet. `refused`: the chain contradicts the configuration. */
  readonly kind: 'unchecked' | 'refused'
  /** A sentence for every reader; holds no URL and no key. */
  readonly message: string
}
