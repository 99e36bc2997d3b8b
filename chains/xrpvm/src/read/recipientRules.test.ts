import { describe, expect, it } from 'vitest'
import { ACCOUNT_ONE, NATIVE } from '../address/addresses.js'
import { ACCOUNT_FLAGS, type AccountState, type TrustLine } from '../rpc/accountState.js'
import { accountProblem, asksWhoPays, isBlackholed, issuedProblem } from './recipientRules.js'

const ISSUER = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

const account = (fields: Partial<AccountState> = {}): AccountState => ({
  height: 7n,
  balance: 10n ** 7n,
  flags: 0,
  owned: 0n,
  sequence: 1n,
  tickets: 0,
  regularKey: null,
  hasSigners: false,
  transferRate: 1_000_000_000n,
  isAmm: false,
  ...fields,
})

const line = (fields: Partial<TrustLine> = {}): TrustLine => ({
  account: ISSUER,
  currency: 'USD',
  balance: '1',
  limit: '100',
  ...fields,
})

const issued = (fields: object = {}) => ({ issuer: account(), isIssuer: false, line: line(), ...fields })

describe('an account cannot be paid (chains.md xrpvm 5)', () => {
  it('without the tag that it asks for; 0 is one (faults.md F24)', () => {
    const asking = account({ flags: ACCOUNT_FLAGS.requireDestinationTag })
    expect(accountProblem(asking, undefined)).toMatch(/destination tag/)
    expect(accountProblem(asking, 0)).toBeNull()
    expect(accountProblem(account(), undefined)).toBeNull()
  })

  it('where nobody can sign for it any more', () => {
    const flags = ACCOUNT_FLAGS.disableMaster
    for (const regularKey of [null, NATIVE, ACCOUNT_ONE]) {
      expect(isBlackholed(account({ flags, regularKey }))).toBe(true)
      expect(accountProblem(account({ flags, regularKey }), 1)).toMatch(/lost/)
      expect(isBlackholed(account({ flags, regularKey, hasSigners: true }))).toBe(false)
    }
    expect(isBlackholed(account({ flags, regularKey: ISSUER }))).toBe(false)
    expect(isBlackholed(account())).toBe(false)
  })

  it('where it is a pool of the exchange', () => {
    expect(accountProblem(account({ isAmm: true }), undefined)).toMatch(/pool/)
  })

  it('is asked for its choice only where it chooses who pays', () => {
    expect(asksWhoPays(account({ flags: ACCOUNT_FLAGS.depositAuthorization }))).toBe(true)
    expect(asksWhoPays(account())).toBe(false)
  })
})

describe('an issued currency', () => {
  it('can be paid to who trusts its issuer, and to the issuer itself', () => {
    expect(issuedProblem(issued())).toBeNull()
    expect(issuedProblem(issued({ isIssuer: true, line: null }))).toBeNull()
  })

  it.each([
    ['nobody issues it', { issuer: null }, /does not exist/],
    ['there is no trust line', { line: null }, /trust line/],
    ['the issuer froze it', { issuer: account({ flags: ACCOUNT_FLAGS.globalFreeze }) }, /issuer .* has frozen/],
    ['the balance is frozen', { line: line({ freeze_peer: true }) }, /balance .* frozen/],
    ['it is frozen for good by the issuer', { line: line({ deep_freeze_peer: true }) }, /frozen/],
    ['it is frozen for good by the recipient', { line: line({ deep_freeze: true }) }, /frozen/],
    [
      'the issuer did not allow it',
      { issuer: account({ flags: ACCOUNT_FLAGS.requireAuthorization }) },
      /has not allowed/,
    ],
    ['there is no room', { line: line({ balance: '100' }) }, /no room/],
    ['there is a limit of nothing', { line: line({ balance: '0', limit: '0' }) }, /no room/],
    ['the limit is no number', { line: line({ limit: 'much' }) }, /no room/],
  ])('cannot where %s', (_, fields, why) => {
    expect(issuedProblem(issued(fields))).toMatch(why)
  })

  it('can where the issuer asks to allow holders and did', () => {
    const flags = ACCOUNT_FLAGS.requireAuthorization
    const allowed = issued({ issuer: account({ flags }), line: line({ peer_authorized: true }) })
    expect(issuedProblem(allowed)).toBeNull()
  })
})
