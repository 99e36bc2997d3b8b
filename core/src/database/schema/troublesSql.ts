/** What stands in the way of one request or payout, since when: an exception, or an answer that never came (faults.md F126). */
export const troublesSql = `
alter table requests add column trouble text, add column trouble_since timestamptz,
  add constraint requests_trouble check ((trouble is null) = (trouble_since is null));
alter table payouts add column trouble text, add column trouble_since timestamptz,
  add constraint payouts_trouble check ((trouble is null) = (trouble_since is null));
create index requests_trouble on requests (trouble_since) where trouble is not null;
create index payouts_trouble on payouts (trouble_since) where trouble is not null;
`
