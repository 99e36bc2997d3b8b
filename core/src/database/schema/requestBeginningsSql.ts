/** Time of the first deposit of a request, which is as old as its quote by `created_at`. Null: `created_at` is that time. */
export const requestBeginningsSql = `
alter table requests add column begun_at timestamptz;
`
