import { ServiceError } from '@causeway/core'
import { HttpError } from '@causeway/core/plugin'
import type { SimLedger } from '../chain/simLedger.js'
import { BALANCE_WALLETS, type BalanceWallet } from '../host/balanceWallets.js'
import type { ClaimAsked, ClaimToSign } from '../host/claimCalls.js'
import { CALLER } from '../host/simHost.js'
import type { Random } from '../kernel/random.js'
import type { World } from '../world.js'
import type { Action } from './action.js'
import { REASON, sitting } from './operator.js'
import { requireKnown } from './requireKnown.js'
import { short, UNIT } from './transfers.js'

/** What wallets do with their balance, and others with it. */
const CONDUCTS = [
  'all',
  'all',
  'part',
  'part',
  'two at once',
  'signed twice',
  'another currency',
  'another currency',
  'above the balance',
  'by a stranger',
  'refused recipient',
] as const
type Conduct = (typeof CONDUCTS)[number]

/** Where a story is about little else. */
const OFTEN: readonly Conduct[] = [...CONDUCTS, 'two at once', 'two at once', 'by a stranger', 'by a stranger']

function faultOf(conduct: Conduct): string {
  return `claim: ${conduct}`
}

/** A wallet claims of its balance, or somebody tries to. */
export const claim: Action = {
  name: 'claim',
  weight: 0,
  besideBalances: 5,
  faults: CONDUCTS.filter((conduct, at) => CONDUCTS.indexOf(conduct) === at).map(faultOf),
  run: async (world, random) => {
    const conduct = random.pick(world.focus === null ? CONDUCTS : OFTEN)
    const wallet = random.pick(BALANCE_WALLETS)
    const asked = bodyOf(world, conduct, random)
    const askOnce = () => askFor(world, wallet, asked, random)
    const first = await untilGiven(world, askOnce)
    const all = [first, ...(conduct === 'two at once' && first !== null ? [await askOnce()] : [])]
    const given = all.filter((one) => one !== null)
    if (given.length === 0 && conduct !== 'above the balance') return
    world.faults.set(faultOf(conduct), (world.faults.get(faultOf(conduct)) ?? 0) + 1)
    await world.sleep(random.int(0, 4_000))
    if (conduct === 'by a stranger') return signAsStranger(world, wallet, given, random)
    for (const { id } of given) world.signedClaims.set(id, { wallet: wallet.address, ...asked })
    await Promise.all(given.map((one) => sign(world, wallet, one, random)))
    if (conduct === 'signed twice') await signAgain(world, wallet, given, random)
    if (conduct === 'refused recipient') await refuse(world, asked, random)
  },
}

const bodyOf = (world: World, conduct: Conduct, random: Random): ClaimAsked => {
  const [first] = world.ledgers
  const ledger = conduct === 'another currency' || first === undefined ? random.pick(world.ledgers) : first
  const amount = amountOf(conduct, random)
  return {
    chainId: ledger.chainId,
    currency: conduct === 'another currency' ? random.pick([ledger.coin, ledger.token]) : ledger.token,
    recipient: random.pick(world.users).address,
    ...(amount === null ? {} : { amount: amount.toString() }),
  }
}

/** Null: all of it. */
const amountOf = (conduct: Conduct, random: Random): bigint | null => {
  if (conduct === 'above the balance') return 10n ** 12n
  if (conduct === 'part' || conduct === 'signed twice') return BigInt(random.int(1, 30)) * UNIT + 1n
  return random.chance(0.5) ? null : BigInt(random.int(1, 90)) * UNIT
}

/** So many times at most, with so long between them: what is earned is settled soon. */
const TRIES = 4
const WAIT_MS = 4_000

const untilGiven = async (world: World, askOnce: () => Promise<ClaimToSign | null>): Promise<ClaimToSign | null> => {
  for (let tries = 1; tries <= TRIES && !world.calm; tries += 1) {
    const given = await askOnce()
    if (given !== null) return given
    await world.sleep(WAIT_MS)
  }
  return null
}

/** Message to sign; null where a host refuses, or there is none. */
const askFor = async (
  world: World,
  wallet: BalanceWallet,
  asked: ClaimAsked,
  random: Random,
): Promise<ClaimToSign | null> => {
  const host = world.anyHost(random)?.host
  const claims = host?.claims ?? null
  if (host === null || host === undefined || claims === null) return null
  const given = await told(world, 'no claim', () => world.as(host.process, () => claims.ask(wallet.address, asked)))
  if (given === null) return null
  const { id } = given
  if (BigInt(asked.amount ?? 0) >= 10n ** 12n) world.complaints.push(`claim ${id} is above any balance`)
  world.tell(`claim ${short(id)} of ${wallet.address}: ${asked.amount ?? 'all'} to chain ${asked.chainId}`)
  return given
}

/** What a host answers; null where it refuses or dies. */
export const told = async <T>(world: World, words: string, work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work()
  } catch (error) {
    requireKnown(error)
    const known = ServiceError.is(error) || HttpError.is(error)
    world.tell(`${words}: ${known ? error.message : `failed: ${String(error)}`}`)
    return null
  }
}

/** Posts a signature of this wallet; false where it is not taken. */
const sign = async (
  world: World,
  { sign: by }: BalanceWallet,
  given: ClaimToSign,
  random: Random,
): Promise<boolean> => {
  const { id } = given
  const host = world.anyHost(random)?.host
  const claims = host?.claims ?? null
  if (host === null || host === undefined || claims === null) return false
  const signature = await by(id)
  const done = await told(world, `claim ${short(id)} is not paid`, async () => {
    await world.as(host.process, () => claims.sign(given, signature))
    return true
  })
  if (done !== null) world.tell(`claim ${short(id)} is signed`)
  return done !== null
}

const signAsStranger = async (world: World, wallet: BalanceWallet, claims: readonly ClaimToSign[], random: Random) => {
  const stranger = random.pick(BALANCE_WALLETS.filter((item) => item !== wallet))
  for (const claim of claims) {
    if (await sign(world, stranger, claim, random)) world.complaints.push(`claim ${claim.id} is taken from a stranger`)
  }
}

/** At once, and again when it may be paid. */
const signAgain = async (world: World, wallet: BalanceWallet, claims: readonly ClaimToSign[], random: Random) => {
  for (const waits of [0, random.int(2_000, 25_000)]) {
    await world.sleep(waits)
    await Promise.all(claims.map((claim) => sign(world, wallet, claim, random)))
  }
}

/** Whoever is to be paid takes nothing any more, for a while or until its claim is given back. */
const refuse = async (world: World, { chainId, recipient }: ClaimAsked, random: Random): Promise<void> => {
  const ledger: SimLedger | undefined = world.ledgers.find((item) => item.chainId === chainId)
  if (ledger === undefined || world.calm) return
  ledger.close(recipient)
  world.tell(`the recipient of a claim is closed on ${ledger.slug}`)
  await world.sleep(random.int(1_000, 40_000))
  ledger.open(recipient)
}

/** Another wallet pays from now on for what is sponsored; what was quoted before is paid by the one before. */
export const linkWallet: Action = {
  name: 'link of a wallet',
  weight: 0,
  besideBalances: 1,
  faults: ['another sponsor'],
  run: (world, random) =>
    sitting(world, async (run) => {
      const { address } = random.pick(BALANCE_WALLETS)
      await run('integrators wallet', [CALLER.integratorId, address], { reason: REASON })
      world.fault('another sponsor', `${address} pays for what is sponsored`)
    }),
}
