/**
 * One watcher reads everything of a chain, with one cursor in `chain_cursors`. `arrivals_height`: the height up to which it read what came to
 * addresses; null, or other than `height`, where a host of a version before this one read the chain last. Such hosts may run beside this version
 * during an upgrade. So `address_cursors` stays, read by `depositWatcher.ts` and `refundSender.ts` alone, and `direct_cursors`, which this version does
 * not read: version 3 may drop both.
 */
export const oneStreamSql = `
alter table chain_cursors add column arrivals_height bigint;
`
