/** Names the PostgreSQL server of the test run; the setup of the run sets it. */
export const TEST_DATABASE_VARIABLE = 'CAUSEWAY_TEST_DATABASE_URL'
