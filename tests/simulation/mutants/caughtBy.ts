/** Seeds that notice mutants (`npm run simulate -- --mutant all` finds one). A change of the world needs a new search. */
export const CAUGHT_BY_SEED: Readonly<Record<string, number>> = {
  'order-consumed-twice': 2,
  'cap-ignored': 78,
  'any-currency': 12,
  'leaving-unbooked': 78,
  'undecided-kept': 58,
  'commitment-kept': 1,
  'sender-of-a-part': 968,
  'unseen-uncounted': 937,
  'arrival-free': 968,
  'arrival-counted-twice': 23,
  'sweep-of-wallet': 23,
  'earnings-frozen': 428,
  'conversion-free': 574,
  'withdrawn-below-cost': 124,
  'claim-for-nothing': 196,
  'claim-by-stranger': 744,
  'balance-uncovered': 196,
  'sponsor-not-set-aside': 196,
  'sponsor-pays-beyond': 43,
  'earned-before-final': 14,
  'ahead-uncapped': 692,
  'price-gained': 888,
  'ahead-refunded': 529,
  'debit-of-arrived': 888,
  'collateral-kept': 293,
  'exposure-unbooked': 529,
  'collateral-free': 529,
  'reversal-skipped': 869,
  'gas-unbooked': 367,
  'status-free': 1,
  'gas-of-paid-unbooked': 1,
  'crash-not-resent': 945,
  'lane-unread': 498,
  'included-is-paid': 129,
  'reorged-payment-left': 869,
  'raised-in-another-slot': 918,
  'tier-ignored': 110,
  'amount-unasked': 146,
  'death-by-any': 533,
  'origin-twice': 710,
  'origin-is-refund': 44,
  'origin-by-payer': 44,
  'origin-for-ever': 834,
  'origin-request-left': 571,
  'origin-left-by-deposit': 860,
  'origin-again': 30,
  'open-permits': 140,
}

/** A test that fails without a defence. */
export interface CatchingTest {
  /** From the root of the repository. */
  readonly file: string
  /** As it stands in the file. */
  readonly title: string
}

/** Tests that catch the mutants for which no seed is known. */
export const CAUGHT_BY_TEST: Readonly<Record<string, CatchingTest>> = {
  'unsigned-kept': {
    file: 'core/src/payout/ground/payoutGround.database.test.ts',
    title: 'is decided anew when it is back, and paid once under the same payout',
  },
  'outcome-ungrounded': {
    file: 'core/src/payout/ground/payoutGround.database.test.ts',
    title: 'is not set for a deposit that has left since it was read',
  },
  'cap-unlocked': {
    file: 'core/src/payout/decision/unsettledCap.database.test.ts',
    title: 'is not passed by two hosts that decide for one chain at the same instant',
  },
  'return-unbooked': {
    file: 'core/src/payout/ground/payoutGround.database.test.ts',
    title: 'is not made while the deposit is away, and made when it is back',
  },
  'sweep-is-fill': {
    file: 'core/src/chainKit/ledger/paymentMemo.test.ts',
    title: 'the memo of a payment with the purpose %s is read back as that',
  },
  'forgotten-order-unasked': {
    file: 'core/src/address/forgottenOrders.database.test.ts',
    title: 'has no %s before an operator says what that was',
  },
  'claim-not-given-back': {
    file: 'core/src/payout/claim/claims.database.test.ts',
    title: 'one that ends unpaid goes back to the balance, once; one on its way does not end',
  },
  'paid-claim-given-back': {
    file: 'core/src/payout/claim/claims.database.test.ts',
    title: 'one that ends unpaid goes back to the balance, once; one on its way does not end',
  },
  'lost-claim-left': {
    file: 'core/src/payout/claim/claims.database.test.ts',
    title: 'what the balance does not cover keeps the lane shut, and its wallet from claiming',
  },
  'lost-claim-unasked': {
    file: 'plugins/solver/src/signing/payoutCheck.test.ts',
    title: '%s: is put off while the lanes of a chain cannot be read',
  },
  'sponsor-not-given-back': {
    file: 'core/src/appBalance/appBalances.database.test.ts',
    title: 'lets go of it where the fill is dead, or its deposit left, and takes it again where the deposit comes back',
  },
  'fees-beyond-forgiven': {
    file: 'plugins/quote/src/service/pricing/amounts.test.ts',
    title: 'a deposit beyond the one that its sponsor pays for (wire.md D.9)',
  },
  'earned-before-settled': {
    file: 'core/src/appBalance/appBalances.database.test.ts',
    title:
      'sets the sponsor’s part aside with its decision, spends it in its block, and frees what was earned once all is settled',
  },
  'late-kept': {
    file: 'core/src/fastFill/fastFill.database.test.ts',
    title: 'after it was told as a success: what comes for it is the wallet’s',
  },
  'ahead-moves-on': {
    file: 'core/src/fastFill/fastFill.database.test.ts',
    title: 'before anything is paid keeps its request with the fast fill',
  },
  'credit-unsettled': {
    file: 'core/src/fastFill/fastFill.database.test.ts',
    title: 'is the wallet’s once it is settled, whoever sent it',
  },
  'credit-by-any': {
    file: 'plugins/solver/src/deciding/balanceDeposits.database.test.ts',
    title: 'F05: a top-up that too few providers confirm is not credited, and it is once they do',
  },
  'cause-forgotten': {
    file: 'core/src/payout/payoutSafety.database.test.ts',
    title: 'pays a cause once: the same purpose and deposit cannot have two payouts',
  },
  'excess-ungrounded': {
    file: 'core/src/payout/ground/payoutGround.database.test.ts',
    title: 'is not made while the deposit is away, and made when it is back',
  },
  'paid-orders-ignored': {
    file: 'core/src/payout/parked/closeAsPaid.database.test.ts',
    title: 'no outcome is set for an order that something paid, but to recognise just that (F120)',
  },
  'found-not-given': {
    file: 'core/src/payout/payoutSafety.database.test.ts',
    title: 'becomes the payment of a payout that waits to be signed: it is never signed again',
  },
  'outbox-overtakes': {
    file: 'core/src/outbox/outboxReader.database.test.ts',
    title: 'keeps the versions of a request in order though the later change comes from the earlier transaction',
  },
  'late-minimum': {
    file: 'plugins/quote/src/service/repricing/reprice.test.ts',
    title: 'refunds instead of filling at the old price outside the tolerance',
  },
  'found-paid-ended': {
    file: 'core/src/payout/payoutSafety.database.test.ts',
    title: 'keeps a fill alive that was about to end unsent: what was found paid it',
  },
  'payment-to-any': {
    file: 'core/src/payout/parked/closeAsPaid.database.test.ts',
    title: 'a withdrawal is that of the deposit with its amount, and never of another one',
  },
  'order-claim-free': {
    file: 'core/src/payout/payoutSafety.database.test.ts',
    title: 'keeps the payout from being paid where it pays the order %s, also when an operator has released it (F120)',
  },
  'ground-unasked': {
    file: 'core/src/payout/ground/payoutGround.database.test.ts',
    title: 'refuses a higher fee for a deposit that left, and takes a cancel',
  },
  'small-excess-lost': {
    file: 'plugins/solver/src/tracking/tracker.database.test.ts',
    title: 'F12: the excess of a final fill is parked where it is too small to be paid back',
  },
  'taken-for-final': {
    file: 'plugins/solver/src/deciding/withdrawals.database.test.ts',
    title: 'a deposit is withdrawn once the payment for it is final, and not while that is only in a block',
  },
  'gas-once-a-block': {
    file: 'core/src/payout/settlement/gasBooks.database.test.ts',
    title:
      'the gas of a payment is booked while it is on the chain, also when it comes back into the block that it left',
  },
  'sent-unstored': {
    file: 'plugins/solver/src/signing/sender.test.ts',
    title: 'invariant 2: signed bytes that could not be stored are not sent',
  },
  'failover-unnoticed': {
    file: 'core/src/payout/lane/laneJournal.database.test.ts',
    title: 'says that its journal is of another history, until it is read again',
  },
  'foreign-spend-believed': {
    file: 'plugins/solver/src/tracking/generationResolver.test.ts',
    title:
      'F121: a generation whose guard was spent by an unknown transaction is dead only after the lane was read again',
  },
  'witness-unasked': {
    file: 'plugins/solver/src/signing/payoutCheck.test.ts',
    title: '%s: is put off while the lanes of a chain cannot be read',
  },
  'final-at-sight': {
    file: 'plugins/solver/src/tracking/tracker.database.test.ts',
    title: 'a payment is final only beyond the depth of settlement, also where all are checked after a reorg',
  },
  'operator-believes-one': {
    file: 'plugins/operator/src/parked/payBack.test.ts',
    title: 'invariant 3: an operator pays back no amount that too few providers show',
  },
  'final-by-one-height': {
    file: 'plugins/solver/src/tracking/tracker.database.test.ts',
    title: 'F131: the depth that one node shows alone makes no payment final',
  },
  'closed-by-another': {
    file: 'core/src/address/forgottenOrders.database.test.ts',
    title: 'is not closed by it while another deposit may have been what that paid, unless an operator says which one',
  },
  'dead-at-once': {
    file: 'core/src/chainKit/sequence/reading/sequenceVerdict.test.ts',
    title: 'a payment that never landed is dead when the last block that can hold it is final, and not before (F122)',
  },
  'dead-at-the-tip': {
    file: 'core/src/chainKit/sequence/reading/sequenceVerdict.test.ts',
    title: 'a payment that never landed is dead when the last block that can hold it is final, and not before (F122)',
  },
  'unexplained-number': {
    file: 'core/src/chainKit/sequence/reading/sequenceReading.test.ts',
    title:
      'F120: a number that was used since the first that is listed, and that nothing explains, keeps the lane shut',
  },
  'made-up-height-believed': {
    file: 'core/src/chainKit/sequence/reading/sequenceReading.test.ts',
    title: 'F121: a payment is told though the last block of the journal is one that a node made up (strict: %s)',
  },
  'lease-outlived': {
    file: 'core/src/database/leaseOver.test.ts',
    title: 'F121: a process that slept past its lease knows so before any timer has told it',
  },
  'lease-unchecked': {
    file: 'core/src/database/leases.database.test.ts',
    title: 'refuses the write of a holder whose lease ran out though nobody took it',
  },
  'number-given-twice': {
    file: 'core/src/payout/payoutSafety.database.test.ts',
    title: 'stores nothing that was signed from another position than the stored one, and leaves that where it is',
  },
  'one-provider-enough': {
    file: 'core/src/chainKit/deposit/depositLookup.test.ts',
    title: 'a deposit is missing only by the readings of two providers, where two are configured',
  },
  'withdrawn-unasked': {
    file: 'plugins/solver/src/deciding/withdrawals.database.test.ts',
    title: 'F05: what one provider made up is never withdrawn: it is a loss, and the books say so',
  },
  'hidden-believed': {
    file: 'core/src/chainKit/deposit/depositLookup.test.ts',
    title: "one node's silence is not believed while another one shows the deposit in a block",
  },
  'origin-is-fill': {
    file: 'core/src/payout/parked/closeAsPaid.database.test.ts',
    title: 'transactions that brought a deposit in, or took it out of the depository, did not pay its order (F120)',
  },
  'unpaid-uncapped': {
    file: 'plugins/gasless/src/losses/relayLosses.database.test.ts',
    title: 'F148: of transactions that failed counts by the gas they took, under caller and owner',
  },
  'origin-fails-paid': {
    file: 'core/src/payout/origin/origin.database.test.ts',
    title: 'leaves the request alone where its deposit came by somebody else',
  },
}
