import { getAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { depositAddressFactoryOf, formerDepositAddressFactoryOf, withoutFormerFactory } from './contractAddresses.js'

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
