import type { Mutant } from './mutant.js'

/** What signs, sends and follows. */
export const LANE_MUTANTS: readonly Mutant[] = [
  {
    name: 'sent-unstored',
    defence: 'signed bytes are stored before they are sent (invariant 2)',
    harm: 'a node knows a transaction that no attempt tells of',
    needs: 'any payment; it shows as soon as a check looks while the store is under way, or when a host dies there',
    file: 'plugins/solver/dist/sender.js',
    find: "await passEach(payouts, 'store.before');",
    replace:
      "await chain.adapter.lane.broadcast(attempts.map(({ signed }) => signed)).catch(() => undefined); await passEach(payouts, 'store.before');",
  },
  {
    name: 'crash-not-resent',
    defence: 'what is stored and was never sent is sent after a crash',
    harm: 'the payout stays signed and the request never finishes',
    needs: 'a host that dies at a `store.after`',
    file: 'plugins/solver/dist/tracker.js',
    find: "payout.action === 'broadcast' && !isGroundless(payout)",
    replace: 'payout.id === null',
  },
  {
    name: 'lane-unread',
    defence: 'a lane is compared with its chain before it opens: what the journal does not know is imported',
    harm: 'a payment of a forgotten time is made a second time',
    needs: 'an older database put back in which a payout was ready, or a deposit undecided, that was paid since',
    file: 'core/dist/payout/laneJournal.js',
    find: 'await importTransactions(client, lane, reading.unknown, now);',
    replace: '',
  },
  {
    name: 'failover-unnoticed',
    defence: 'a lane waits out what may still land of a history of the database that is lost (F121)',
    harm: 'a lost payment lands after the lane has signed it anew: paid twice',
    needs:
      'a failover that loses the store of a payment which only a silent node holds, and which lands within its lifetime',
    file: 'core/dist/payout/laneJournal.js',
    find: 'history <> server_history() as moved',
    replace: 'false as moved',
  },
  {
    name: 'foreign-spend-believed',
    defence:
      'a guard spent by something the journal does not know has the lane read again before anything follows (F121)',
    harm: 'a raised fee that the database forgot paid; its payment counts as dead and is made again',
    needs:
      'on the chain with strict order: a payment is stored, raised, the raise lost (commits lost, or an older database put back) and lands',
    file: 'plugins/solver/dist/mortician.js',
    find: 'if (readable && !spentItself(payout) && !this.#again.has(payout))',
    replace: 'if (false)',
  },
  {
    name: 'witness-unasked',
    defence: 'a fill is signed only once it is known what the chain of its deposit paid (F120)',
    harm: 'a fill is paid whose deposit was refunded in a forgotten time',
    needs:
      'an older database put back in which a fill was ready (funds short, signer away) that was refunded unsent since; the destination’s lane opens before that of the origin',
    file: 'plugins/solver/dist/payoutCheck.js',
    find: "if (payout.purpose !== 'fill')",
    replace: 'if (payout.purpose !== null)',
  },
  {
    name: 'included-is-paid',
    defence: 'a payment counts when it succeeded and something arrived (F123)',
    harm: 'a request is `success` and its recipient has nothing',
    needs: 'a payment that fails on the chain: its recipient closes between simulation and block',
    file: 'plugins/solver/dist/tracker.js',
    find: "state.status === 'success' && arrivalOf(toChainPayout(payout), state) !== 'nothing'",
    replace: 'state.block !== null',
  },
  {
    name: 'final-at-sight',
    defence: 'a payment is final only at the depth of settlement',
    harm: 'a payment that a reorg loses is never made again',
    needs:
      'a reorg or a node that falls back (all included payments are looked at then), and a reorg within `settle` blocks that loses one of them',
    file: 'plugins/solver/dist/tracker.js',
    find: 'else if (paid.state.confirmations > settle) {',
    replace: 'else {',
  },
  {
    name: 'reorged-payment-left',
    defence: 'a payment that left the chain is sent again',
    harm: 'the payout stays included for ever, and where it was lost the recipient has nothing',
    needs: 'a reorg that moves or loses an included payment',
    file: 'plugins/solver/dist/tracker.js',
    find: 'await this.#reorged(lease, payout, attempt);',
    replace: 'void lease;',
  },
]
