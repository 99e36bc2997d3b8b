import { startTestPostgres, TEST_DATABASE_VARIABLE } from '@causeway/core/testing'

/**
 * One PostgreSQL for the run: the one DATABASE_URL names (its user must be allowed to create databases), else an embedded one
 * that is thrown away. Test processes find it by the variable, which they inherit.
 */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  const given = process.env.DATABASE_URL
  if (given !== undefined && given !== '') {
    process.env[TEST_DATABASE_VARIABLE] = given
    return undefined
  }
  const server = await startTestPostgres()
  process.env[TEST_DATABASE_VARIABLE] = server.url
  return () => server.stop()
}
