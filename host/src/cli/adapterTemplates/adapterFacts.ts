/** Kinds of chains that core's kit has parts for. */
export const FAMILIES = ['account', 'utxo', 'contract'] as const

export type ChainFamily = (typeof FAMILIES)[number]

/** What the files of a new chain package are filled in with. */
export interface AdapterFacts {
  /** Name of the npm package. */
  readonly name: string
  /** Lower-case letters and digits. */
  readonly chain: string
  readonly coreVersion: string
  /** Null: a skeleton of nothing but the contract. */
  readonly family: ChainFamily | null
}
