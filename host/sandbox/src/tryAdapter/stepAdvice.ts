export type StepName = 'balance' | 'quote' | 'deposit' | 'recognised' | 'filled' | 'arrival' | 'final'

interface Advice {
  /** What did not come. */
  readonly missing: string
  /** What to check when the chain that is tried is the origin, or the destination. */
  readonly origin: string
  readonly destination: string
}

const NEIGHBOUR = 'the host log; this step is on the chain of the sandbox.'

/** What to check when a step does not come; members are of `ChainAdapter` unless they are said to be others. */
export const ADVICE: Readonly<Record<StepName, Advice>> = {
  balance: {
    missing: "the recipient's balance could not be read",
    origin: NEIGHBOUR,
    destination: '`readChain(...).balance` of chainTesting.',
  },
  quote: {
    missing: 'no quote was given',
    origin:
      '`addressCodec` (addresses and currency ids), `simulate`, `estimateDepositFee` and `buildDeposit`; `getBalances`, by which the solver knows its inventory.',
    destination:
      '`addressCodec` (addresses and currency ids), `recipientStatus`, `simulate` and `estimatePayoutFee`; `getBalances`, by which the solver knows its inventory.',
  },
  deposit: {
    missing: 'the wallet could not send the deposit',
    origin: '`buildDeposit`, and `openWallet(...).prepare` of chainTesting, which signs its data.',
    destination: NEIGHBOUR,
  },
  recognised: {
    missing: 'the deposit was not recognised',
    origin:
      '`watch` must deliver the deposit with its order id, from the cursor of `cursorAt` on (docs/kit/watching.md, ledger.md); then `confirmDeposit` must agree (docs/kit/reader.md). The kit proves them: deposit-seen, deposit-confirmed.',
    destination: NEIGHBOUR,
  },
  filled: {
    missing: 'the payout was not confirmed',
    origin: NEIGHBOUR,
    destination:
      'the lane (docs/kit/lane.md). Status "pending": `lane.prepare`, `lane.sign`. Status "submitted": `lane.broadcast`, then `lane.states`, which must say `success` with a block. The kit proves them: payout-once, payout-states.',
  },
  arrival: {
    missing: 'the recipient did not get the amount',
    origin: NEIGHBOUR,
    destination:
      '`lane.states` said success: it must say as `paid` what arrived, and `lane.prepare` must pay the amount of the payout.',
  },
  final: {
    missing: 'the payout did not become final',
    origin: NEIGHBOUR,
    destination:
      '`finalHeight` and the depth in `lane.states`: a payout is final after `confirmations.settle` (2) blocks, so the local chain must add blocks on a timer.',
  },
}
