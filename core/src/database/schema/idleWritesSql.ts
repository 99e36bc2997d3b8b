/** Less is written while nothing happens, and what is written again and again takes no room (faults.md F133). */
export const idleWritesSql = `
-- One row of each is changed every second or oftener: new versions find room beside the old ones, which are cleared away soon.
alter table chain_cursors set (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20);
alter table leases set (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table inventory set (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Bytes that quotes of callers without a key added, by day since 1970 (UTC).
create table anonymous_storage (
  day integer primary key,
  bytes bigint not null
);
`
