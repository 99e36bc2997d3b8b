import type { Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { diagnoseNamedAllocator, type JsonRpcEndpoint, resultOf } from '@causeway/core/chain-kit'
import { PublicKey } from '@solana/web3.js'
import { NATIVE } from '../../address/addresses.js'
import type { RpcAccount, RpcContext } from '../../rpc/wire.js'
import { tokenProgramOf } from '../token/mintInfo.js'
import type { DiagnoseDeps } from './diagnoseDeps.js'

/** Where the state of the depository program names its allocator: after eight bytes of kind and the owner. */
const ALLOCATOR_OFFSET = 40
const STATE_SEED = 'relay_depository'

/** The depository obeys the operator's own allocator, and every configured token is one. */
export const diagnoseAccounts = async (
  endpoint: Pick<JsonRpcEndpoint, 'batch'>,
  { config, settings }: DiagnoseDeps,
  { allocator }: Pick<DiagnosisRequest, 'allocator'>,
): Promise<readonly Diagnosis[]> => {
  const { depository, depositoryProgram } = settings
  const mints = config.currencies.filter(({ address }) => address !== NATIVE)
  const state = depositoryProgram === null ? depository : stateOf(depositoryProgram)
  const addresses = [depository, depositoryProgram ?? depository, state, ...mints.map(({ address }) => address)]
  const [outcome] = await endpoint.batch([
    { method: 'getMultipleAccounts', params: [addresses, { commitment: 'confirmed', encoding: 'base64' }] },
  ])
  const { value } = resultOf<RpcContext<readonly (RpcAccount | null)[]>>(outcome, 'getMultipleAccounts')
  const [own, program, stored, ...tokens] = value
  const subject = `${config.slug} depository`
  const found =
    depositoryProgram === null
      ? [ownAccount(subject, own ?? null), diagnoseNamedAllocator(subject, depository, allocator)]
      : programAccounts(subject, program ?? null, stored ?? null, allocator)
  return [...found, ...mints.flatMap(({ symbol }, at) => token(`${config.slug} ${symbol}`, tokens[at] ?? null))]
}

const stateOf = (program: string): string =>
  PublicKey.findProgramAddressSync([Buffer.from(STATE_SEED)], new PublicKey(program))[0].toBase58()

const ownAccount = (subject: string, account: RpcAccount | null): Diagnosis => {
  const check = 'account'
  if (account === null) {
    const message = 'holds nothing yet, and a first native deposit below the rent minimum fails'
    return { check, subject, state: 'warning', message, remedy: 'Send it about 0.001 SOL once.' }
  }
  if (account.owner === NATIVE) return { check, subject, state: 'ok', message: 'exists' }
  const message = 'belongs to a program, so no key can sign for it'
  return { check, subject, state: 'fault', message, remedy: 'Correct "depository" in the chain\'s options.' }
}

const programAccounts = (
  subject: string,
  program: RpcAccount | null,
  state: RpcAccount | null,
  allocator: string | null,
): Diagnosis[] => {
  const check = 'account'
  const remedy = 'Correct "depositoryProgram" in the chain\'s options, or deploy and initialise it.'
  if (program?.executable !== true) {
    return [{ check, subject, state: 'fault', message: 'there is no program at the configured address', remedy }]
  }
  const data = Buffer.from(state?.data[0] ?? '', 'base64')
  if (data.length < ALLOCATOR_OFFSET + 32) {
    return [{ check, subject, state: 'fault', message: 'the program was never initialised', remedy }]
  }
  const named = new PublicKey(data.subarray(ALLOCATOR_OFFSET, ALLOCATOR_OFFSET + 32)).toBase58()
  return [{ check, subject, state: 'ok', message: 'is deployed' }, diagnoseNamedAllocator(subject, named, allocator)]
}

const token = (subject: string, account: RpcAccount | null): Diagnosis[] =>
  account !== null && tokenProgramOf(account.owner) !== null
    ? []
    : [
        {
          check: 'currency',
          subject,
          state: 'fault',
          message: 'there is no token at the configured address',
          remedy: 'Correct the address of the currency: it is its mint.',
        },
      ]
