import { FAILPOINTS } from '@causeway/core/plugin'

const matching = (pattern: RegExp): readonly string[] => FAILPOINTS.filter((name) => pattern.test(name))

const FILL = matching(/^fill\./)

/** Every failpoint at which the nightly tier kills a host, by walk. Together they cover every failpoint of the money path. */
export const EVERY_PLACE = {
  transfers: matching(/^(deposit|arrivals|decide|fill|refund|excess|sweep|withdraw)\./),
  claims: matching(/^claim\./),
  // Credits first: they bring the balance that fast fills need.
  fastFills: [...matching(/^credit\./), ...matching(/^fast-fill\./), ...FILL],
  signatures: matching(/^origin\./),
  /** An operator's payment passes the same code as a fill. */
  walletOrders: FILL.map((name) => name.replace(/^fill/, 'send')),
  /** A chain of each other VM: stored, broadcast, and found on the chain but not yet recorded. */
  otherVms: matching(/^(fill|refund|withdraw)\.(store\.after|broadcast\.after|included\.before)$/),
  /** A transaction of Bitcoin that carries several fills. */
  sharedFills: matching(/^fill\.(store\.after|broadcast\.after|included\.before)$/),
} as const

/**
 * The failpoints of the shorter walk. A fill is killed wherever its bytes or their record may be missing, each other purpose at its
 * most dangerous failpoint: `broadcast.after`, where the money is gone and the database has no record of it. For a withdrawal that is
 * `store.after`, because the restarted host can only broadcast the allocator's signature if the stored bytes contain it.
 */
export const SHORT_WALK = {
  transfers: [
    // Committed, but the process that knew about it is dead: must neither be repeated nor forgotten.
    'deposit.commit.after',
    'arrivals.commit.after',
    'decide.commit.after',
    'fill.store.before',
    'fill.store.after',
    'fill.broadcast.after',
    'fill.included.before',
    'refund.broadcast.after',
    'excess.broadcast.after',
    'sweep.broadcast.after',
    'withdraw.store.after',
  ],
  claims: ['claim.broadcast.after'],
  // The order is paid ahead of its deposit: a restarted host must not fill it a second time for that deposit.
  fastFills: ['credit.after', 'fast-fill.settle.before'],
  permits: ['origin.broadcast.after'],
  // A call reaches `origin.broadcast.after` by the same code as a permit, but has its own acceptance.
  calls: ['origin.accept.after'],
  walletOrders: ['send.broadcast.after'],
  // No payment can replace another: a host that signed one must send the stored bytes and no others until they expire.
  otherVms: ['fill.store.after', 'fill.broadcast.after', 'refund.broadcast.after', 'withdraw.store.after'],
  /** Bitcoin alone: its fills of one order pass the same code. */
  sharedFills: ['fill.broadcast.after'],
} as const

/** Roles of a host that watches and pays, and answers no request. */
export const MONEY = ['watcher', 'solver']
