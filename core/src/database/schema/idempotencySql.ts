/** Calls that carried an Idempotency-Key, with what they were answered; see IdempotentCalls. */
export const idempotencySql = `
-- One row per scope, method, route and key, all of them within \`id\`. Not partitioned: only an index over all rows makes the
-- second of two equal calls lose. Rows are few, since a row lives for a day and only callers who send the header make one.
create table idempotent_calls (
  id bytea primary key,
  body bytea not null,
  -- The run that may set the answer; a later run, after a crash, has another.
  run uuid not null,
  running_until timestamptz not null,
  expires_at timestamptz not null,
  -- Null while it runs. An answer that is not kept has a status and no text.
  status smallint,
  headers text,
  answer text
);
create index idempotent_calls_expiry on idempotent_calls (expires_at);

-- Sets the answer within the transaction of the effect, which fails where the call was answered or taken over meanwhile.
create function keep_idempotent_answer(p_id bytea, p_run uuid, p_status smallint, p_answer text) returns void
language plpgsql as $$
begin
  update idempotent_calls set status = p_status, headers = '{}', answer = p_answer
  where id = p_id and run = p_run and status is null;
  if not found then raise exception 'another run of this call went before' using errcode = 'CW002'; end if;
end $$;
`
