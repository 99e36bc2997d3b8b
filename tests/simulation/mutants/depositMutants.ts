import type { Mutant } from './mutant.js'

/** What watches, judges and keeps deposits. */
export const DEPOSIT_MUTANTS: readonly Mutant[] = [
  {
    name: 'order-consumed-twice',
    defence: 'an order is consumed by the first deposit that fits it',
    harm: 'two fills for one order; or a second deposit of a finished request that nobody decides',
    needs:
      'a second fit deposit under one order id, in a later page than the first; best before the first fill is included',
    file: 'core/dist/deposit/classifyDeposit.js',
    find: 'if (context.consumed)',
    replace: 'if (false)',
  },
  {
    name: 'unsigned-kept',
    defence: 'what is decided and not signed ends when its deposit leaves the chain',
    harm: 'a loss is booked for a payment that was never signed; a payout waits for ever for a deposit that is gone',
    needs:
      'a reorg that loses a deposit between its decision and the signature: the signer away, funds short, or a host that dies there',
    file: 'core/dist/payout/unsignedPayouts.js',
    find: "state in ('ready', 'abandoned')`",
    replace: "state = 'abandoned'`",
  },
  {
    name: 'outcome-ungrounded',
    defence: 'an outcome is set only for a deposit that is on its chain at that moment',
    harm: 'a deposit that left while it was judged is decided and has no payout; when it is back nobody pays it',
    needs:
      'a reorg that returns a deposit between the reading of open decisions and their commit: slow nodes while a fill is simulated',
    file: 'core/dist/payout/decisions.js',
    find: `d.amount = o.amount and \${isFirm('d')}`,
    replace: 'd.amount = o.amount',
  },
  {
    name: 'cap-ignored',
    defence: 'what is paid for deposits that are not settled stays below the cap of their chain (F125)',
    harm: 'a reorg that loses several deposits at once costs more than limits.unsettledUsd',
    needs:
      'deposits worth more than the cap within `settle` blocks of the reorging chain, and a reorg that loses them after their fills were signed',
    file: 'core/dist/payout/unsettledCap.js',
    find: 'if (worth === null || used + worth > cap.usd) {',
    replace: 'if (worth === null) {',
  },
  {
    name: 'cap-unlocked',
    defence: 'decisions for one chain wait for each other, so that each counts those before it',
    harm: 'two lanes that decide at once pass the cap together',
    needs:
      'deposits of the reorging chain for both destinations, each below the cap and together above, decided in overlapping transactions of two lanes',
    file: 'core/dist/database/schema/depositGroundSql.js',
    find: "perform pg_advisory_xact_lock(hashtext('unsettled payments'), hashtext(p_chain::text));",
    replace: 'perform 1;',
  },
  {
    name: 'any-currency',
    defence: 'only the currency that an order asks for consumes it',
    harm: 'a deposit of something else is filled as if it were what was asked for',
    needs: 'an unfit deposit in another currency',
    file: 'core/dist/deposit/classifyDeposit.js',
    find: 'if (deposit.money.currency !== origin.currency)',
    replace: 'if (false)',
  },
  {
    name: 'any-chain',
    defence: 'only a deposit on the chain that an order names consumes it',
    harm: 'a deposit on the other chain is filled as if it had come on its own',
    needs: 'an unfit deposit on another chain',
    file: 'core/dist/deposit/classifyDeposit.js',
    find: 'if (deposit.chainId !== origin.chainId)',
    replace: 'if (false)',
  },
  {
    name: 'any-amount',
    defence: 'an amount below the minimum of an order never consumes it (F117)',
    harm: 'an order is filled for less than it asks for, or its own deposit is refused as a second one',
    needs: 'an underpaid deposit',
    file: 'core/dist/deposit/classifyDeposit.js',
    find: 'return deposit.money.amount < minimumIn',
    replace: 'return deposit.money.amount < 0n',
  },
  {
    name: 'leaving-unbooked',
    defence: 'a deposit that left its chain leaves the books',
    harm: 'the depository of the books is not that of the chain',
    needs: 'a reorg that loses a deposit',
    file: 'core/dist/deposit/depositReorg.js',
    find: 'await postLedger(client, [leftPosting({ ...this.#amounted(deposit), decided, paid, parked })], now);',
    replace: '',
  },
  {
    name: 'return-unbooked',
    defence: 'a deposit that was paid for, left and came back is in the books again',
    harm: 'the depository of the books is not that of the chain',
    needs: 'a reorg that moves a deposit to a later block after it was paid for',
    file: 'core/dist/deposit/depositReorg.js',
    find: 'await reversePostings(client, lost, now);',
    replace: '',
  },
  {
    name: 'undecided-kept',
    defence: 'what was decided and not signed is decided anew when its deposit is back',
    harm: 'a deposit that left and came back keeps an outcome whose payout has ended: nobody pays it',
    needs: 'a reorg that moves a deposit to a later block between its decision and the signature',
    file: 'core/dist/deposit/depositReorg.js',
    find: 'await undecideDeposit(client, { depositId, requestId, refundReason, signed: false }, now);',
    replace: '',
  },
]
