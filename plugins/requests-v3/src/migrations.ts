import type { Migration } from '@causeway/core'

/** Tables of this plugin. A released migration never changes; add one instead. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_record_texts',
    up: `
-- The public record of a request as it is sent; true while no touch of the request waits.
create table record_texts (
  request_id bytea primary key references requests,
  -- What it was built by: another form counts as missing.
  form text not null,
  text text not null
);
-- A compressed text stays beside its key: one look less for each record of a page.
alter table record_texts set (toast_tuple_target = 4080);
create index record_texts_form on record_texts (form);
-- lz4 reads faster; a server built without it keeps its own default.
do $$ begin
  alter table record_texts alter column text set compression lz4;
exception when feature_not_supported then null;
end $$;
`,
  },
]
