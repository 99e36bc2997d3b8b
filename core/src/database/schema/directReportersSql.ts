/** Callers that reported transactions of requests, as `holderKey`: their reports are counted apart. Null: the service, or a trusted caller. */
export const directReportersSql = `
alter table direct_transactions add column reporter bigint;
`
