/** The history of one integrator, newest first, as `requests_api_key` has that of a key. */
export const integratorRequestsSql = `
create index requests_integrator on requests (integrator_id, created_at desc, seq desc) where integrator_id is not null;
`
