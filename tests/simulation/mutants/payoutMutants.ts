import type { Mutant } from './mutant.js'

/** What decides, books and tells payments. */
export const PAYOUT_MUTANTS: readonly Mutant[] = [
  {
    name: 'cause-forgotten',
    defence: 'a payout is unique by its purpose and its deposit',
    harm: 'a deposit is taken out of the depository each time that its refund finds too little in the wallet: the money of others leaves with it',
    needs:
      'a refund on a chain whose wallet is short of the currency for two looks or more, with an allocator and other deposits in the depository',
    file: 'core/dist/payout/createPayouts.js',
    find: "select p.purpose, 'deposit:' || p.deposit_id, p.deposit_id",
    replace: "select p.purpose, 'deposit:' || p.deposit_id || ':' || p.at, p.deposit_id",
  },
  {
    name: 'excess-ungrounded',
    defence: 'no payout is made for a deposit that is not on its chain',
    harm: 'the excess of a vanished deposit is a payout that nobody may sign: it waits for ever',
    needs:
      'an overpaid exact output, its fill final on the chain that is final while a reorg has lost the deposit for good',
    file: 'core/dist/payout/createPayouts.js',
    find: "from p join d on d.id = p.deposit_id and d.state = 'included'",
    replace: 'from p join d on d.id = p.deposit_id',
  },
  {
    name: 'paid-orders-ignored',
    defence: 'an order that something outside the database paid is not paid otherwise (F120)',
    harm: 'an order that was filled in a forgotten time is refunded, or the other way round',
    needs:
      'an older database put back after a fill was paid, and until the lane is open again the order expires, its recipient closes or its price moves',
    file: 'core/dist/payout/paidOrders.js',
    find: "`i.payout_id is null and i.status <> 'reverted'",
    replace: "`false and i.payout_id is null and i.status <> 'reverted'",
  },
  {
    name: 'found-not-given',
    defence: 'a payment found on the chain becomes the attempt of the payout that it pays',
    harm: 'the payout is held back as paid by something else and the request never finishes',
    needs: 'an older database put back in which a payout was ready that was paid since',
    file: 'core/dist/payout/laneJournal.js',
    find: 'await adoptForOpenPayouts(client, lane, now);',
    replace: '',
  },
  {
    name: 'reversal-skipped',
    defence: 'what was booked for a payment is taken back when it leaves the chain',
    harm: 'a payment that lands twice is booked twice: the wallet of the books is not that of the chain',
    needs: 'a reorg that drops an included payment, which lands again',
    file: 'core/dist/payout/settlePayouts.js',
    find: "if (payout.state === 'included') {",
    replace: 'if (false) {',
  },
  {
    name: 'gas-unbooked',
    defence: 'the fee of a transaction that failed is booked as well',
    harm: 'the wallet of the books is not that of the chain',
    needs: 'a payment that fails on the chain, or a cancel that lands',
    file: 'core/dist/payout/settlePayouts.js',
    find: 'await postLedger(client, gasPostings(sighting, native), options.now);',
    replace: '',
  },
  {
    name: 'status-free',
    defence: 'a request moves only as its map of statuses allows',
    harm: 'a request that is told as `success` is `submitted` again',
    needs: 'a reorg that drops an included fill, which lands again',
    file: 'core/dist/request/changeStatus.js',
    find: "where r.id = decode(w.id, 'hex') and r.status = any(w.sources)",
    replace: "where r.id = decode(w.id, 'hex')",
  },
  {
    name: 'outbox-overtakes',
    defence: 'the place of an event is after that of the event before it, whichever transaction began first',
    harm: 'the outbox tells the versions of a request in the wrong order',
    needs: 'two transactions that move one request, of which the one that began to write first moves it last',
    file: 'core/dist/request/changeStatus.js',
    find: 'event_xid = greatest(r.event_xid, w.told_xid, outbox_place(pg_current_xact_id()))',
    replace: 'event_xid = outbox_place(pg_current_xact_id())',
  },
  {
    name: 'late-minimum',
    defence: 'a late deposit is never filled below the minimum that its order promises',
    harm: 'the recipient gets less than the minimum',
    needs: 'a deposit after the quoted price expired, when prices moved or fees rose by more than the slippage',
    file: 'plugins/quote/dist/service/reprice.js',
    find: 'if (amount < minimumFor(terms, terms.minimumOut, paid) || amount < tolerated)',
    replace: 'if (false)',
  },
  {
    name: 'overdue-paid',
    defence: 'a fill that waited past the time of its order is refunded',
    harm: 'a fill is signed after the deadline of its order',
    needs:
      'a fill that is decided and then waits for its signature, funds or lane until its order has expired; a check of the signature’s time',
    file: 'plugins/solver/dist/overdueFills.js',
    find: "purpose === 'fill' && (attempts > 0 || Math.abs(now - createdAt) > FRESH_MS)",
    replace: 'false',
  },
]
