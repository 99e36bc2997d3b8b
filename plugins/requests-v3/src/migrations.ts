import type { Migration } from '@causeway/core/plugin'

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
create index record_texts_form on record_texts (form);
-- A page reads the texts where they lie, beside their keys: lz4 where the server has it, else as they are, since the
-- server's own compression takes longer to undo than the rest of a page.
do $$ begin
  alter table record_texts alter column text set compression lz4;
  alter table record_texts set (toast_tuple_target = 4080);
exception when feature_not_supported then
  alter table record_texts set (toast_tuple_target = 8160);
end $$;
`,
  },
  {
    name: '0002_saved_views',
    up: `
-- What members look for again and again; the owner is their wallet.
create table saved_views (
  id uuid primary key,
  owner text not null,
  name text not null,
  page text not null,
  query jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index saved_views_owner on saved_views (owner);
`,
  },
  {
    name: '0003_packed_records',
    up: `
-- The text, deflated: rows of an earlier form have it in \`text\`, until they are written again.
alter table record_texts add column packed bytea, alter column text drop not null;
alter table record_texts alter column packed set storage external;
`,
  },
]
