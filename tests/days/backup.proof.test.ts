import { readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { waitForQuiet } from '../harness/database/books.js'
import { until } from '../harness/until.js'
import {
  file,
  fills,
  folder,
  forgotten,
  host,
  known,
  LONG,
  manifestOf,
  onDatabase,
  operator,
  server,
  skipped,
  useBackup,
} from './backupWorld.js'
import { reached } from './operatorsHost.js'

useBackup()

describe.skipIf(skipped !== '')(`a backup of a server at work${skipped}`, () => {
  it(
    'is for its owner alone, says whose it is and of when, and is read whole by "backup verify"',
    async () => {
      for (const place of [file, `${file}.json`]) expect(statSync(place).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
      expect(manifestOf(file)).toMatchObject({ kind: 'dump', facts: { network: 'testnet', serverMajor: 15 } })
      const said = await operator.causeway(`backup verify ${file}`)
      expect(said).toContain('The backup is whole.')
      expect(said).toMatch(/tables up to 00\d\d_/)
      expect(said).not.toContain('of-tests-only')
    },
    LONG,
  )
})

describe.skipIf(skipped !== '')(`the restore drill, by commands alone${skipped}`, () => {
  it(
    'finds what was paid since the backup, closes it as the commands say, and pays nothing twice',
    async () => {
      await operator.stop(host)
      const databaseUrl = await server.createDatabase('restored')
      const drill = (words: string, code?: number) => operator.causewayWith({ databaseUrl }, words, code)
      expect(await drill(`restore ${file}`)).toMatch(
        /Restored in \d+ s\.\nThe backup was taken at .*, \d+ (?:s|min) before now.*In a drill .*causeway lanes inspect/s,
      )
      // What a drill must not do is not advised.
      const looked = await drill('doctor', 1)
      expect(looked).toContain('In a drill that is as it should be: start no host')
      expect(looked).not.toContain('causeway start')
      expect(await server.query('restored', `select distinct history from lanes`)).toEqual([{ history: 'restored' }])
      const drilled = await operator.start({ databaseUrl })
      await until('a lane to be quarantined', async () => /quarantined/.test(await drill('lanes')) || null)
      const deposit = await until('the forgotten deposit to be parked, with what paid it', async () => {
        // CAST: the documented shape of the command's output.
        const { deposits } = JSON.parse(await drill('parked list --json')) as {
          deposits: { orderId: string; paidBy: unknown[] }[]
        }
        const found = deposits.find(({ orderId }) => orderId === forgotten.protocol.v2.orderId)
        return found?.paidBy.length === 1 ? found : null
      })
      const inspected = await drill('lanes inspect lagoon')
      const [, command = ''] = /causeway (parked close \d+ --paid-by 0x[0-9a-f]{64})/.exec(inspected) ?? []
      expect(command).toContain(textAt(deposit, 'depositId'))
      expect(await drill(`parked refund ${textAt(deposit, 'depositId')} --reason drill --yes`, 1)).toContain(
        'was paid already',
      )
      await drill(`${command} --reason "restore drill" --yes`)
      await reached(drilled, known, 'success')
      await onDatabase(databaseUrl, waitForQuiet)
      expect(await drill('ledger check')).toContain('rules hold')
      expect(await drill('parked list')).toContain('Nothing is parked.')
      expect(await drill('lanes')).not.toMatch(/quarantined|settling/)
      expect(await fills()).toEqual([1, 1, 1])
      await operator.stop(drilled)
    },
    LONG,
  )
})
