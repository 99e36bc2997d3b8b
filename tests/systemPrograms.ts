import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program of a Debian package that some tests need, and a title for those tests. */
interface SystemProgram {
  readonly package: string
  readonly tests: string
  readonly isInstalled: () => boolean
}

const POSTGRES = '/usr/lib/postgresql'

const onPath = (name: string) => (): boolean =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin'].some((folder) =>
    existsSync(join(folder, name)),
  )

const PROGRAMS: readonly SystemProgram[] = [
  { package: 'redis-server', tests: 'rate limits counted in Redis', isInstalled: onPath('redis-server') },
  { package: 'prometheus', tests: 'alert rules', isInstalled: onPath('prometheus') },
  {
    package: 'postgresql',
    tests: 'backup, restore and upgrade of a PostgreSQL server',
    isInstalled: () =>
      existsSync(POSTGRES) &&
      readdirSync(POSTGRES).some((version) => existsSync(join(POSTGRES, version, 'bin', 'initdb'))),
  },
  { package: 'pgbouncer', tests: 'a pooler before the database', isInstalled: onPath('pgbouncer') },
  {
    package: 'chromium',
    tests: 'pages in a browser',
    isInstalled: () => existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium'),
  },
]

/** Returns a line for each missing program: the tests that are skipped, and the package that brings them back. */
export const skippedTests = (): readonly string[] =>
  PROGRAMS.filter(({ isInstalled }) => !isInstalled()).map(
    ({ package: name, tests }) => `skipped: ${tests} (apt-get install ${name})`,
  )
