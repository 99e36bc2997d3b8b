import type { Findings } from './findings.js'

/** What a deposit must do, by the order and the details that were checked before. */
export interface DepositFacts {
  readonly orderId: string
  readonly sender: string
  readonly chainId: number
  /** Protocol slug of the origin chain. */
  readonly slug: string
  readonly depository: string
  /** What is deposited. */
  readonly currency: string
  readonly decimals: number
  readonly amount: bigint
  /** What the user pays; another currency where a swap precedes the deposit. */
  readonly paid: { readonly currency: string; readonly amount: bigint }
  readonly isSwapped: boolean
  /** Most by which that swap may fall short of `amount`. */
  readonly swapSlippage: bigint
  /** Address of the chain's swap router contract, null where nobody said which is the genuine one. */
  readonly swapRouter: string | null
  /** Who pays network fee and rent of the deposit: the sender, or whom the request named. */
  readonly feePayer: string
  readonly findings: Findings
}

/** What a signature for a deposit must commit to beside that. */
export interface PermitFacts extends DepositFacts {
  /** Address of the chain's permit router contract, null where nobody said which is the genuine one. */
  readonly permitRouter: string | null
  /** Last second at which the order may be filled: what is brought in later is refunded. */
  readonly deadline: number
}
