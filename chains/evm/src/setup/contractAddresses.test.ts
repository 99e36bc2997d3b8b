import { getAddress, keccak256 } from 'viem/utils'
import { expect, test } from 'vitest'
import {
  depositAddressFactoryOf,
  FILL_ROUTER,
  formerDepositAddressFactoryOf,
  judgeCode,
  withoutFormerFactory,
} from './contractAddresses.js'

const DEPOSITORY = `0x${'d1'.repeat(20)}`

test('the factory of former releases gives way to the one of this release, and its addresses stay swept', () => {
  const former = getAddress(formerDepositAddressFactoryOf(DEPOSITORY))
  expect(former.toLowerCase()).not.toBe(depositAddressFactoryOf(DEPOSITORY).address)
  const older = getAddress(`0x${'0f'.repeat(20)}`)
  const options = { owner: '0x01', depositAddressFactory: former, formerDepositAddressFactories: [older] }
  expect(withoutFormerFactory(options, DEPOSITORY)).toEqual({
    owner: '0x01',
    formerDepositAddressFactories: [older, former],
  })
})

test.each([[{}], [{ depositAddressFactory: `0x${'fa'.repeat(20)}` }], [{ depositAddressFactory: null }]])(
  'options without the factory of former releases stay as they are: %j',
  (options) => {
    expect(withoutFormerFactory(options, DEPOSITORY)).toBe(options)
  },
)

test('code is judged with the hashes that the configuration accepts, for a host and for contracts verify', () => {
  const place = { contract: FILL_ROUTER, address: FILL_ROUTER.address }
  const judge = (code: `0x${string}`, accepted: readonly string[] = []) => judgeCode(code, place, new Set(accepted))
  expect([judge('0x'), judge('0x60'), judge('0x60', [keccak256('0x60')])]).toEqual(['absent', 'other', 'accepted'])
  expect(judge('0x', [keccak256('0x')])).toBe('absent')
})
