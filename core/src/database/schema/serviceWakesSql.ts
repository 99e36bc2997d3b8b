/** Notifies hosts when a lane opens or closes, a chain is halted or released, or a process takes up a lane or a watcher. */
export const serviceWakesSql = `
create function wake_service() returns trigger language plpgsql as $$
begin
  perform pg_notify('causeway_service', '');
  return null;
end $$;

create trigger lanes_wake_service after insert or update of state on lanes for each row execute function wake_service();
create trigger halts_wake_service after insert or delete on chain_halts for each row execute function wake_service();
-- A renewal does not set the epoch.
create trigger leases_wake_service after insert or update of epoch on leases for each row execute function wake_service();
`
