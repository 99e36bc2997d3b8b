import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.js'
import {
  applied,
  backup,
  before,
  fills,
  LONG,
  NEWEST_BEFORE,
  operator,
  server,
  skipped,
  useUpgrade,
  workSideBySide,
} from './upgradeWorld.js'

useUpgrade()

describe.skipIf(skipped !== '')(`the version before and today's over one database${skipped}`, () => {
  it("today's adds its tables under hosts of the version before, and both work side by side", workSideBySide, LONG)

  it(
    'over the backup from before the upgrade it works too, and pays nothing twice',
    async () => {
      const databaseUrl = await server.createDatabase('downgraded')
      await operator.causewayWith({ databaseUrl }, `restore ${backup}`)
      expect((await applied('downgraded')).at(-1)).toBe(NEWEST_BEFORE)
      const restored = await operator.start({ ...before, databaseUrl })
      await until('the lane that paid since to be quarantined', async () =>
        /lagoon.*quarantined/.test(await operator.causewayWith({ ...before, databaseUrl }, 'lanes')) ? true : null,
      )
      expect(await fills()).toEqual([1, 1, 1, 1])
      await operator.stop(restored)
    },
    LONG,
  )
})
