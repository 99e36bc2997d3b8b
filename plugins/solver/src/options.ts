import { SIGN_TIMEOUT_MS } from '@causeway/core/chain'
import { type Static, Type } from '@sinclair/typebox'

/** Options of the solver; every default suits a chain with blocks of about a second. */
export const SolverOptions = Type.Object({
  tickMs: Type.Integer({
    default: 500,
    minimum: 50,
    description: 'The lane looks for work at least this often; events wake it earlier.',
  }),
  batch: Type.Integer({ default: 64, minimum: 1, maximum: 256, description: 'Most payouts signed in one commit.' }),
  inventoryMs: Type.Integer({
    default: 1_000,
    minimum: 100,
    description: 'Balances are read again at most this often.',
  }),
  bumpAfterMs: Type.Integer({
    default: 30_000,
    minimum: 500,
    description: 'A transaction not included for this long is sent again at a higher fee.',
  }),
  maxVersions: Type.Integer({
    default: 6,
    minimum: 1,
    description: 'Fee bumps of one generation, the first version counted.',
  }),
  inclusionWindowMs: Type.Integer({
    default: 300_000,
    minimum: 1_000,
    description:
      'A payout not included after this is cancelled and, once that is proven, refunded (TRANSACTION_NOT_INCLUDED).',
  }),
  waitForFundsMs: Type.Integer({
    default: 60_000,
    minimum: 0,
    description:
      'A deposit whose fill the inventory cannot cover waits this long before it is refunded (SOLVER_BALANCE_TOO_LOW).',
  }),
  gasToleranceBps: Type.Integer({
    default: 10_000,
    minimum: 0,
    maximum: 1_000_000,
    description:
      'A fill may cost this much more network fee than its order was charged, basis points of the charge; beyond it the deposit is refunded (QUOTED_GAS_LIMIT_EXCEEDED).',
  }),
  gasToleranceUsd: Type.String({
    default: '0.05',
    pattern: '^[0-9]{1,9}(\\.[0-9]{1,18})?$',
    description: 'The same in US dollars, for charges of which the share is less.',
  }),
  burnPauseMs: Type.Integer({
    default: 600_000,
    minimum: 0,
    description:
      'A recipient whose fill reverted on the chain is paid nothing for this long: deposits for it are refunded (TRANSACTION_REVERTED).',
  }),
  maxGenerations: Type.Integer({
    default: 5,
    minimum: 1,
    description: 'A refund, excess or withdrawal that died this often needs an operator.',
  }),
  signTimeoutMs: Type.Integer({
    default: SIGN_TIMEOUT_MS,
    minimum: 100,
    maximum: 60_000,
    description: 'A signer that takes longer is given up for now; its payout is tried again.',
  }),
  callTimeoutMs: Type.Integer({
    default: 30_000,
    minimum: 100,
    maximum: 600_000,
    description:
      'An answer of a chain or a price that takes longer is given up for now; what it was for is tried again, alone.',
  }),
  withdrawals: Type.Boolean({
    default: true,
    description: 'Take settled deposits out of the depository; needs the allocator key.',
  }),
  usedKeys: Type.Union([Type.Literal('wait'), Type.Literal('open')], {
    default: 'wait',
    description:
      'A payout key that this database never saw and that was used before: `wait` keeps its lane shut until `causeway lanes release`, `open` opens it. `open` is for chains of a test.',
  }),
  withdrawMs: Type.Integer({
    default: 2_000,
    minimum: 100,
    description: 'Deposits to withdraw are looked for at most this often.',
  }),
})

export type SolverOptions = Static<typeof SolverOptions>
