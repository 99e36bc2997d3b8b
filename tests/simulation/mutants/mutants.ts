import { ADDRESS_MUTANTS } from './addressMutants.js'
import { BALANCE_MUTANTS } from './balanceMutants.js'
import { DEPOSIT_MUTANTS } from './depositMutants.js'
import { FAST_FILL_MUTANTS } from './fastFillMutants.js'
import { LANE_MUTANTS } from './laneMutants.js'
import type { Mutant } from './mutant.js'
import { NODE_MUTANTS } from './nodeMutants.js'
import { ORIGIN_MUTANTS } from './originMutants.js'
import { PAYOUT_MUTANTS } from './payoutMutants.js'

/** Every mutant; defences that another one backs are none, since nothing goes wrong without them. */
export const MUTANTS: readonly Mutant[] = [
  ...DEPOSIT_MUTANTS,
  ...ADDRESS_MUTANTS,
  ...BALANCE_MUTANTS,
  ...FAST_FILL_MUTANTS,
  ...PAYOUT_MUTANTS,
  ...LANE_MUTANTS,
  ...NODE_MUTANTS,
  ...ORIGIN_MUTANTS,
]

/** @throws Error that names the mutants there are */
export const mutantNamed = (name: string): Mutant => {
  const found = MUTANTS.find((mutant) => mutant.name === name)
  if (found !== undefined) return found
  throw new Error(`There is no mutant "${name}". There are: ${MUTANTS.map((mutant) => mutant.name).join(', ')}.`)
}
