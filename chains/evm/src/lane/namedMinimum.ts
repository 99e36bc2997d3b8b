/** The least that a chain takes, as a node names it when it refuses a transaction. Absent members: the refusal is of something else. */
export interface NamedMinimum {
  /** Gas limit of the refused transaction; null where the node only says that it is too low. */
  readonly gas?: bigint | null
  /** Tip (EIP-1559) or gas price, wei for one gas. */
  readonly tip?: bigint
}

const GAS_TOO_LOW = /intrinsic gas|\bgas (is |limit )?too low|floor (data )?gas|at least tx\.gasLimit/i
/** "have 21000, want 21064", "gas 20000, minimum needed 21000", "(minimal: 100 got: 50)", "tx.gasLimit = 5874374". */
const GAS = /(?:\bwant|minimum needed|minimal:|tx\.gasLimit =) ?(\d{1,12})/i
/**
 * "gas tip cap 1, minimum needed 2" (geth, Bor), "tip needed 3, tip permitted 1" (BSC), "gas tip cap (1) < pool gas tip cap (2)"
 * (Avalanche), "EffectivePriorityFeePerGas too low 1 < 2" (Nethermind), "minimal gas price (minimal: 2 got: 1)" (OpenEthereum),
 * "tx.gasPrice = 2" (Metis).
 */
const TIP =
  /(?:tip cap \d+, minimum needed |tip needed |pool gas tip cap \(|PriorityFeePerGas too low \d+ < |gas price \(minimal: |tx\.gasPrice = )(\d{1,30})/i

/** Reads the minimum that a refusal names. */
export const namedMinimum = (message: string): NamedMinimum => {
  const [gas, tip] = [GAS, TIP].map((pattern) => pattern.exec(message)?.[1])
  return {
    ...(GAS_TOO_LOW.test(message) ? { gas: gas === undefined ? null : BigInt(gas) } : {}),
    ...(tip === undefined ? {} : { tip: BigInt(tip) }),
  }
}
