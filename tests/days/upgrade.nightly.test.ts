import { beforeAll, describe, expect, it } from 'vitest'
import type { HostProcess } from '../harness/host/hostProcess.js'
import { until } from '../harness/until.js'
import { reached } from './operatorsHost.js'
import {
  before,
  fills,
  LONG,
  operator,
  server,
  skipped,
  transfer,
  transfers,
  useUpgrade,
  workSideBySide,
} from './upgradeWorld.js'

useUpgrade()

describe.skipIf(skipped !== '')(`the version before and today's over one database${skipped}`, () => {
  let again: HostProcess

  beforeAll(workSideBySide, LONG)

  it(
    'downgrade: the version before starts again over the newer tables, says so, and goes on',
    async () => {
      again = await operator.start(before)
      await until('it to say so', async () =>
        again.log().includes('changed by a newer version; this one can still run') ? true : null,
      )
      for (const quote of transfers) await reached(again, quote, 'success')
      await transfer(again)
      expect(await operator.causewayWith(before, 'lanes')).toMatch(/lagoon.*open/)
      expect(await fills()).toEqual([1, 1, 1, 1, 1])
    },
    LONG,
  )

  it(
    'tables that a later version changed in a breaking way are refused, by its start and by its commands',
    async () => {
      await server.query('deployed', `insert into migrations_core (name, breaking) values ('9999_of_later', true)`)
      const says = 'The database was changed by a newer @causeway/core (9999_of_later). Start that version again'
      await expect(operator.start(before)).rejects.toThrow(says)
      expect(await operator.causewayWith(before, 'lanes', 1)).toContain(says)
      await operator.stop(again)
    },
    LONG,
  )
})
