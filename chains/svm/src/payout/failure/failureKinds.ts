/** Names of failures by what they mean for a payment. */

/** An account holds too little for what moves. */
export const SHORT = new Set(['InsufficientFunds', 'ResultWithNegativeLamports', 'InsufficientVaultBalance'])

/** The payer cannot pay the network. */
export const SHORT_OF_FEES = new Set(['AccountNotFound', 'InsufficientFundsForFee', 'InvalidAccountForFee'])

/** Says nothing of the payment. */
export const TRANSIENT = new Set([
  'BlockhashNotFound',
  'AccountInUse',
  'AlreadyProcessed',
  'ClusterMaintenance',
  'WouldExceedMaxBlockCostLimit',
  'WouldExceedMaxAccountCostLimit',
])

export const SOLVER_SHORT = 'The solver does not hold enough of this currency now.'
export const SOLVER_SHORT_OF_FEES = 'The solver does not hold enough of the native currency to pay now.'
export const NOT_SIMULATED = 'The node could not simulate the payment. Try again.'
