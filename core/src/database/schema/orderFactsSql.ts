/** What a quote said, once for all deposits that carry its order id and may not consume it (faults.md F132). */
export const orderFactsSql = `
create table order_facts (
  order_id bytea primary key,
  quoted text not null,
  body text not null
);
-- True: the request's own columns hold nothing, those of its order count.
alter table request_facts add column shared boolean not null default false;
`
