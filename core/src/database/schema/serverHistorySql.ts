/** Which history of the data a server writes, so that one that lost the last commits is noticed (faults.md F121). */
export const serverHistorySql = `
-- The cluster and its timeline: a promotion begins a new timeline, a restore into another cluster has another id. The file that the
-- server writes to tells the timeline at once; its control file does so only after the next checkpoint. What a server does not
-- tell, for whatever reason, is '-': services that only look like PostgreSQL differ in how they refuse.
create function server_history() returns text language plpgsql as $$
declare
  system text := '-';
  timeline text := '-';
begin
  begin
    select system_identifier::text into system from pg_control_system();
  exception when others then null;
  end;
  begin
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when others then null;
  end;
  return system || '/' || timeline;
end $$;

-- A lease counts in the history that it was taken in.
alter table leases add column history text not null default server_history();

-- The history in which the lane was last compared with its chain, and the end of what may still land of what an earlier one lost.
alter table lanes add column history text not null default server_history(), add column settles_after numeric(20, 0);
alter table lanes drop constraint lanes_state_check,
  add constraint lanes_state_check check (state in ('open', 'settling', 'quarantined'));
`
