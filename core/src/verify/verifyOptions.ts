import type { VerifiableVm } from './verifiableVm.js'

/** The VMs, and what an integrator knows from elsewhere: the more is given, the less is taken on the word of the quote. */
export interface VerifyOptions {
  /**
   * VMs of chains that deposits may be on, from `./verify` of their packages (`@causeway/chain-evm/verify`): any other quote is refused.
   * One beyond the nine of the protocol is needed for the chain that is paid on, too: its addresses are read with it.
   */
  readonly vms: readonly VerifiableVm[]
  /** Address of the solver's order key. */
  readonly solver?: string
  /** `chains` of `GET /chains`, best kept from an earlier time: ids, VMs and depositories are compared with it. */
  readonly chains?: readonly KnownChain[]
  /** Addresses of the swap router contract, by protocol slug of the chain. */
  readonly swapRouters?: Readonly<Record<string, string>>
  /** Addresses of the permit router contract, by protocol slug of the chain. */
  readonly permitRouters?: Readonly<Record<string, string>>
  /** The body that was sent to `/quote`: the quote must be the answer to it. */
  readonly request?: QuotedRequest
}

/** The part of an entry of `GET /chains` that is looked at (wire.md 4.6). */
export interface KnownChain {
  readonly id: number
  readonly vmType: string
  readonly protocol: { readonly v2: { readonly chainId: string | null; readonly depository: string | null } }
}

/** The part of a quote body that is looked at (wire.md 1.2). */
export interface QuotedRequest {
  readonly user: string
  readonly recipient?: string
  readonly refundTo?: string
  readonly originChainId: number
  readonly destinationChainId: number
  readonly originCurrency: string
  readonly destinationCurrency: string
  readonly amount: string
  readonly tradeType: string
  /** Without it a quote that names a deposit address is refused. */
  readonly useDepositAddress?: boolean
  /** Who pays fee and rent of a deposit on Solana. */
  readonly depositFeePayer?: string
}
