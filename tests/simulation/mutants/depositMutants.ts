import type { Mutant } from './mutant.js'

/** What watches, judges and keeps deposits. */
export const DEPOSIT_MUTANTS: readonly Mutant[] = [
  {
    name: 'cursor-apart',
    defence: 'deposits and the cursor that has passed them are one commit',
    harm: 'a deposit that was read is in no row and is never read again: it stays on its chain, unpaid and unparked',
    needs:
      'a host that dies, or a connection that breaks, in the transaction of a page with deposits, best on the chain that is final',
    file: 'core/dist/deposit/depositIngest.js',
    find: 'saveCursor(client, chain, page, { now, whole })',
    replace: 'saveCursor(this.#deps.pool, chain, page, { now, whole })',
  },
  {
    name: 'watch-unleased',
    defence: 'what a watcher writes is conditional on its lease',
    harm: 'a watcher that slept writes that a deposit is gone which is back since, and nobody looks at it again',
    needs:
      'a host that is paused for longer than a lease between rechecking deposits after a reorg and writing; the deposit lands again meanwhile',
    file: 'core/dist/deposit/depositIngest.js',
    find: 'await withLease(this.#deps.pool, lease, async (client) => {',
    replace: "await (await import('../database/pool.js')).withTransaction(this.#deps.pool, async (client) => {",
  },
  {
    name: 'vanished-unnoticed',
    defence: 'after a rewind every stored deposit above it is looked up again',
    harm: 'deposits that left the chain are paid for, whatever the cap, and the books show a depository that the chain does not',
    needs: 'a reorg that loses a deposit',
    file: 'core/dist/deposit/depositWatcher.js',
    find: 'if (page.rewoundTo === null)',
    replace: 'if (page.rewoundTo !== undefined)',
  },
  {
    name: 'returned-ignored',
    defence: 'a deposit that is known and stands on the chain again, or elsewhere, is taken back',
    harm: 'a deposit that left the chain and came back is neither filled nor refunded',
    needs:
      'a reorg that returns a deposit to the pool, which lands again some blocks after the watcher has recorded that it is gone',
    file: 'core/dist/deposit/depositIngest.js',
    find: 'await reorg.seen(deposit, event);',
    replace: 'void deposit;',
  },
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
    find: `d.outcome is null and \${isFirm('d')}`,
    replace: 'd.outcome is null',
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
]
